#include "base/error.h"

#include <cerrno>
#include <utility>

namespace coffer {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return "invalid";
    case ErrorCode::unauthenticated:
      return "unauthenticated";
    case ErrorCode::forbidden:
      return "forbidden";
    case ErrorCode::unconfirmed:
      return "unconfirmed";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::exists:
      return "exists";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::changed:
      return "changed";
    case ErrorCode::locked:
      return "locked";
    case ErrorCode::over_quota:
      return "over_quota";
    case ErrorCode::unavailable:
      return "unavailable";
    case ErrorCode::refused:
      return "refused";
    case ErrorCode::timed_out:
      return "timed_out";
    case ErrorCode::disk_full:
      return "disk_full";
    case ErrorCode::rate_limited:
      return "rate_limited";
    case ErrorCode::overloaded:
      return "overloaded";
    case ErrorCode::unready:
      return "unready";
    case ErrorCode::in_doubt:
      return "in_doubt";
    case ErrorCode::failed:
      return "failed";
  }
  std::unreachable();
}

bool is_own_failure(ErrorCode code) {
  return code == ErrorCode::disk_full || code == ErrorCode::overloaded ||
         code == ErrorCode::unready || code == ErrorCode::in_doubt || code == ErrorCode::failed;
}

std::optional<Error> lack_of(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return Error{ErrorCode::disk_full, "The disk is full."};
    case EMFILE:
    case ENFILE:
      return Error{ErrorCode::overloaded, "The server has too many files open. Try again soon."};
    default:
      return std::nullopt;
  }
}

}  // namespace coffer
