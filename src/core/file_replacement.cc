#include "core/file_replacement.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/transfer/name_not_moved.h"
#include "core/upload.h"
#include "storage/entry.h"

namespace coffer::core {
namespace {

constexpr std::size_t kBlockBytes = 1024 * 1024;

ResolvedPath folder_of(const ResolvedPath& place) {
  ResolvedPath folder = place;
  folder.path = place.path.parent();
  return folder;
}

}  // namespace

Task<Result<storage::Entry>> FileReplacement::copy(Source afterwards) {
  return copy_from(plan_.from, afterwards);
}

/// The source has a name of its own meanwhile, so that nothing that is meant for it comes between
/// its last byte and its deletion, and a place that is the same by another way is found out.
Task<Result<bool>> FileReplacement::move(const Path& source) {
  const Name parked_name = name_not_moved(source.name());
  const ResolvedPath parked = sibling_of(plan_.from, parked_name);
  auto parks = co_await services_.move_copy.rename(principal_, plan_.from, parked);
  if (!parks) co_return failure_of(std::move(parks));
  const auto other = co_await plan_.to.backend->stat(plan_.to.path);
  const bool is_other = other || other.error().code != ErrorCode::not_found;
  Result<void> done;
  if (is_other) done = co_await copy_unchanged(parked);
  if (done && is_other)
    done = co_await services_.files.remove(principal_, source.parent() / parked_name);
  if (done && is_other) co_return true;
  auto back = co_await services_.move_copy.rename_back(principal_, parked, plan_.from);
  if (done) done = std::move(back);
  if (!done) co_return failure_of(std::move(done));
  co_return co_await is_one();
}

/// False where it is: nothing was at the target as long as the source had another name.
Task<Result<bool>> FileReplacement::is_one() {
  const auto target = co_await plan_.to.backend->stat(plan_.to.path);
  if (target) co_return false;
  if (target.error().code != ErrorCode::not_found) co_return failure_of(target);
  co_return fail(ErrorCode::conflict, "What it was to replace has gone meanwhile. Try again.");
}

Task<Result<void>> FileReplacement::copy_unchanged(const ResolvedPath& source) {
  const auto read = co_await copy_from(source, Source::goes);
  if (!read) co_return failure_of(read);
  const auto now = co_await source.backend->stat(source.path);
  if (now && version_of(*now) == version_of(*read)) co_return Result<void>{};
  co_return fail(ErrorCode::conflict, "It was changed while it was moved; both stay.");
}

Task<Result<storage::Entry>> FileReplacement::copy_from(const ResolvedPath& source,
                                                        Source afterwards) {
  auto reader = co_await source.backend->open(source.path);
  if (!reader) co_return failure_of(std::move(reader));
  const storage::Entry read = (*reader)->entry();
  running_.progress().found(1, read.size_bytes);
  Upload upload(principal_, plan_.ns, folder_of(plan_.to), services_.quota,
                services_.access_recheck, services_.folder_changes);
  upload.also_uses({source.mount, afterwards == Source::goes});
  auto going = co_await upload.expect(read.size_bytes);
  if (!going) co_return failure_of(std::move(going));
  storage::WriteOptions options;
  options.modified_at = read.modified_at;
  options.size_bytes = read.size_bytes;
  going = co_await upload.begin_file(plan_.to.path.name(), std::move(options));
  if (going) going = co_await pump(**reader, upload);
  if (!going) co_return failure_of(std::move(going));
  const auto shown = co_await upload.publish();
  if (!shown) co_return failure_of(shown);
  co_return read;
}

Task<Result<void>> FileReplacement::pump(storage::Reader& reader, Upload& upload) {
  std::vector<std::byte> block(kBlockBytes);
  const std::uint64_t size_bytes = reader.entry().size_bytes;
  for (std::uint64_t offset = 0; offset < size_bytes;) {
    if (running_.was_cancelled()) co_return fail(ErrorCode::failed, "The task was stopped.");
    const auto count = co_await reader.read(offset, block);
    if (!count) co_return failure_of(count);
    if (*count == 0) break;
    const std::size_t taken = std::min<std::uint64_t>(*count, size_bytes - offset);
    auto written = co_await upload.write(std::span(block).first(taken));
    if (!written) co_return written;
    running_.progress().wrote(taken);
    offset += taken;
  }
  std::byte more{};
  const std::uint64_t written = running_.progress().bytes_done();
  const auto rest = co_await reader.read(size_bytes, {&more, 1});
  if (!rest) co_return failure_of(rest);
  if (written == size_bytes && *rest == 0) co_return Result<void>{};
  co_return fail(ErrorCode::conflict, "It changed while it was read. Try again.");
}

}  // namespace coffer::core
