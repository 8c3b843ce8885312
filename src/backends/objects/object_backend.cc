#include "backends/objects/object_backend.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "backends/objects/object_reader.h"
#include "backends/objects/object_writer.h"

namespace coffer::objects {
namespace {

std::unexpected<Error> fail_top_folder() {
  return fail(ErrorCode::forbidden, "The top folder itself cannot be changed.");
}

/// An index of the database has room for no longer names, nor have most disks.
Result<void> check_name(std::string_view name) {
  constexpr std::size_t kMostBytes = 255;
  if (name.size() <= kMostBytes) return {};
  return fail(ErrorCode::invalid, "The name is too long: it can have 255 bytes.");
}

/// Tells all steps of a copy that is complete; `failed` if it is cancelled meanwhile.
Result<void> tell(storage::CopyWatch& watch, const storage::TreeSize& size) {
  TRY_VOID(storage::go_on(watch));
  if (size.bytes > 0) {
    watch.wrote(size.bytes);
    TRY_VOID(storage::go_on(watch));
  }
  for (std::uint64_t items = size.files + size.folders; items > 0; --items) {
    watch.completed_item();
    TRY_VOID(storage::go_on(watch));
  }
  return {};
}

}  // namespace

Task<Result<storage::Entry>> ObjectBackend::stat(const Path& path) {
  const Path whole = base_ / path;
  CO_TRY(auto entry, co_await names_.stat(tree_, whole));
  entry.name = path.name();
  co_return entry;
}

Task<Result<storage::FolderListing>> ObjectBackend::read_folder(const Path& folder,
                                                                storage::ListingBound bound) {
  const Path whole = base_ / folder;
  storage::FolderListing listing;
  CO_TRY(listing.entries, co_await names_.list(tree_, whole, bound));
  co_return listing;
}

Task<Result<std::unique_ptr<storage::TreeSearch>>> ObjectBackend::search(const Path& folder,
                                                                         storage::TreeQuery query) {
  const Path whole = base_ / folder;
  co_return co_await names_.search(tree_, whole, std::move(query));
}

Task<std::unique_ptr<storage::FolderWatch>> ObjectBackend::watch(const Path& folder,
                                                                 storage::FolderListener listener) {
  co_return notices_->watch(base_ / folder, std::move(listener));
}

Task<Result<std::unique_ptr<storage::Reader>>> ObjectBackend::open(const Path& file) {
  const Path whole = base_ / file;
  CO_TRY(auto opened, co_await names_.open(tree_, whole));
  co_return ObjectReader::make(std::move(opened), blobs_);
}

Task<std::vector<std::unique_ptr<storage::Reader>>> ObjectBackend::open_together(
    const Path& folder, std::span<const storage::Entry> files, const storage::CopyWatch& watch) {
  std::vector<std::unique_ptr<storage::Reader>> readers(files.size());
  if (watch.was_cancelled()) co_return readers;
  std::vector<storage::ContentId> ids;
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].is_directory || files[i].size_bytes > ObjectWriter::kSmallBytes) continue;
    ids.push_back({static_cast<std::int64_t>(files[i].file_id)});
    numbers.emplace(files[i].name, i);
  }
  const Path whole = base_ / folder;
  auto opened = co_await names_.open_small(tree_, whole, ids);
  if (!opened) co_return readers;  // The caller opens each, and is told why that fails.
  for (auto& file : *opened) {
    const auto found = numbers.find(file.entry.name);
    if (found == numbers.end()) continue;
    if (version_of(file.entry) != version_of(files[found->second])) continue;
    auto reader = ObjectReader::make(std::move(file), blobs_);
    if (reader) readers[found->second] = *std::move(reader);
  }
  co_return readers;
}

std::unique_ptr<storage::Reader> ObjectBackend::open_now(const Path& /*file*/) {
  return nullptr;
}

