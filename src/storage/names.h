#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "storage/backend.h"
#include "storage/entry.h"
#include "storage/tree_search.h"
#include "storage/versions.h"
#include "storage/writer.h"

namespace coffer::storage {

/// A tree of names, such as the own files of an account.
using NameTreeId = StrongId<struct NameTreeTag, std::int64_t>;
/// A content. Never given out again, and never the id of a folder.
using ContentId = StrongId<struct ContentTag, std::int64_t>;

/// A part of a content, stored as an object of its own.
struct Segment {
  std::string object;  ///< The object's name: 32 lower-case hexadecimal digits.
  std::uint64_t size_bytes = 0;
  std::array<std::byte, 32> sha256{};

  bool operator==(const Segment&) const = default;
};

/// The content of a file, which never changes. A small one is kept beside the names, in `bytes`.
/// Otherwise `bytes` is empty, and the content is that of the segments, in order.
struct StoredContent {
  ContentId id;
  std::uint64_t size_bytes = 0;
  std::string bytes = {};
  std::vector<Segment> segments = {};

  bool is_in_segments() const { return bytes.size() != size_bytes; }
};
using StoredContentPtr = std::shared_ptr<const StoredContent>;

/// A file with its content. Entry::file_id is the content's id.
struct NamedFile {
  Entry entry;
  StoredContentPtr content;
};

/// A content that is to get a name. It has an id of Names::draw_content, and objects of
/// Names::draw_object that no other content has.
///
/// If `upload` is set, the content is that of an upload whose bytes are all noted in
/// UploadSegments. It has either bytes, or no segments here: then the upload's segments become its
/// own. In the same step the upload's other segments become garbage, and it is noted at the upload
/// that it was published (see catalog::UploadRecord).
struct NewFile {
  Path target;
  WriteOptions options = {};
  Timestamp created_at{};
  Timestamp modified_at{};
  StoredContentPtr content;
  std::optional<UploadTurn> upload = {};
};

/// The versions of the files in the trees of Names: see Versions, whose calls these are for each
/// tree. Paths begin at the root of the tree. Safe from any thread. The arguments must outlive the
/// call.
class NameVersions {
 public:
  virtual ~NameVersions() = default;

  virtual bool are_kept() const = 0;
  virtual Task<Result<std::vector<PastVersion>>> list(NameTreeId tree, const Path& file) = 0;
  virtual Task<Result<VersionOfFile>> find(NameTreeId tree, VersionId id) = 0;
  /// Returns the version's content, with the entry of a file that has it.
  virtual Task<Result<NamedFile>> open(NameTreeId tree, VersionId id) = 0;
  virtual Task<Result<Restored>> restore(NameTreeId tree, const Path& file, VersionId id,
                                         const WriteOptions& options) = 0;
  virtual Task<Result<std::uint64_t>> remove(NameTreeId tree, const Path& file, VersionId id) = 0;
  virtual Task<Result<std::uint64_t>> total_bytes(NameTreeId tree) = 0;
  virtual Task<Result<std::uint64_t>> free_up(NameTreeId tree, std::uint64_t bytes) = 0;
  virtual Task<Result<Expired>> expire(NameTreeId tree, Timestamp before) = 0;
};

/// The names of files and folders whose contents lie elsewhere, and what becomes of the objects of
/// these contents. Paths begin at the root of a tree. Each call that changes names is a
/// transaction: it is done wholly or not at all, and durable when it returns.
///
/// Errors of all calls: those that storage::Backend names, and
/// - `not_found` if there is no such tree;
/// - `conflict` if other calls came in between too often;
/// - `unready` if the database does not answer, and nothing was changed;
/// - `in_doubt` if its answer was lost, so that it is not known whether something was changed;
/// - `failed` or `disk_full` if the database fails.
/// Safe from any thread. The arguments must outlive the call.
class Names {
 public:
  virtual ~Names() = default;

  virtual Task<Result<Entry>> stat(NameTreeId tree, const Path& path) = 0;
  /// Returns the items directly in the folder, unordered. `overloaded` if `bound` refuses.
  virtual Task<Result<std::vector<Entry>>> list(NameTreeId tree, const Path& folder,
                                                const ListingBound& bound) = 0;
  /// Returns a file and its content; `invalid` for a folder.
  virtual Task<Result<NamedFile>> open(NameTreeId tree, const Path& file) = 0;
  /// Returns those of the contents of files directly in the folder that are kept beside the names,
  /// in no order. Contents that have gone are left out.
  virtual Task<Result<std::vector<NamedFile>>> open_small(NameTreeId tree, const Path& folder,
                                                          std::span<const ContentId> contents) = 0;

