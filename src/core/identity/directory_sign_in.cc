#include "core/identity/directory_sign_in.h"

#include <algorithm>
#include <utility>

#include "base/log.h"

namespace coffer::core {
namespace {

std::unexpected<Error> does_not_answer() {
  return fail(ErrorCode::unready,
              "The directory that knows the passwords does not answer: try again in a moment.");
}

/// People are told no more than that; the log says what it was.
std::unexpected<Error> does_not_answer(const Error& error) {
  if (error.code == ErrorCode::overloaded) return std::unexpected(error);
  spdlog::warn("a sign-in by the directory failed: {}", error.message);
  return does_not_answer();
}

}  // namespace

Task<Result<std::optional<ProvidedPerson>>> DirectorySignIn::ask(std::string name,
                                                                 std::string password) {
  if (breaker_.refusal()) co_return does_not_answer();
  auto person = co_await directory_.check(std::move(name), std::move(password));
  if (!person) co_return does_not_answer(breaker_.note_failure(person.error()));
  breaker_.note_success();
  co_return person;
}

Task<Result<std::optional<catalog::Account>>> DirectorySignIn::sign_in(std::string name,
                                                                       std::string password,
                                                                       std::string address) {
  CO_TRY(const auto person, co_await ask(std::move(name), std::move(password)));
  if (!person) co_return std::nullopt;
  // Also by another spelling of its name, which is the same one to the directory.
  CO_TRY(const auto known, co_await catalog_.identities().find(person->identity));
  if (known && !known->password_hash.empty()) co_return std::nullopt;
  CO_TRY(auto account, co_await accounts_.of(*person, address));
  co_return std::optional(std::move(account));
}

Task<Result<ForeseenSignIn>> DirectorySignIn::foresee(std::string name,
                                                      const ProvidedPerson& person,
                                                      const SignInRules& rules) {
  CO_TRY(auto foreseen, co_await accounts_.foresee(person));
  const auto own =
      co_await catalog_.accounts().find(catalog::Turn::administration(), std::move(name));
  if (!own && own.error().code != ErrorCode::not_found) co_return failure_of(own);
  const bool is_known_here = foreseen.account && !foreseen.account->password_hash.empty();
  if (is_known_here || (own && !own->password_hash.empty())) {
    foreseen.refusal = "The account of this name has a password here: the directory is not asked.";
  }
  const auto role = foreseen.account ? foreseen.account->role : catalog::Role::user;
  const auto allowed = check_password_allowed(rules, role);
  if (!allowed && !foreseen.refusal) foreseen.refusal = allowed.error().message;
  co_return foreseen;
}

Task<Result<std::optional<std::string>>> DirectorySignIn::subject_of(AccountId account) {
  CO_TRY(const auto identities, co_await catalog_.identities().list(account));
  const auto own = std::ranges::find_if(identities, [&](const catalog::Identity& one) {
    return one.name.issuer == directory_.issuer();
  });
  if (own == identities.end()) co_return std::nullopt;
  co_return std::optional(own->name.subject);
}

Task<Result<bool>> DirectorySignIn::knows(AccountId account) {
  CO_TRY(const auto subject, co_await subject_of(account));
  co_return subject.has_value();
}

Task<Result<bool>> DirectorySignIn::is_password(AccountId account, std::string password) {
  CO_TRY(const auto subject, co_await subject_of(account));
  if (!subject) co_return false;
  if (breaker_.refusal()) co_return does_not_answer();
  auto is_right = co_await directory_.check_subject(*subject, std::move(password));
  if (!is_right) co_return does_not_answer(breaker_.note_failure(is_right.error()));
  breaker_.note_success();
  co_return is_right;
}

}  // namespace coffer::core