std::optional<storage::Entry> ObjectBackend::stat_now(const Path& /*path*/) {
  return std::nullopt;
}

Task<Result<std::unique_ptr<storage::Writer>>> ObjectBackend::create(
    const Path& target, storage::WriteOptions options) {
  if (target.is_root()) co_return storage::name_taken();
  CO_TRY_VOID(check_name(target.name()));
  co_return std::make_unique<ObjectWriter>(names_, blobs_, tree_, base_ / target,
                                           std::move(options));
}

Task<Result<std::vector<storage::Published>>> ObjectBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  std::vector<storage::NewFile> files;
  for (const auto& writer : writers) {
    CO_TRY_VOID(co_await writer->finish());
    files.push_back(dynamic_cast<const ObjectWriter&>(*writer).file());
  }
  CO_TRY_VOID(co_await storage::ask(may_show));
  CO_TRY(auto published, co_await names_.publish(tree_, files, growth_limit_bytes));
  for (const auto& writer : writers) dynamic_cast<ObjectWriter&>(*writer).set_published();
  for (const storage::NewFile& file : files) notices_->tell(file.target);
  co_return published;
}

Task<Result<void>> ObjectBackend::make_folder(const Path& folder) {
  if (folder.is_root()) co_return storage::name_taken();
  for (const auto name : folder.components()) CO_TRY_VOID(check_name(name));
  const Path whole = base_ / folder;
  CO_TRY_VOID(co_await names_.make_folder(tree_, base_, whole));
  notices_->tell_made(whole);
  co_return Result<void>();
}

Task<Result<void>> ObjectBackend::set_times(const Path& folder, Timestamp created_at,
                                            Timestamp modified_at) {
  const Path whole = base_ / folder;
  if (whole.is_root()) co_return Result<void>();  // It has none.
  co_return co_await names_.set_times(tree_, whole, created_at, modified_at);
}

Task<Result<void>> ObjectBackend::rename(const Path& from, const Path& to,
                                         storage::MayShow may_show) {
  if (from.is_root() || to.is_root()) co_return fail_top_folder();
  CO_TRY_VOID(check_name(to.name()));
  CO_TRY_VOID(co_await storage::ask(may_show));
  const Path old_path = base_ / from;
  const Path new_path = base_ / to;
  CO_TRY_VOID(co_await names_.rename(tree_, old_path, new_path));
  notices_->tell(old_path);
  notices_->tell(new_path);
  co_return Result<void>();
}

Task<Result<storage::TreeSize>> ObjectBackend::copy(const Path& from, const Path& to,
                                                    const storage::CopyOptions& options) {
  if (to.is_root()) co_return storage::name_taken();
  CO_TRY_VOID(check_name(to.name()));
  CO_TRY_VOID(co_await storage::may_show(options));
  const Path source = base_ / from;
  const Path target = base_ / to;
  auto copied = co_await names_.copy(
      tree_, source, target, options.limit_bytes,
      [&options](const storage::TreeSize& size) { return tell(options.watch, size); });
  if (copied) notices_->tell(target);
  co_return copied;
}

Task<Result<storage::Removed>> ObjectBackend::remove(const Path& path) {
  if (path.is_root()) co_return fail_top_folder();
  const Path whole = base_ / path;
  CO_TRY(const storage::TreeSize removed, co_await names_.remove(tree_, whole));
  notices_->tell(whole);
  co_return removed;
}

Task<Result<storage::TreeSize>> ObjectBackend::measure(const Path& path) {
  const Path whole = base_ / path;
  co_return co_await names_.measure(tree_, whole);
}

Task<Result<Path>> ObjectBackend::canonical(const Path& path) {
  co_return path;
}

std::unique_ptr<storage::Backend> ObjectBackend::beneath(const Path& folder) {
  return std::unique_ptr<storage::Backend>(
      new ObjectBackend(names_, blobs_, tree_, base_ / folder, notices_));
}

}  // namespace coffer::objects
