#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "backends/ftp/metadata.h"
#include "backends/ftp/server.h"
#include "backends/remote/adapter.h"

namespace coffer::ftp {

/// Sends the FTP commands of one operation over one connection. Calls block, so `carry_out` runs
/// them on a thread of the pool. If the connection has broken, the next call connects again.
class FtpAdapter final : public remote::Adapter {
 public:
  /// If `lease` is an error, all calls fail with this error.
  FtpAdapter(std::shared_ptr<Server> server, Path base, Result<Lease> lease)
      : Adapter(server->shared, std::move(base)),
        server_(std::move(server)),
        lease_(std::move(lease)) {}

  remote::Capabilities capabilities() const override;
  Result<void> go_on() const override { return storage::go_on(server_->options->deadlines); }
  bool is_unsure() const override { return !lease_ || !(*lease_)->connected(); }
  Task<void> carry_out(Task<void> steps) override;

  Task<Result<std::optional<FtpItem>>> find(const std::string& place, remote::Look look) override;
  Task<Result<std::vector<FtpItem>>> list(const std::string& folder) override;
  Task<Result<storage::FolderListing>> list_shown(const Path& folder) override;
  Task<Result<void>> make_folder(const std::string& folder) override;
  Task<Result<void>> move(const std::string& from, const std::string& to, Kind kind) override;
  Task<Result<void>> remove_file(const std::string& file, Kind shown_as) override;
  Task<Result<void>> remove_folder(const std::string& folder) override;

 private:
  /// Connects if necessary, calls `work` with a Session, and returns its result.
  template <class Fn>
  auto on_server(Fn work) -> std::invoke_result_t<Fn, Session>;

  const std::shared_ptr<Server> server_;
  Result<Lease> lease_;
};

/// Starts a sweep, which deletes the server's remote::Leftovers in the background once a connection
/// is free. Does nothing if there are no leftovers, or if another sweep is about to start.
void sweep_behind(std::shared_ptr<Server> server);

}  // namespace coffer::ftp
