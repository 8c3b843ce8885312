#include "backends/ftp/ftp_backend.h"

#include "backends/ftp/ftp_adapter.h"
#include "backends/ftp/ftp_reader.h"
#include "backends/ftp/ftp_writer.h"
#include "backends/ftp/metadata.h"

namespace coffer::ftp {
namespace {

/// A control byte would end the command or URL that holds it.
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
    return fail(ErrorCode::invalid, "The FTP server's host has an invalid character.");
  }
  if (has_control_byte(options.user) || has_control_byte(options.password)) {
    return fail(ErrorCode::invalid, "The login of the FTP server has a control character.");
  }
  if (const auto root = Path::parse(options.root); !root) return failure_of(root);
  return {};
}

}  // namespace

Result<std::unique_ptr<FtpBackend>> FtpBackend::open(FtpOptions options, Pool& pool) {
  TRY_VOID(check(options));
  auto server = std::make_shared<Server>(std::move(options), pool);
  return std::unique_ptr<FtpBackend>(new FtpBackend(std::move(server), Path(), false));
}

FtpBackend::FtpBackend(std::shared_ptr<Server> server, Path base, bool is_limited)
    : server_(std::move(server)), base_(std::move(base)), is_limited_(is_limited) {}

FtpBackend::~FtpBackend() = default;

std::unique_ptr<storage::Backend> FtpBackend::beneath(const Path& folder) {
  return std::unique_ptr<FtpBackend>(new FtpBackend(server_, base_ / folder, true));
}

Task<Result<std::unique_ptr<storage::Reader>>> FtpBackend::open(const Path& file) {
  const Use use{UseKind::lasting, is_limited_};
  CO_TRY(Lease lease, co_await server_->connections->acquire(use));
  const std::string path = (base_ / file).str();
  auto work = [&]() -> Result<FtpItem> {
    TRY_VOID(lease->ready());
    return stat_item(Session{*server_, *lease}, path);
  };
  CO_TRY(const FtpItem item, co_await server_->pool.run(std::move(work)));
  if (item.kind == Kind::folder) co_return remote::fail_no_file();
  auto entry = entry_of(item);
  entry.name = file.name();
  co_return std::make_unique<FtpReader>(server_, path, std::move(entry), std::move(lease), use);
}

Task<Result<std::unique_ptr<storage::Writer>>> FtpBackend::create(const Path& target,
                                                                  storage::WriteOptions options) {
  if (target.is_root()) co_return remote::fail_taken();
  const Path place = base_ / target;
  co_return std::make_unique<FtpWriter>(server_, target, place.str(), options,
                                        Use{UseKind::writing, is_limited_});
}

Task<std::unique_ptr<remote::Adapter>> FtpBackend::begin(remote::Use use) {
  const UseKind kind = use == remote::Use::brief ? UseKind::brief : UseKind::lasting;
  auto lease = co_await server_->connections->acquire({kind, is_limited_});
  co_return std::make_unique<FtpAdapter>(server_, base_, std::move(lease));
}

void FtpBackend::sweep_behind() {
  ftp::sweep_behind(server_);
}

}  // namespace coffer::ftp