  /// Begins a search below a folder, as Backend::search does.
  virtual Task<Result<std::unique_ptr<TreeSearch>>> search(NameTreeId tree, const Path& folder,
                                                           TreeQuery query) = 0;

  /// Checks whether a file may take the name now, as `publish` does.
  virtual Task<Result<void>> check(NameTreeId tree, const Path& target,
                                   const WriteOptions& options) = 0;
  /// Gives all files their names, or none, as Backend::publish does. Of files with the same target,
  /// each replaces the one before it. `conflict` if the segments of an upload are not those of its
  /// content, or if another request has taken the upload's turn.
  virtual Task<Result<std::vector<Published>>> publish(NameTreeId tree,
                                                       std::span<const NewFile> files,
                                                       std::uint64_t growth_limit_bytes) = 0;
  /// Returns the versions of the files; null if none are kept.
  virtual NameVersions* versions() { return nullptr; }
  /// Creates the folder and its missing parents below `top`. `exists` if any item has the name;
  /// `not_found` if `top` is missing. `folder` is within `top`.
  virtual Task<Result<void>> make_folder(NameTreeId tree, const Path& top, const Path& folder) = 0;
  /// Sets the times of a folder that is not the root.
  virtual Task<Result<void>> set_times(NameTreeId tree, const Path& folder, Timestamp created_at,
                                       Timestamp modified_at) = 0;
  /// Renames or moves an item, as Backend::rename does. Neither path is the root.
  virtual Task<Result<void>> rename(NameTreeId tree, const Path& from, const Path& to) = 0;
  /// Copies a file or a tree, as Backend::copy does. The copies share the contents. `over_quota` if
  /// the copy has more than `limit_bytes`. Calls `may_commit`, if it is set, with the size when the
  /// copy is complete and not visible yet, on any thread; if that fails, so does the copy.
  virtual Task<Result<TreeSize>> copy(NameTreeId tree, const Path& from, const Path& to,
                                      std::uint64_t limit_bytes,
                                      std::function<Result<void>(const TreeSize&)> may_commit) = 0;
  /// Removes a file, or a folder with all its content. The path is not the root.
  virtual Task<Result<TreeSize>> remove(NameTreeId tree, const Path& path) = 0;
  /// Returns the size of a file or a tree, as Backend::measure does.
  virtual Task<Result<TreeSize>> measure(NameTreeId tree, const Path& path) = 0;

  /// Returns the id for a new content.
  virtual Task<Result<ContentId>> draw_content() = 0;
  /// Returns the name for a new object. It is durably noted that the object may exist, before this
  /// returns: an object that no content gets until the end of this process's run is garbage.
  virtual Task<Result<std::string>> draw_object() = 0;
  /// Notes that the objects, of `draw_object`, are garbage since no content gets them. Does not
  /// block. May be lost if the process ends, whose objects are garbage then anyway.
  virtual void discard(std::vector<std::string> objects) = 0;

  /// Frees up to `most` of the names in removed folders. Returns true if there are more.
  virtual Task<Result<bool>> take_apart_removed(std::size_t most) = 0;
  /// Looks at up to `most` contents that have lost a name, and makes the objects of those that have
  /// no other name garbage; of contents with very many objects, some in each call. Returns true if
  /// there are more.
  virtual Task<Result<bool>> release_contents(std::size_t most) = 0;
  /// Returns up to `most` objects that have been garbage for longer than `grace`. They stay garbage
  /// until `forget`, and never become part of a content.
  virtual Task<Result<std::vector<std::string>>> garbage(std::chrono::seconds grace,
                                                         std::size_t most) = 0;
  /// Ends the record of objects of `garbage` that were removed from their store.
  virtual Task<Result<void>> forget(std::span<const std::string> objects) = 0;
  /// Puts objects of `garbage`, of the same `grace`, behind all others: `garbage` returns them
  /// again after an hour.
  virtual Task<Result<void>> put_back(std::span<const std::string> objects,
                                      std::chrono::seconds grace) = 0;
};

// What all Names have in common.

std::unexpected<Error> no_such_item();
std::unexpected<Error> not_a_folder();
std::unexpected<Error> name_taken();
std::unexpected<Error> within_itself();

/// Checks whether a new file may take a name. `folder` is the item that the name is to be in, and
/// `old` the item that has the name.
Result<void> check_target(const std::optional<Entry>& folder, const std::optional<Entry>& old,
                          const WriteOptions& options);

}  // namespace coffer::storage
