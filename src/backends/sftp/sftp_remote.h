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

/// One item of a listing, as the server reports it.
struct Listed {
  std::string name;
  Attributes attributes;
};

/// Sends the requests of SFTP. All calls except `close_behind` wait for the reply. Paths are
/// absolute paths on the server. Cheap to copy: copies share the connection.
class SftpRemote {
 public:
  explicit SftpRemote(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  /// Return the attributes of items, without following symbolic links. Several paths are sent in
  /// one batch; the results have the order of the paths.
  std::vector<Result<Attributes>> lstat(const std::vector<std::string>& paths) const;
  Result<Attributes> lstat(const std::string& path) const;
  Result<std::string> readlink(const std::string& path) const;
  /// Lists a folder without `.`, `..` and malformed names. `refused` if it has too many items,
  /// `timed_out` if the server sends them too slowly.
  Result<std::vector<Listed>> list(const std::string& folder) const;

  /// Opens a file for reading and returns its handle.
  Result<std::string> open_to_read(const std::string& file) const;
  /// Creates a file for writing and returns its handle. Fails if the name is taken.
  Result<std::string> open_new(const std::string& file) const;
  Result<Attributes> fstat(const std::string& handle) const;
  /// Sets the modification time of an open file. Fails only if the connection does: a time that the
  /// server or the protocol cannot keep is left out, and the content is kept all the same.
  Result<void> set_time_of(const std::string& handle, Timestamp time) const;
  /// Syncs a file to the server's disk. Succeeds without effect if the server cannot do that.
  Result<void> fsync(const std::string& handle) const;
  Result<void> close(const std::string& handle) const;
  /// Closes a handle without waiting for the reply.
  void close_behind(const std::string& handle) const;
  /// Copies `count` bytes on the server from one open file to the same offset in another open file.
  /// `from` and `to` are handles. Needs the extension `copy-data`.
  Result<void> copy_data(const std::string& from, std::uint64_t offset, std::uint64_t count,
                         const std::string& to) const;

  /// As `set_time_of`, for the item at a path.
  Result<void> set_time(const std::string& path, Timestamp time) const;
  Result<void> make_folder(const std::string& path) const;
  Result<void> remove_file(const std::string& path) const;
  Result<void> remove_folder(const std::string& path) const;
  /// Renames an item. Fails if the name `to` is taken.
  Result<void> rename(const std::string& from, const std::string& to) const;
  /// Renames a file, and replaces the file at `to`. Needs the extension `posix-rename@openssh.com`.
  Result<void> replace(const std::string& from, const std::string& to) const;
  /// Creates the hard link `to` to the file `from`. Needs the extension `hardlink@openssh.com`.
  Result<void> link(const std::string& from, const std::string& to) const;

  Connection& connection() const { return *connection_; }
  const std::shared_ptr<Connection>& shared() const { return connection_; }

 private:
  template <class Build>
  Result<Reply> ask(PacketType type, Build build) const;
  template <class Build>
  Result<void> command(PacketType type, Build build) const;
  Result<void> set_time_by(PacketType type, const std::string& item, Timestamp time) const;
  template <class Build>
  Result<std::string> handle_from(PacketType type, Build build) const;
  Result<bool> read_names(const Reply& reply, std::vector<Listed>& into) const;
  Result<void> read_folder(const std::string& handle, std::vector<Listed>& into) const;

  std::shared_ptr<Connection> connection_;
};

/// Converts a status reply to success or its error; `unavailable` for a reply of another type.
Result<void> status_of(const Reply& reply);
/// Returns the error for a reply of an unexpected type. For a status reply this is the error of the
/// status, for other replies `unavailable`.
std::unexpected<Error> fail_by(const Reply& reply);

}  // namespace coffer::sftp
