#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/ftp/metadata.h"
#include "backends/ftp/server.h"
#include "backends/remote/adapter.h"

namespace coffer::ftp {

/// One operation on a server. Its calls block, on a thread of the pool, and use the connections
/// that it was given; one that breaks is made anew by the next call.
class FtpAdapter final : public remote::Adapter {
 public:
  /// Without a connection all calls fail as `leases` did.
  FtpAdapter(std::shared_ptr<Server> server, Path base, Result<std::vector<Lease>> leases)
      : Adapter(server->shared, std::move(base)),
        server_(std::move(server)),
        leases_(std::move(leases)) {}

  remote::Capabilities capabilities() const override;
  Result<void> go_on() const override { return storage::go_on(server_->options->deadlines); }
  bool is_unsure() const override { return !leases_ || !leases_->front()->connected(); }
  Task<void> carry_out(Task<void> steps) override;

  Task<Result<std::optional<FtpItem>>> find(const std::string& place, remote::Look look) override;
  Task<Result<std::vector<FtpItem>>> list(const std::string& folder) override;
  Task<Result<remote::ShownFolder>> list_shown(const Path& folder) override;
  Task<Result<void>> make_folder(const std::string& folder) override;
  Task<Result<void>> move(const std::string& from, const std::string& to, Kind kind) override;
  Task<Result<void>> remove_file(const std::string& file, Kind shown_as) override;
  Task<Result<void>> remove_folder(const std::string& folder) override;
  /// With two connections.
  Task<Result<std::uint64_t>> copy_file(const std::string& from, const std::string& to,
                                        const FtpItem& item, std::uint64_t limit_bytes,
                                        storage::CopyWatch& watch) override;
  /// A server that does not set a folder's time has a copy from today; nothing depends on it.
  Task<Result<void>> set_time(const std::string& place, Timestamp time) override;

 private:
  /// `work(Session)` when the connection is ready.
  template <class Fn>
  auto on_server(Fn work) -> std::invoke_result_t<Fn, Session>;
  Result<std::uint64_t> copy_now(Session from, const std::string& source, const std::string& target,
                                 const FtpItem& item, storage::CopyWatch& watch);

  const std::shared_ptr<Server> server_;
  Result<std::vector<Lease>> leases_;
};

/// Deletes what is left over, behind, when a connection is free.
void sweep_behind(std::shared_ptr<Server> server);

}  // namespace coffer::ftp
