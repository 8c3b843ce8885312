#include "mounts/remote_access.h"

#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "backends/oauth/code_exchange.h"
#include "backends/rclone/engine/remote_control.h"
#include "mounts/address_policy.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

/// Each waits for one server; an SFTP connector has at most eight, an FTP one five.
constexpr std::size_t kRemoteThreads = 256;
/// Of one account, so that three of its servers that fall silent leave some to the others. It takes
/// eight such accounts to keep other accounts waiting.
constexpr std::size_t kRemoteThreadsOfOne = 32;
/// A provider's own dialogue may ask the provider.
constexpr auto kCallWithin = std::chrono::seconds(60);

}  // namespace

storage::MayConnect RemoteAccess::policy_for(bool may_be_private) const {
  return mounts::policy_for(may_be_private || private_connectors_);
}

Pool& RemoteAccess::pool(AccountId account) {
  const std::lock_guard lock(mutex_);
  if (!threads_) threads_.emplace(kRemoteThreads);
  auto& pool = pools_[account];
  if (!pool) pool = std::make_unique<Pool>(*threads_, kRemoteThreadsOfOne);
  return *pool;
}

SharedThreads::Load RemoteAccess::load() const {
  const std::lock_guard lock(mutex_);
  return threads_ ? threads_->load() : SharedThreads::Load{};
}

Task<Result<boost::json::object>> RemoteAccess::call_engine(bool may_be_private,
                                                            std::string_view method,
                                                            boost::json::object parameters) {
  const auto parts = processes(may_be_private);
  if (!parts) co_return failure_of(parts);
  const auto run = co_await parts->engine.running();
  if (!run) co_return failure_of(run);
  co_return co_await rclone::call(**run, method, std::move(parameters), kCallWithin);
}

Task<Result<std::string>> RemoteAccess::exchange(AccountId account, bool may_be_private,
                                                 core::CodeGrant grant) {
  oauth::CodeExchange exchange;
  exchange.token_url = std::move(grant.token_url);
  exchange.token_type = std::move(grant.token_type);
  exchange.code = std::move(grant.code);
  exchange.redirect = std::move(grant.redirect);
  exchange.client_id = std::move(grant.client_id);
  exchange.client_secret = std::move(grant.client_secret);
  exchange.verifier = std::move(grant.verifier);
  exchange.may_connect = policy_for(may_be_private);
  exchange.ca_file = storage::trusted_certificates().value_or("");
  exchange.deadlines.ending = ending();
  auto ask = [&] { return oauth::exchange_code(exchange); };
  co_return co_await pool(account).run(std::move(ask));
}

}  // namespace coffer::mounts
