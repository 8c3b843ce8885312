#include "conformance/sftp_fixture.h"

namespace coffer::conformance {
namespace {

class SftpSubject final : public Subject {
 public:
  explicit SftpSubject(const servers::SshServer& server) : scratch_(server) {
    auto options = options_for(server);
    options.root = scratch_.path();
    backend_ = sftp::SftpBackend::open(options, pool_).value();
  }
  storage::Backend& backend() override { return *backend_; }

 private:
  const Scratch scratch_;
  Pool pool_{4};
  std::unique_ptr<sftp::SftpBackend> backend_;
};

Kind sftp_kind(std::string name, servers::SshServer& (*server)()) {
  return {.name = std::move(name),
          .make = [server] { return std::make_unique<SftpSubject>(server()); },
          .keeps_modified_at = true,
          .stages_in_sight = true,
          .keeps_open_content = true};
}

const auto kKinds = testing::Values(sftp_kind("OpenSsh", ssh_server),
                                    sftp_kind("WithoutExtensions", bare_ssh_server));

INSTANTIATE_TEST_SUITE_P(Sftp, BackendConformance, kKinds, name_of);
INSTANTIATE_TEST_SUITE_P(Sftp, CopyConformance, kKinds, name_of);

}  // namespace
}  // namespace coffer::conformance
