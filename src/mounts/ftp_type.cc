#include <utility>

#include "backends/ftp/ftp_backend.h"
#include "mounts/connector_types.h"
#include "mounts/server_type.h"
#include "storage/remote.h"

namespace coffer::mounts {
namespace {

using core::ConnectorSettings;
using core::TlsMode;

ftp::Tls tls_of(TlsMode mode) {
  if (mode == TlsMode::explicit_) return ftp::Tls::explicit_tls;
  return mode == TlsMode::implicit ? ftp::Tls::implicit_tls : ftp::Tls::none;
}

class FtpType final : public ServerType {
 public:
  using ServerType::ServerType;

 private:
  std::uint16_t default_port(TlsMode tls) const override {
    return tls == TlsMode::implicit ? 990 : 21;
  }
  std::string_view scheme_of(const ConnectorSettings& settings) const override {
    return settings.tls == TlsMode::implicit ? "ftps" : "ftp";
  }
  Result<void> check_own(const ConnectorSettings& settings) const override {
    if (settings.credential == core::Credential::private_key) {
      return fail(ErrorCode::invalid, "A private key is for SFTP.");
    }
    if (settings.host_key.empty()) return {};
    return fail(ErrorCode::invalid, "A host key is for SFTP.");
  }
  Opened open_server(const ConnectorSettings& settings, const ServerSecret& secret,
                     Pool& pool) override {
    auto options = options_for<ftp::FtpOptions>(settings);
    options.password = secret.secret;
    options.tls = tls_of(settings.tls);
    // What libcurl trusts is fixed otherwise.
    options.ca_file = storage::trusted_certificates().value_or("");
    return ftp::FtpBackend::open(std::move(options), pool);
  }
};

}  // namespace

std::unique_ptr<core::ConnectorType> ftp_type(const TypeParts& parts) {
  return std::make_unique<FtpType>(catalog::ConnectorKind::ftp, parts.access);
}

}  // namespace coffer::mounts
