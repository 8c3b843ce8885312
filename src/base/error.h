#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coffer {

/// The kinds of failures, classified by what the caller can do next. Expected failures are values;
/// an exception means that something is broken.
enum class ErrorCode : std::uint8_t {
  invalid,          ///< The request itself is wrong; sending it again will not help.
  unauthenticated,  ///< The caller is not known.
  forbidden,        ///< The caller is known but lacks the right.
  unconfirmed,      ///< The person must first show again who they are.
  not_found,        ///< The item does not exist, or the caller must not learn that it exists.
  exists,           ///< The name is taken.
  conflict,         ///< The item was changed during the call; a retry may succeed.
  changed,          ///< The item is not in the state that the caller expects.
  locked,           ///< Somebody has locked the item (see catalog/file_locks.h).
  over_quota,       ///< The bytes do not fit into the account's quota.
  unavailable,      ///< A remote server is down or refuses the login; a retry may succeed.
  refused,          ///< A remote server refuses the request: no space left, too large, too busy.
  timed_out,        ///< A remote server did not answer in time.
  disk_full,        ///< A disk of this machine or of the database is full.
  rate_limited,     ///< The caller tried too often; `retry_after` is the time to wait.
  overloaded,       ///< This machine has too much work or too many open files.
  unready,   ///< The catalog's database does not answer; nothing was done, a retry may succeed.
  failed,    ///< This machine failed: input/output error, damaged catalog.
  in_doubt,  ///< The answer of the catalog's database to a change was lost; it may have been done.
};

/// Returns the stable word for a code, for logs and the catalog.
std::string_view to_string(ErrorCode code);

/// Returns true if the code means a failure of this machine, not of the request or a remote server.
bool is_own_failure(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::failed;
  std::string message;  ///< A whole sentence for the client, without secrets and server paths.
  std::chrono::seconds retry_after{0};  ///< The time until a retry may succeed; 0 if unknown.

  bool operator==(const Error&) const = default;
};

/// Returns the error for an errno that means a full disk or no free descriptors; nullopt for other
/// values of errno.
std::optional<Error> lack_of(int code);

template <class T>
using Result = std::expected<T, Error>;

/// Makes a failed result. `return fail(ErrorCode::not_found, "...");` works in any function that
/// returns a Result.
inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error{code, std::move(message)});
}

inline std::unexpected<Error> fail_over_quota() {
  return fail(ErrorCode::over_quota, "The storage quota is exceeded.");
}

/// Returns the error of a failed Result, to be returned as a Result of any other type.
template <class T>
std::unexpected<Error> failure_of(const Result<T>& result) {
  return std::unexpected(result.error());
}
template <class T>
std::unexpected<Error> failure_of(Result<T>&& result) {
  return std::unexpected(std::move(result).error());
}

}  // namespace coffer

// Each macro unwraps a Result. If it is an error, the enclosing function returns this error:
//
//   TRY(const auto size, read_size(text));       // size is the value, not the Result
//   TRY_VOID(check(size));                       // for a Result<void>; a single statement
//   CO_TRY(auto place, co_await resolve(path));  // in coroutines, like CO_TRY_VOID
//
// The first argument of TRY and CO_TRY declares a variable for the value or names an existing one.

#define TRY(declaration, ...) \
  COFFER_TRY_(return, COFFER_NAME_OF_LINE_(__LINE__), declaration, __VA_ARGS__)
#define CO_TRY(declaration, ...) \
  COFFER_TRY_(co_return, COFFER_NAME_OF_LINE_(__LINE__), declaration, __VA_ARGS__)
#define TRY_VOID(...) COFFER_TRY_VOID_(return, __VA_ARGS__)
#define CO_TRY_VOID(...) COFFER_TRY_VOID_(co_return, __VA_ARGS__)

#define COFFER_JOINED_(left, right) left##right
#define COFFER_NAME_OF_LINE_(line) COFFER_JOINED_(result_of_line_, line)
#define COFFER_TRY_(leave, result, declaration, ...)          \
  auto result = __VA_ARGS__;                                  \
  if (!result) leave ::coffer::failure_of(std::move(result)); \
  declaration = *std::move(result)
// A Result with a value does not compile here, because its value would be lost.
#define COFFER_TRY_VOID_(leave, ...)                                          \
  if (::coffer::Result<void> result_of_step_ = __VA_ARGS__; !result_of_step_) \
  leave ::coffer::failure_of(std::move(result_of_step_))
