#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/sftp/connection.h"
#include "backends/sftp/failure.h"

namespace coffer::sftp {

/// One item of a listing, as the server tells it.
struct Listed {
  std::string name;
  Attributes attributes;
};

/// The requests of SFTP one by one, each with its answer. Paths are the server's, whole. Calls
/// block. Cheap to copy.
class SftpRemote {
 public:
  explicit SftpRemote(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  /// Without following a link; for each path, asked in one go.
  std::vector<Result<Attributes>> lstat(const std::vector<std::string>& paths) const;
  Result<Attributes> lstat(const std::string& path) const;
  Result<std::string> readlink(const std::string& path) const;
  /// Without `.`, `..` and names with a slash; `refused` if the folder has too many items.
  Result<std::vector<Listed>> list(const std::string& folder) const;

  Result<std::string> open_to_read(const std::string& file) const;
  /// Fails if the name is taken.
  Result<std::string> open_new(const std::string& file) const;
  Result<Attributes> fstat(const std::string& handle) const;
  Result<void> fset(const std::string& handle, const Attributes& attributes) const;
  /// Where the server can; otherwise nothing.
  Result<void> fsync(const std::string& handle) const;
  Result<void> close(const std::string& handle) const;
  /// Closes without waiting for the answer.
  void close_behind(const std::string& handle) const;
  /// A piece of one open file to the same place in another, on the server; extension `copy-data`.
  Result<void> copy_data(const std::string& from, std::uint64_t offset, std::uint64_t count,
                         const std::string& to) const;

  Result<void> set(const std::string& path, const Attributes& attributes) const;
  Result<void> make_folder(const std::string& path) const;
  Result<void> remove_file(const std::string& path) const;
  Result<void> remove_folder(const std::string& path) const;
  /// Fails if `to` is taken.
  Result<void> rename(const std::string& from, const std::string& to) const;
  /// Takes the place of a file at `to`; extension `posix-rename@openssh.com`.
  Result<void> replace(const std::string& from, const std::string& to) const;
  /// Another name for a file; extension `hardlink@openssh.com`.
  Result<void> link(const std::string& from, const std::string& to) const;

  Connection& connection() const { return *connection_; }
  const std::shared_ptr<Connection>& shared() const { return connection_; }

 private:
  template <class Build>
  Result<Reply> ask(PacketType type, Build build) const;
  template <class Build>
  Result<void> command(PacketType type, Build build) const;
  template <class Build>
  Result<std::string> handle_from(PacketType type, Build build) const;
  Result<bool> read_names(const Reply& reply, std::vector<Listed>& into) const;
  Result<void> read_folder(const std::string& handle, std::vector<Listed>& into) const;

  std::shared_ptr<Connection> connection_;
};

/// What a reply of type status says; garbled if it is another.
Result<void> status_of(const Reply& reply);
/// `status_of` for a reply that should have been something else.
std::unexpected<Error> fail_by(const Reply& reply);

}  // namespace coffer::sftp
