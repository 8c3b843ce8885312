#include "mounts/remote_access.h"

#include <boost/json.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "backends/oauth/code_exchange.h"
#include "backends/rclone/confinement/confined_engine.h"
#include "backends/rclone/engine/remote_control.h"
#include "base/disk.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/address_policy.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

rclone::RcloneOptions options_in(const fs::path& folder) {
  rclone::RcloneOptions options{.folder = folder};
  // The system's certificates are set in another way.
  if (const auto trusted = storage::trusted_certificates()) {
    options.environment.push_back("SSL_CERT_FILE=" + *trusted);
  }
  return options;
}

/// Each waits for one server; an SFTP connector has at most eight, an FTP one five.
constexpr std::size_t kRemoteThreads = 256;
/// The threads of one account: three of its servers that fall silent leave some to the others. It
/// takes eight such accounts to keep other accounts waiting.
constexpr std::size_t kRemoteThreadsOfOne = 32;
/// A provider's own dialogue may ask the provider.
constexpr auto kCallWithin = std::chrono::seconds(60);

}  // namespace

std::shared_ptr<storage::Backend> RemoteAccess::guarded(std::unique_ptr<storage::Backend> opened,
                                                        const catalog::Connector& connector) const {
  return std::make_shared<core::GuardedBackend>(std::move(opened), connector.name,
                                                core::lock_names_of(name_locks_, connector.id));
}

RcloneProcesses::RcloneProcesses(fs::path folder)
    : folder_(std::move(folder)),
      confined_([this](std::size_t number) { return make_confined(number); }),
      unlimited_([this](std::size_t number) {
        return std::make_unique<rclone::RcloneProcess>(
            options_in(folder_ / "engines" / std::to_string(number)));
      }) {}

std::unique_ptr<rclone::RcloneProcess> RcloneProcesses::make_confined(std::size_t number) {
  auto options = options_in(folder_ / "confined" / std::to_string(number));
  return std::make_unique<rclone::RcloneProcess>(
      rclone::confined_engine(std::move(options), *proxy_, upload_server_->port()));
}

/// With the mutex held.
Result<void> RcloneProcesses::prepare() {
  if (upload_server_) return {};
  for (const fs::path& folder : {folder_, folder_ / "spool"}) {
    TRY_VOID(make_folder(folder));
  }
  upload_server_ = std::make_unique<rclone::UploadServer>();
  return {};
}

Result<RcloneProcesses::Parts> RcloneProcesses::get(std::optional<AccountId> account,
                                                    const storage::MayConnect& may_connect) {
  const std::lock_guard lock(mutex_);
  TRY_VOID(prepare());
  if (may_connect && !proxy_) proxy_ = std::make_unique<rclone::Proxy>(may_connect);
  return Parts{(may_connect ? confined_ : unlimited_).of(account), *upload_server_,
               folder_ / "spool"};
}

void RcloneProcesses::end() {
  unlimited_.request_end();
  confined_.request_end();
  unlimited_.end();
  confined_.end();
}

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

Task<Result<EngineCall>> RemoteAccess::begin_calls(EngineUser user) {
  CO_TRY(const auto parts, processes(user.account, user.may_be_private));
  CO_TRY(const auto run, co_await parts.engine->running());
  co_return EngineCall(
      [engine = parts.engine, run](std::string_view method, boost::json::object parameters) {
        return rclone::call(*run, method, std::move(parameters), kCallWithin);
      });
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
