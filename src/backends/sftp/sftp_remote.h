#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/sftp/connection.h"
#include "backends/sftp/failure.h"
#include "storage/backend.h"

namespace coffer::sftp {

/// One item of a listing.
struct Listed {
  std::string name;
  Attributes attributes;
};

struct ListedFolder {
  std::vector<Listed> items = {};  ///< Without `.`, `..` and malformed names.
  std::size_t left_out = 0;        ///< The number of malformed names.
};

/// Sends the requests of SFTP. All calls except `close_behind` wait for the reply. Paths are
/// absolute paths on the server, in UTF-8; a call with one that the server's character set cannot
/// express fails with `invalid`. Cheap to copy: copies share the connection.
class SftpRemote {
 public:
  explicit SftpRemote(std::shared_ptr<Connection> connection)
      : connection_(std::move(connection)) {}

  /// Return the attributes of items, without following symbolic links. Several paths are sent in
  /// one batch; the results have the order of the paths. All attributes have a type, for which some
  /// servers need further requests; behind a path that is no folder, it is not asked for. The
  /// results end with the failure of a path that cannot be expressed.
  std::vector<Result<Attributes>> lstat(const std::vector<std::string>& paths) const;
  Result<Attributes> lstat(const std::string& path) const;
  Result<std::string> readlink(const std::string& path) const;
  /// Lists a folder. All attributes have a type, as those of `lstat`. `refused` if it has too many
  /// items, `timed_out` if the server sends them too slowly. Fails as storage::listing_too_large if
  /// the bound refuses bytes, which it is asked for as they come; it may be null.
  Result<ListedFolder> list(const std::string& folder,
                            const storage::ListingBound& bound = {}) const;

  /// Opens a file for reading and returns its handle.
  Result<std::string> open_to_read(const std::string& file) const;
  /// Creates a file for writing and returns its handle. Fails if the name is taken.
  Result<std::string> open_new(const std::string& file) const;
  Result<Attributes> fstat(const std::string& handle) const;
  /// Returns the attributes of an open file, with its size. Asks by its path, which must not be a
  /// link, if the server does not tell them of open files. `refused` if it does not tell the size.
  Result<Attributes> stat_opened(const std::string& handle, const std::string& path) const;
  /// Sets the modification time of an open file. Fails only if the connection does: a time that the
  /// server or the protocol cannot keep is left out, and the content is kept all the same.
  Result<void> set_time_of(const std::string& handle, Timestamp time) const;
  /// Syncs a file to the server's disk. Succeeds without effect if the server cannot do that, or
  /// does not allow it.
  Result<void> fsync(const std::string& handle) const;
  Result<void> close(const std::string& handle) const;
  /// Closes a file at `path` that was written, and checks its size. `refused` if it has another.
  Result<void> close_written(const std::string& handle, const std::string& path,
                             std::uint64_t size_bytes) const;
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

  /// Returns the bytes of a path as the server knows it, for requests that others build.
  Result<std::string> wire(const std::string& path) const;
  Connection& connection() const { return *connection_; }
  const std::shared_ptr<Connection>& shared() const { return connection_; }

 private:
  /// What a listing has taken so far.
  struct ListingProgress {
    std::chrono::steady_clock::time_point begun_at = std::chrono::steady_clock::now();
    std::size_t bytes = 0;
    const storage::ListingBound* bound = nullptr;
  };
  /// An item whose type is to be found out, by its path as the server knows it.
  struct Untyped {
    std::string path;
    Attributes* attributes;
  };

  template <class Build>
  Result<Reply> ask(PacketType type, Build build) const;
  template <class Build>
  Result<void> command(PacketType type, Build build) const;
  Result<void> set_time_by(PacketType type, const std::string& item, Timestamp time) const;
  template <class Build>
  Result<std::string> handle_from(PacketType type, Build build) const;
  Result<bool> read_names(const Reply& reply, ListedFolder& into) const;
  Result<void> read_folder(const std::string& handle, ListedFolder& into,
                           ListingProgress& progress) const;
  Result<ListedFolder> list_untyped(const std::string& folder, ListingProgress& progress) const;
  Result<void> check_pace(const ListingProgress& progress) const;
  Result<void> find_types(std::span<const Untyped> items) const;
  Result<Attributes> typed(const std::string& path, Attributes attributes) const;
  Result<Attributes> settled(const std::string& path, const Result<Reply>& reply) const;

  std::shared_ptr<Connection> connection_;
};

/// Converts a status reply to success or its error; `unavailable` for a reply of another type.
Result<void> status_of(const Reply& reply);
/// Returns the error for a reply of an unexpected type. For a status reply this is the error of the
/// status, for other replies `unavailable`.
std::unexpected<Error> fail_by(const Reply& reply);

}  // namespace coffer::sftp
