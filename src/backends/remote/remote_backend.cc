#include "backends/remote/remote_backend.h"

#include <algorithm>

#include "backends/remote/publish.h"
#include "backends/remote/removal.h"
#include "backends/remote/tree_changes.h"
#include "backends/remote/walk.h"

namespace coffer::remote {
namespace {

template <class T>
Task<void> keep(Task<Result<T>> work, std::optional<Result<T>>& result) {
  result = co_await std::move(work);
}

Task<Result<storage::Entry>> stat_item(Adapter& adapter, const Path& path) {
  CO_TRY(const auto found, co_await adapter.find_item(path, Look::whole));
  auto entry = entry_of(found.item);
  entry.name = path.name();
  co_return entry;
}

/// What the server sends is counted as it comes, and what is made of it takes about as much: what
/// it takes beyond that is asked for at the end.
Task<Result<storage::FolderListing>> list_folder(Adapter& adapter, const Path& folder,
                                                 const storage::ListingBound& bound) {
  if (!bound) co_return co_await adapter.list_shown(folder);
  std::size_t received = 0;
  adapter.set_listing_bound([&](std::size_t more) {
    received += more;
    return bound(more);
  });
  CO_TRY(auto shown, co_await adapter.list_shown(folder));
  std::size_t bytes = 0;
  for (const storage::Entry& entry : shown.entries) bytes += memory_of(entry);
  if (bytes > received && !bound(bytes - received)) co_return storage::listing_too_large();
  co_return shown;
}

Task<Result<storage::TreeSize>> measure_item(Adapter& adapter, const Path& path) {
  CO_TRY(const auto found, co_await adapter.find_item(path, Look::shown));
  co_return co_await remote::measure(adapter, found);
}

}  // namespace

/// The arguments live in the caller.
template <class T, class... Parameters, class... Arguments>
Task<Result<T>> RemoteBackend::with(Use use, Task<Result<T>> (*work)(Adapter&, Parameters...),
                                    const Arguments&... arguments) {
  std::optional<Result<T>> result;
  {
    const auto adapter = co_await begin(use);
    co_await adapter->carry_out(keep(work(*adapter, arguments...), result));
  }
  sweep_behind();
  co_return *std::move(result);
}

Task<Result<storage::Entry>> RemoteBackend::stat(const Path& path) {
  co_return co_await with(Use::brief, stat_item, path);
}

Task<Result<storage::FolderListing>> RemoteBackend::read_folder(const Path& folder,
                                                                storage::ListingBound bound) {
  co_return co_await with(Use::brief, list_folder, folder, bound);
}

std::unique_ptr<storage::Reader> RemoteBackend::open_now(const Path& /*file*/) {
  return nullptr;
}

std::optional<storage::Entry> RemoteBackend::stat_now(const Path& /*path*/) {
  return std::nullopt;
}

Task<Result<std::vector<storage::Published>>> RemoteBackend::publish(
    std::span<const std::unique_ptr<storage::Writer>> writers, std::uint64_t growth_limit_bytes,
    storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  std::vector<PartialWriter*> own;
  for (const auto& writer : writers) {
    CO_TRY_VOID(co_await writer->finish());
    own.push_back(&dynamic_cast<PartialWriter&>(*writer));
  }
  if (std::ranges::all_of(own, &PartialWriter::is_out_of_sight)) co_return published_in_place(own);
  const std::span<PartialWriter* const> files = own;
  co_return co_await with(Use::brief, publish_all, files, growth_limit_bytes);
}

Task<Result<void>> RemoteBackend::make_folder(const Path& folder) {
  co_return co_await with(Use::brief, make_folders, folder);
}

Task<Result<void>> RemoteBackend::rename(const Path& from, const Path& to,
                                         storage::MayShow may_show) {
  CO_TRY_VOID(co_await storage::ask(may_show));
  co_return co_await with(Use::brief, rename_item, from, to);
}

Task<Result<storage::TreeSize>> RemoteBackend::copy(const Path& from, const Path& to,
                                                    const storage::CopyOptions& options) {
  if (!copies()) co_return fail_lacking();
  CO_TRY(const auto staging, co_await storage::choose_staging(options, to));
  CO_TRY(const auto collected,
         co_await with(Use::lasting, collect_copy, from, to, staging, options));
  // The question runs without a connection, which others may need.
  const auto may = co_await may_show(options);
  CO_TRY_VOID(co_await with(Use::brief, end_copy, collected, may, options.watch));
  co_return collected.size;
}

Task<Result<storage::Removed>> RemoteBackend::remove(const Path& path) {
  CO_TRY(const storage::TreeSize removed, co_await with(Use::lasting, remove_item, path));
  co_return removed;
}

Task<Result<storage::TreeSize>> RemoteBackend::measure(const Path& path) {
  co_return co_await with(Use::lasting, measure_item, path);
}

Task<Result<Path>> RemoteBackend::canonical(const Path& path) {
  co_return path;
}

}  // namespace coffer::remote
