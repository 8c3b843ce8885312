#include "backends/rclone/drive_backend.h"

#include <algorithm>
#include <utility>

#include "backends/rclone/drive_reader.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/drive_writer.h"
#include "backends/rclone/fetched_files.h"
#include "backends/rclone/listing.h"
#include "backends/rclone/metadata.h"
#include "backends/rclone/publish.h"
#include "backends/rclone/tree_changes.h"

namespace coffer::rclone {
namespace {

Error own_root() {
  return {ErrorCode::forbidden, "The root itself cannot be changed."};
}

}  // namespace

Result<std::unique_ptr<DriveBackend>> DriveBackend::open(DriveOptions options,
                                                         RcloneProcess& engine,
                                                         UploadServer& upload_server, Pool& pool) {
  if (auto allowed = check(options.config); !allowed) return failure_of(std::move(allowed));
  if (const auto root = Path::parse(options.root); !root) return failure_of(root);
  auto remote = std::make_shared<DriveRemote>(std::move(options), engine, upload_server, pool);
  return std::unique_ptr<DriveBackend>(new DriveBackend(std::move(remote), Path()));
}

DriveBackend::DriveBackend(std::shared_ptr<DriveRemote> remote, Path base)
    : remote_(std::move(remote)), base_(std::move(base)) {}

DriveBackend::~DriveBackend() = default;

std::unique_ptr<storage::Backend> DriveBackend::beneath(const Path& folder) {
  return std::unique_ptr<DriveBackend>(new DriveBackend(remote_, base_ / folder));
}

Task<Result<storage::Entry>> DriveBackend::stat(const Path& path) {
  const Path whole = base_ / path;
  const auto item = co_await metadata_of(*remote_, whole);
  if (!item) co_return failure_of(item);
  auto entry = entry_of(*item);
  entry.name = path.name();
  co_return entry;
}

Task<Result<std::vector<storage::Entry>>> DriveBackend::list(const Path& folder) {
  const Path whole = base_ / folder;
  co_return co_await list_folder(*remote_, whole);
}

Task<Result<bool>> DriveBackend::lists_all(const Path& folder) {
  const Path whole = base_ / folder;
  const auto listing = co_await list_items(*remote_, whole);
  if (!listing) co_return failure_of(listing);
  // What has no size cannot be read.
  co_return listing->is_whole&& std::ranges::all_of(listing->items, [](const DriveItem& item) {
    return item.is_folder || item.size_bytes.has_value();
  });
}

Task<Result<std::unique_ptr<storage::Reader>>> DriveBackend::open(const Path& file) {
  const Path whole = base_ / file;
  const auto item = co_await metadata_of(*remote_, whole);
  if (!item) co_return failure_of(item);
  if (item->is_folder) co_return fail(ErrorCode::invalid, "This is a folder.");
  if (!item->size_bytes) {
    co_return fail(ErrorCode::refused,
                   "The drive has no content for this file, only a page of its own.");
  }
  auto entry = entry_of(*item);
  entry.name = file.name();
  co_return std::make_unique<DriveReader>(remote_, whole, std::move(entry));
}

Task<std::vector<std::unique_ptr<storage::Reader>>> DriveBackend::open_together(
    const Path& folder, std::span<const storage::Entry> files, const storage::CopyWatch& watch) {
  const Path whole = base_ / folder;
  co_return co_await open_fetched(remote_, whole, files, watch);
}

std::unique_ptr<storage::Reader> DriveBackend::open_now(const Path& /*file*/) {
  return nullptr;
}

std::optional<storage::Entry> DriveBackend::stat_now(const Path& /*path*/) {
  return std::nullopt;
}

Task<Result<std::unique_ptr<storage::Writer>>> DriveBackend::create(const Path& target,
                                                                    storage::WriteOptions options) {
  if (target.is_root()) co_return std::unexpected(name_taken());
  const Path whole = base_ / target;
  if (!options.out_of_sight) {
    // rclone would make the folder.
    auto checked = co_await need_folder(*remote_, whole.parent());
    if (!checked) co_return failure_of(std::move(checked));
  }
  co_return std::make_unique<DriveWriter>(remote_, whole, options);
}

Task<Result<std::vector<storage::Published>>> DriveBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes) {
  std::vector<DriveWriter*> own;
  for (const auto& writer : writers) {
    const auto finished = co_await writer->finish();
    if (!finished) co_return failure_of(finished);
    own.push_back(&dynamic_cast<DriveWriter&>(*writer));
  }
  co_return co_await publish_all(*remote_, own, growth_limit_bytes);
}

Task<Result<void>> DriveBackend::make_folder(const Path& folder) {
  if (folder.is_root()) co_return std::unexpected(name_taken());
  const Path whole = base_ / folder;
  co_return co_await make_folders(*remote_, whole);
}

Task<Result<void>> DriveBackend::rename(const Path& from, const Path& to) {
  if (from.is_root() || to.is_root()) co_return std::unexpected(own_root());
  const Path old_path = base_ / from;
  const Path new_path = base_ / to;
  co_return co_await rename_item(*remote_, old_path, new_path);
}

Task<Result<storage::TreeSize>> DriveBackend::copy(const Path& from, const Path& to,
                                                   const storage::CopyOptions& options) {
  const Path source = base_ / from;
  const Path target = base_ / to;
  co_return co_await copy_item(*remote_, source, target, options);
}

Task<Result<storage::Removed>> DriveBackend::remove(const Path& path) {
  if (path.is_root()) co_return std::unexpected(own_root());
  const Path whole = base_ / path;
  co_return co_await remove_item(*remote_, whole);
}

Task<Result<storage::TreeSize>> DriveBackend::measure(const Path& path) {
  const Path whole = base_ / path;
  co_return co_await measure_tree(*remote_, whole);
}

Task<Result<Path>> DriveBackend::canonical(const Path& path) {
  co_return path;
}

}  // namespace coffer::rclone
