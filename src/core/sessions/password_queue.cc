#include "core/sessions/password_queue.h"

#include <fmt/format.h>

#include "base/client_network.h"
#include "core/sessions/password.h"

namespace coffer::core {
namespace {

std::unexpected<Error> holder_is_full() {
  return std::unexpected(
      Error{ErrorCode::rate_limited,
            "Too many passwords are being looked at for you. Try again in a moment.",
            std::chrono::seconds(1)});
}

}  // namespace

PasswordAsker PasswordAsker::of(const Principal& principal) {
  return principal.is_command ? command() : of(principal.account->id);
}

PasswordAsker PasswordAsker::of(AccountId account) {
  return {fmt::format("account {}", account.value), true};
}

PasswordAsker PasswordAsker::command() {
  return {"command", true};
}

PasswordAsker PasswordAsker::at(std::string_view address) {
  return {"address " + network_of(std::string(address)), false};
}

Result<void> NewPassword::check() const {
  return check_password(text);
}

Task<Result<std::string>> PasswordQueue::Place::hash(std::string password) {
  co_return co_await run([&password] { return hash_password(password); });
}

Task<bool> PasswordQueue::Place::matches(std::string password, std::string hash) {
  co_return co_await run([&] { return is_password(password, hash); });
}

Result<PasswordQueue::Place> PasswordQueue::enter(const PasswordAsker& asker) {
  const std::lock_guard lock(mutex_);
  Kind& kind = asker.is_known ? known_ : strangers_;
  if (kind.places >= kMostOfKind) {
    return fail(ErrorCode::overloaded, "Too many people are signing in. Try again soon.");
  }
  const auto place = kind.holders.try_emplace(asker.holder).first;
  auto& holder = place->second;
  if (!holder) holder = std::make_unique<Holder>(kind.threads);
  if (holder->places >= kMostOfHolder) return holder_is_full();
  ++holder->places;
  ++kind.places;
  return Place(*this, kind, place);
}

void PasswordQueue::leave(Kind& kind, Holders::iterator holder) {
  const std::lock_guard lock(mutex_);
  --kind.places;
  if (--holder->second->places == 0) kind.holders.erase(holder);
}

}  // namespace coffer::core
