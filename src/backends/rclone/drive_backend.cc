#include "backends/rclone/drive_backend.h"

#include <utility>

#include "backends/rclone/drive_adapter.h"
#include "backends/rclone/drive_reader.h"
#include "backends/rclone/drive_remote.h"
#include "backends/rclone/drive_writer.h"
#include "backends/rclone/metadata.h"
#include "backends/remote/adapter.h"

namespace coffer::rclone {
Result<std::unique_ptr<DriveBackend>> DriveBackend::open(DriveOptions options,
                                                         std::shared_ptr<RcloneProcess> engine,
                                                         UploadServer& upload_server, Pool& pool) {
  TRY_VOID(check(options.config));
  if (const auto root = Path::parse(options.root); !root) return failure_of(root);
  auto remote =
      std::make_shared<DriveRemote>(std::move(options), std::move(engine), upload_server, pool);
  return std::unique_ptr<DriveBackend>(new DriveBackend(std::move(remote), Path()));
}

DriveBackend::DriveBackend(std::shared_ptr<DriveRemote> remote, Path base)
    : remote_(std::move(remote)), base_(std::move(base)) {}

DriveBackend::~DriveBackend() = default;

std::unique_ptr<storage::Backend> DriveBackend::beneath(const Path& folder) {
  return std::unique_ptr<DriveBackend>(new DriveBackend(remote_, base_ / folder));
}

Task<Result<std::unique_ptr<storage::Reader>>> DriveBackend::open(const Path& file) {
  const Path whole = base_ / file;
  CO_TRY(const auto item, co_await metadata_of(*remote_, whole));
  if (item.is_folder) co_return remote::fail_no_file();
  if (!item.size_bytes) {
    co_return fail(ErrorCode::refused, "The drive has no content for this file, only a web page.");
  }
  auto entry = entry_of(item_of(item));
  entry.name = file.name();
  co_return std::make_unique<DriveReader>(remote_, whole, std::move(entry));
}

Task<std::vector<std::unique_ptr<storage::Reader>>> DriveBackend::open_together(
    const Path& folder, std::span<const storage::Entry> files, const storage::CopyWatch& watch) {
  const Path whole = base_ / folder;
  co_return co_await open_fetched(remote_, whole, files, watch);
}

Task<Result<std::unique_ptr<storage::Writer>>> DriveBackend::create(const Path& target,
                                                                    storage::WriteOptions options) {
  if (target.is_root()) co_return remote::fail_taken();
  const Path whole = base_ / target;
  if (!options.out_of_sight) {
    // rclone would make the folder.
    DriveAdapter adapter(remote_, base_);
    CO_TRY_VOID(co_await remote::need_folder(adapter, whole.parent().str()));
  }
  co_return std::make_unique<DriveWriter>(remote_, target, whole.str(), options);
}

Task<Result<storage::Removed>> DriveBackend::remove(const Path& path) {
  // If no item can be hidden in one step, one of several callers that remove it must win. Others
  // may still change it, and removals of other items do not wait.
  std::optional<remote::NameHolds::Hold> hold;
  if (!remote_->features().moves_folders) {
    std::vector<remote::ServerPath> places(1, (base_ / path).str());
    hold.emplace(co_await remote_->removals.enter(std::move(places)));
  }
  co_return co_await RemoteBackend::remove(path);
}

Task<std::unique_ptr<remote::Adapter>> DriveBackend::begin(remote::Use /*use*/) {
  co_return std::make_unique<DriveAdapter>(remote_, base_);
}

void DriveBackend::sweep_behind() {
  rclone::sweep_behind(remote_);
}

}  // namespace coffer::rclone
