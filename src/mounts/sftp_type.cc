#include <utility>

#include "backends/sftp/sftp_backend.h"
#include "mounts/connector_types.h"
#include "mounts/server_type.h"

namespace coffer::mounts {
namespace {

using core::ConnectorPatch;
using core::ConnectorSettings;

bool is_fingerprint(std::string_view text) {
  constexpr std::string_view kPrefix = "SHA256:";
  constexpr std::size_t kBase64Length = 43;
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kBase64Length;
}

class SftpType final : public ServerType {
 public:
  using ServerType::ServerType;

  bool has_host_key() const override { return true; }

  /// `invalid` without a host key. Another server has another one.
  Task<Result<void>> settle(AccountId account, const ConnectorSettings* before,
                            ConnectorSettings& settings, const ConnectorPatch& patch) override {
    const bool is_another = before != nullptr && is_another_server(*before, settings);
    if (is_another && !patch.host_key) settings.host_key.clear();
    if (patch.trusts_first_key) {
      auto key = co_await host_key(account, settings);
      if (!key) co_return failure_of(std::move(key));
      settings.host_key = *std::move(key);
    }
    if (!settings.host_key.empty()) co_return Result<void>{};
    co_return fail(ErrorCode::invalid,
                   "An SFTP server needs its host key, or the wish to trust the one it shows now.");
  }

  Task<Result<std::string>> host_key(AccountId account,
                                     const ConnectorSettings& settings) override {
    storage::Deadlines deadlines;
    deadlines.ending = access().ending();
    const storage::MayConnect may_connect = access().policy_for(settings.may_be_private);
    auto ask = [&] {
      return sftp::host_key_of(settings.host, settings.port, deadlines, may_connect);
    };
    co_return co_await access().pool(account).run(std::move(ask));
  }

 private:
  std::uint16_t default_port(core::TlsMode) const override { return 22; }
  std::string_view scheme_of(const ConnectorSettings&) const override { return "sftp"; }
  Result<void> check_own(const ConnectorSettings& settings) const override {
    if (settings.tls != core::TlsMode::none) {
      return fail(ErrorCode::invalid, "TLS is for FTP; SFTP is encrypted by itself.");
    }
    if (settings.host_key.empty() || is_fingerprint(settings.host_key)) return {};
    return fail(ErrorCode::invalid,
                "A host key is SHA256: and 43 characters, as ssh-keygen -l prints it.");
  }
  Opened open_server(const ConnectorSettings& settings, const ServerSecret& secret,
                     Pool& pool) override {
    auto options = options_for<sftp::SftpOptions>(settings);
    options.host_key = settings.host_key;
    if (settings.credential == core::Credential::private_key) {
      options.credential.private_key = secret.secret;
      options.credential.passphrase = secret.passphrase;
    } else {
      options.credential.password = secret.secret;
    }
    return sftp::SftpBackend::open(std::move(options), pool);
  }
};

}  // namespace

std::unique_ptr<core::ConnectorType> sftp_type(const TypeParts& parts) {
  return std::make_unique<SftpType>(catalog::ConnectorKind::sftp, parts.access);
}

}  // namespace coffer::mounts
