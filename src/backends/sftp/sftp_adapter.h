#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/remote/adapter.h"
#include "backends/sftp/lookup.h"
#include "backends/sftp/server.h"

namespace coffer::sftp {

/// Sends the SFTP requests of one operation, such as a move. Calls block, so `carry_out` runs the
/// operation on a thread of the pool. All calls use one connection; if it breaks, the next calls
/// use another one. A call that changes nothing is repeated over the new connection.
class SftpAdapter final : public remote::Adapter {
 public:
  /// `lookup` must outlive the adapter.
  SftpAdapter(std::shared_ptr<Server> server, const Lookup& lookup,
              std::shared_ptr<Connection> connection = nullptr)
      : Adapter(server->shared()),
        server_(std::move(server)),
        lookup_(lookup),
        connection_(std::move(connection)) {}

  remote::Capabilities capabilities() const override;
  Result<void> go_on() const override { return storage::go_on(server_->deadlines()); }
  bool is_unsure() const override { return !connection_ || !connection_->is_alive(); }
  Task<void> carry_out(Task<void> steps) override;

  Task<Result<std::string>> place_of(const Path& path) override;
  Task<Result<remote::Found>> find_item(const Path& path, remote::Look look) override;
  Task<Result<std::optional<remote::Item>>> find(const std::string& place,
                                                 remote::Look look) override;
  Task<Result<std::vector<remote::Item>>> list(const std::string& folder) override;
  Task<Result<storage::FolderListing>> list_shown(const Path& folder) override;
  Task<Result<void>> make_folder(const std::string& folder) override;
  Task<Result<void>> move(const std::string& from, const std::string& to,
                          remote::Kind kind) override;
  Task<Result<void>> replace(const std::string& from, const std::string& to,
                             const remote::Item* old) override;
  Task<Result<void>> link(const std::string& from, const std::string& to) override;
  Task<Result<void>> remove_file(const std::string& file, remote::Kind shown_as) override;
  Task<Result<void>> remove_folder(const std::string& folder) override;
  /// Removes the items. If the server refuses one, reads the tree again and tries once more.
  Task<Result<void>> remove_tree(const std::string& top,
                                 const std::vector<remote::TreeItem>& items) override;
  Task<Result<std::uint64_t>> copy_file(const std::string& from, const std::string& to,
                                        const remote::Item& item, std::uint64_t limit_bytes,
                                        storage::CopyWatch& watch) override;
  Task<Result<void>> set_time(const std::string& folder, Timestamp time) override;

 private:
  /// Calls `work(SftpRemote)`, which must change nothing, and returns its result. If the connection
  /// breaks, calls `work` again over another one.
  template <class Fn>
  auto look(Fn work) -> std::invoke_result_t<Fn, const SftpRemote&>;
  /// Calls `work(SftpRemote)` only once, because it may change something. Returns its result.
  template <class Fn>
  auto change(Fn work) -> std::invoke_result_t<Fn, const SftpRemote&>;
  Task<Result<void>> remove_now(const std::string& top);
  Result<void> remove_items(const std::string& top, const std::vector<remote::TreeItem>& items);

  const std::shared_ptr<Server> server_;
  const Lookup& lookup_;
  std::shared_ptr<Connection> connection_;
  bool has_broken_ = false;  ///< True after a connection broke: `look` then makes more attempts.
};

/// Starts a sweep in the background, which deletes the leftovers (see remote::Leftovers). Does
/// nothing if there are none, or if another sweep is about to start.
void sweep_behind(const std::shared_ptr<Server>& server);

remote::Item item_of(std::string name, const Attributes& attributes);

}  // namespace coffer::sftp
