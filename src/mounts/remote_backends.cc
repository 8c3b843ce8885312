#include "backends/ftp/ftp_backend.h"
#include "backends/oauth/code_exchange.h"
#include "backends/sftp/sftp_backend.h"
#include "base/environment.h"
#include "core/connectors/guarded_backend.h"
#include "mounts/address_policy.h"
#include "mounts/mount_backends.h"

namespace coffer::mounts {
namespace {

/// Each waits for one server; an SFTP connector has at most eight, an FTP one four.
constexpr std::size_t kRemoteThreads = 64;
/// Of one account, however many of its servers do not answer.
constexpr std::size_t kRemoteThreadsOfOne = 32;

ftp::Tls tls_of(core::TlsMode mode) {
  if (mode == core::TlsMode::explicit_) return ftp::Tls::explicit_tls;
  return mode == core::TlsMode::implicit ? ftp::Tls::implicit_tls : ftp::Tls::none;
}

template <class Opened>
Result<std::shared_ptr<storage::Backend>> guarded(Opened opened, const std::string& name) {
  if (!opened) return failure_of(std::move(opened));
  return std::make_shared<core::GuardedBackend>(*std::move(opened), name);
}

}  // namespace

/// Connectors that users make lead to public addresses only, unless the settings allow others.
storage::MayConnect MountBackends::policy_for(bool may_be_private) const {
  return mounts::policy_for(may_be_private || private_connectors_);
}

Pool& MountBackends::remote_pool(AccountId account) {
  const std::lock_guard lock(remote_mutex_);
  if (!remote_threads_) remote_threads_.emplace(kRemoteThreads);
  auto& pool = remote_pools_[account];
  if (!pool) pool = std::make_unique<Pool>(*remote_threads_, kRemoteThreadsOfOne);
  return *pool;
}

template <class Options>
Options MountBackends::options_for(const core::ConnectorSettings& settings) const {
  Options options;
  options.host = settings.host;
  options.port = settings.port;
  options.user = settings.user;
  options.root = settings.root;
  options.may_connect = policy_for(settings.may_be_private);
  options.deadlines.ending = ending_.get_token();
  return options;
}

MountBackends::Made MountBackends::make_ftp(const core::ConnectorSettings& settings,
                                            const core::ConnectorSecret& secret,
                                            const catalog::Connector& connector) {
  auto options = options_for<ftp::FtpOptions>(settings);
  options.password = secret.secret;
  options.tls = tls_of(settings.tls);
  options.ca_file = trusted_certificates().value_or("");  // What libcurl trusts is fixed otherwise.
  Pool& pool = remote_pool(connector.account);
  return guarded(ftp::FtpBackend::open(std::move(options), pool), connector.name);
}

MountBackends::Made MountBackends::make_sftp(const core::ConnectorSettings& settings,
                                             const core::ConnectorSecret& secret,
                                             const catalog::Connector& connector) {
  auto options = options_for<sftp::SftpOptions>(settings);
  options.host_key = settings.host_key;
  if (settings.credential == core::Credential::private_key) {
    options.credential.private_key = secret.secret;
    options.credential.passphrase = secret.passphrase;
  } else {
    options.credential.password = secret.secret;
  }
  Pool& pool = remote_pool(connector.account);
  return guarded(sftp::SftpBackend::open(std::move(options), pool), connector.name);
}

core::ServerHealth MountBackends::health_of(const ConnectorId& connector) {
  std::shared_ptr<storage::Backend> backend;
  {
    const std::lock_guard lock(mutex_);
    const auto kept = kept_.find(connector.value);
    if (kept != kept_.end()) backend = kept->second.backend;
  }
  const auto* const guarded = dynamic_cast<const core::GuardedBackend*>(backend.get());
  return guarded == nullptr ? core::ServerHealth() : guarded->health();
}

Task<Result<std::string>> MountBackends::exchange(AccountId account, bool may_be_private,
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
  exchange.ca_file = trusted_certificates().value_or("");
  exchange.deadlines.ending = ending_.get_token();
  auto ask = [&] { return oauth::exchange_code(exchange); };
  co_return co_await remote_pool(account).run(std::move(ask));
}

Task<Result<std::string>> MountBackends::host_key(const core::ConnectorSettings& settings) {
  const storage::Deadlines deadlines;
  const storage::MayConnect may_connect = policy_for(settings.may_be_private);
  auto ask = [&] {
    return sftp::host_key_of(settings.host, settings.port, deadlines, may_connect);
  };
  co_return co_await remote_pool(AccountId()).run(std::move(ask));
}

}  // namespace coffer::mounts
