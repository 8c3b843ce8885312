#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "storage/names.h"
#include "storage/upload_segments.h"

namespace coffer::objects {

/// Names in memory, for tests. All trees exist, and each call is one step under a mutex. What is
/// removed is garbage at once, whatever the grace. Uploads exist when their turn is taken, or when
/// they have segments.
class MemoryNames final : public storage::Names, public storage::UploadSegments {
 public:
  Task<Result<storage::Entry>> stat(storage::NameTreeId tree, const Path& path) override;
  Task<Result<std::vector<storage::Entry>>> list(storage::NameTreeId tree, const Path& folder,
                                                 const storage::ListingBound& bound) override;
  Task<Result<storage::NamedFile>> open(storage::NameTreeId tree, const Path& file) override;
  Task<Result<std::vector<storage::NamedFile>>> open_small(
      storage::NameTreeId tree, const Path& folder,
      std::span<const storage::ContentId> contents) override;
  /// Listing is always as good.
  Task<Result<std::unique_ptr<storage::TreeSearch>>> search(storage::NameTreeId /*tree*/,
                                                            const Path& /*folder*/,
                                                            storage::TreeQuery /*query*/) override {
    co_return nullptr;
  }
  Task<Result<void>> check(storage::NameTreeId tree, const Path& target,
                           const storage::WriteOptions& options) override;
  Task<Result<std::vector<storage::Published>>> publish(storage::NameTreeId tree,
                                                        std::span<const storage::NewFile> files,
                                                        std::uint64_t growth_limit_bytes) override;
  Task<Result<void>> make_folder(storage::NameTreeId tree, const Path& top,
                                 const Path& folder) override;
  Task<Result<void>> set_times(storage::NameTreeId tree, const Path& folder, Timestamp created_at,
                               Timestamp modified_at) override;
  Task<Result<void>> rename(storage::NameTreeId tree, const Path& from, const Path& to) override;
  Task<Result<storage::TreeSize>> copy(
      storage::NameTreeId tree, const Path& from, const Path& to, std::uint64_t limit_bytes,
      std::function<Result<void>(const storage::TreeSize&)> may_commit) override;
  Task<Result<storage::TreeSize>> remove(storage::NameTreeId tree, const Path& path) override;
  Task<Result<storage::TreeSize>> measure(storage::NameTreeId tree, const Path& path) override;
  Task<Result<storage::ContentId>> draw_content() override;
  Task<Result<std::string>> draw_object() override;
  void discard(std::vector<std::string> objects) override;
  Task<Result<bool>> take_apart_removed(std::size_t most) override;
  Task<Result<bool>> release_contents(std::size_t most) override;
  Task<Result<std::vector<std::string>>> garbage(std::chrono::seconds grace,
                                                 std::size_t most) override;
  Task<Result<void>> forget(std::span<const std::string> objects) override;
  /// Then `garbage` returns them no more.
  Task<Result<void>> put_back(std::span<const std::string> objects,
                              std::chrono::seconds grace) override;

  Task<Result<std::vector<storage::UploadSegment>>> find(UploadId upload, std::uint64_t offset,
                                                         std::size_t most) override;
  Task<Result<void>> replace(storage::UploadTurn turn,
                             std::vector<storage::UploadSegment> segments) override;
  Task<Result<void>> remove(UploadId upload) override;
  Task<Result<std::vector<UploadId>>> uploads() override;

  /// Takes a turn of an upload, as catalog::Uploads does.
  storage::UploadTurn take_turn(const UploadId& upload);
  /// Returns the content that was published of the upload's segments; 0 if none was.
  storage::ContentId content_of(const UploadId& upload) const;
  /// The next `replace` fails as `failed`, and has taken effect or not.
  void fail_replace(bool has_effect) { failing_replace_ = has_effect; }
  /// Calls of `take_apart_removed` and `release_contents` fail from now on.
  void fail_releases() { fails_releases_ = true; }
  /// The process ends: objects that are part of nothing become garbage.
  void end_run();

 private:
  struct Node {
    storage::Entry entry;               ///< Without its name.
    storage::StoredContentPtr content;  ///< Of a file.
  };
  using Key = std::pair<storage::NameTreeId, Path>;
  using Nodes = std::map<Key, Node>;

  std::optional<Node> find(storage::NameTreeId tree, const Path& path) const;
  std::optional<storage::Entry> entry(storage::NameTreeId tree, const Path& path) const;
  std::optional<storage::Entry> folder_of(storage::NameTreeId tree, const Path& target) const;
  storage::TreeSize size_of(storage::NameTreeId tree, const Path& top, bool with_hidden) const;
  Result<std::vector<storage::Published>> publish_each(storage::NameTreeId tree,
                                                       std::span<const storage::NewFile> files,
                                                       std::uint64_t growth_limit_bytes);
  Result<void> take_segments(const storage::NewFile& file, storage::StoredContentPtr& content);
  void replace_here(const UploadId& upload, std::vector<storage::UploadSegment> segments);
  void add_folder(storage::NameTreeId tree, const Path& path);
  bool is_used(const std::string& object) const;

  mutable std::mutex mutex_;
  Nodes nodes_;  ///< Without roots.
  std::int64_t last_id_ = 0;
  std::set<std::string> objects_;  ///< Those that were drawn and not forgotten.
  std::set<std::string> unshown_;  ///< Those of them that no content or upload has got.
  std::set<std::string> put_back_;
  using Segments = std::map<std::uint64_t, storage::UploadSegment>;
  std::map<UploadId, Segments> segments_;
  std::map<UploadId, std::int64_t> turns_;
  std::map<UploadId, storage::ContentId> contents_;  ///< What was published of uploads.
  std::optional<bool> failing_replace_;
  std::atomic<bool> fails_releases_ = false;
};

}  // namespace coffer::objects
