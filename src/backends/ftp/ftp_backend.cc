#include "backends/ftp/ftp_backend.h"

#include "backends/ftp/ftp_adapter.h"
#include "backends/ftp/ftp_reader.h"
#include "backends/ftp/ftp_writer.h"
#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

/// What is sent in a command or a URL must not end it.
bool has_control_byte(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  }
  return false;
}

Result<void> check(const FtpOptions& options) {
  if (options.host.empty() || options.port == 0) {
    return fail(ErrorCode::invalid, "An FTP server needs a host and a port.");
  }
  if (options.host.find_first_of("/@?#%\\[] ") != std::string::npos ||
      has_control_byte(options.host)) {
    return fail(ErrorCode::invalid, "The FTP server's host has a character that no host has.");
  }
  if (has_control_byte(options.user) || has_control_byte(options.password)) {
    return fail(ErrorCode::invalid, "The login of the FTP server has a control character.");
  }
  if (const auto root = Path::parse(options.root); !root) return failure_of(root);
  return {};
}

}  // namespace

Result<std::unique_ptr<FtpBackend>> FtpBackend::open(FtpOptions options, Pool& pool) {
  if (auto sensible = check(options); !sensible) return failure_of(sensible);
  auto server = std::make_shared<Server>(std::move(options), pool);
  return std::unique_ptr<FtpBackend>(
      new FtpBackend(std::move(server), Path(), Use::brief, Use::lasting));
}

FtpBackend::FtpBackend(std::shared_ptr<Server> server, Path base, Use brief, Use lasting)
    : server_(std::move(server)), base_(std::move(base)), brief_(brief), lasting_(lasting) {}

FtpBackend::~FtpBackend() = default;

std::unique_ptr<storage::Backend> FtpBackend::beneath(const Path& folder) {
  return std::unique_ptr<FtpBackend>(
      new FtpBackend(server_, base_ / folder, Use::limited_brief, Use::limited_lasting));
}

Task<Result<std::unique_ptr<storage::Reader>>> FtpBackend::open(const Path& file) {
  auto leases = co_await server_->connections->acquire(1, lasting_);
  if (!leases) co_return failure_of(leases);
  Lease lease = std::move(leases->front());
  const std::string path = (base_ / file).str();
  auto work = [&]() -> Result<FtpItem> {
    if (auto ready = lease->ready(); !ready) return failure_of(ready);
    return stat_item(Session{*server_, *lease}, path);
  };
  const auto item = co_await server_->pool.run(std::move(work));
  if (!item) co_return failure_of(item);
  if (item->kind == Kind::folder) co_return remote::fail_no_file();
  auto entry = entry_of(*item);
  entry.name = file.name();
  co_return std::make_unique<FtpReader>(server_, path, std::move(entry), std::move(lease),
                                        lasting_);
}

Task<Result<std::unique_ptr<storage::Writer>>> FtpBackend::create(const Path& target,
                                                                  storage::WriteOptions options) {
  if (target.is_root()) co_return remote::fail_taken();
  const Path place = base_ / target;
  co_return std::make_unique<FtpWriter>(server_, target, place.str(), options, lasting_);
}

Task<std::unique_ptr<remote::Adapter>> FtpBackend::begin(remote::Use use) {
  const bool is_brief = use == remote::Use::brief || use == remote::Use::end_of_copy;
  auto leases = co_await server_->connections->acquire(use == remote::Use::copying ? 2 : 1,
                                                       is_brief ? brief_ : lasting_);
  // Behind those that came first, as the copy itself.
  if (!leases && use == remote::Use::end_of_copy) {
    leases = co_await server_->connections->acquire(1, lasting_);
  }
  co_return std::make_unique<FtpAdapter>(server_, base_, std::move(leases));
}

void FtpBackend::sweep_behind() {
  ftp::sweep_behind(server_);
}

}  // namespace coffer::ftp
