#include "core/batch/unpack_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/archive/packed_item.h"

namespace coffer::core {
namespace {

using catalog::OnConflict;

/// Where no quota bounds it, an archive unpacks to as much at least,
constexpr std::uint64_t kFreeBytes = std::uint64_t{1} << 30;
/// to so many times its own size, which text and disk images seldom reach,
constexpr std::uint64_t kMostTimes = 250;
/// and never to more.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kQuotaBounds = std::numeric_limits<std::uint64_t>::max();

/// True for failures that every other item would meet too.
bool ends_unpacking(const Error& error) {
  switch (error.code) {
    case ErrorCode::unauthenticated:
    case ErrorCode::over_quota:
    case ErrorCode::disk_full:
    case ErrorCode::unavailable:
    case ErrorCode::timed_out:
      return true;
    default:
      return false;
  }
}

Error too_much(std::uint64_t most_bytes) {
  return {ErrorCode::refused,
          fmt::format("It unpacks to more than {} MB, which is too much for its size.",
                      most_bytes >> 20)};
}

std::string left_out_for(PackedItem::Kind kind) {
  switch (kind) {
    case PackedItem::Kind::link:
      return "It is a link, and links are not unpacked.";
    case PackedItem::Kind::special:
      return "It is a special file, such as a device, and these are not unpacked.";
    case PackedItem::Kind::encrypted:
      return "It is encrypted. Encrypted items cannot be unpacked here.";
    case PackedItem::Kind::of_unknown_method:
      return "It is compressed by a method that cannot be unpacked here.";
    default:
      return {};
  }
}

}  // namespace

/// An open archive.
struct UnpackWork::Archive {
  Path source;
  std::shared_ptr<storage::Backend> backend;  ///< The reader's, so it is destroyed last.
  AccountSlots::Slot slot;
  std::uint64_t size_bytes = 0;
  std::uint64_t most_bytes = 0;
  std::uint64_t done_bytes = 0;
  std::unique_ptr<UnpackStream> stream;
  UnpackStream** current = nullptr;  ///< Points to the stream while it lives.

  explicit Archive(Path from) : source(std::move(from)) {}
  ~Archive() {
    if (current) *current = nullptr;
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
};

UnpackWork::UnpackWork(BatchWork::Services services, WorkPools& pools, AccountSlots& slots,
                       Principal principal, BatchRequest request)
    : services_(services),
      namespace_(services.homes, services.mounts),
      pools_(pools),
      slots_(slots),
      principal_(std::move(principal)),
      request_(std::move(request)),
      target_({namespace_, services.move_copy, services.files}, principal_, *request_.destination,
              request_.on_conflict),
      waiter_(principal_.account->id) {}

Task<Result<void>> UnpackWork::run(RunningTask& running) {
  running_ = &running;
  CO_TRY_VOID(co_await check_names());
  for (const Path& source : request_.sources) {
    CO_TRY_VOID(co_await unpack(source));
    running_->completed_source();
  }
  if (damage_) co_return std::unexpected(*damage_);
  if (first_failure_ && !has_done_any_) co_return std::unexpected(*first_failure_);
  co_return Result<void>{};
}

Task<std::optional<Error>> UnpackWork::withdrawal() {
  if (running_ && running_->was_cancelled()) stop_waiting();
  const auto lost = withdrawal_in(co_await recheck());
  if (lost) stop_waiting();
  co_return lost;
}

void UnpackWork::stop_waiting() {
  slots_.cancel(waiter_);
  if (stream_) stream_->stop();
}

Task<Result<void>> UnpackWork::recheck() {
  std::vector<MountUse> uses = uses_;
  co_return co_await services_.access_recheck.of(principal_, std::move(uses));
}

Result<void> UnpackWork::check_cancelled() const {
  if (running_->was_cancelled()) return fail(ErrorCode::failed, "The task was stopped.");
  return {};
}

/// With `fail`, checks all names before any change if the archives can be listed cheaply; otherwise
/// names are checked during unpacking.
Task<Result<void>> UnpackWork::check_names() {
  if (request_.on_conflict != OnConflict::fail) co_return Result<void>{};
  for (const Path& source : request_.sources) {
    auto archive = co_await open(source);
    // The failure is recorded when the archive is unpacked.
    if (!archive) continue;
    auto checked = co_await check_names_of(**archive);
    if (!checked && checked.error().code == ErrorCode::exists) {
      checked.error().message += " Nothing was done.";
    }
    if (!checked) co_return checked;
  }
  co_return Result<void>{};
}

Task<Result<void>> UnpackWork::check_names_of(Archive& archive) {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  for (;;) {
    CO_TRY_VOID(check_cancelled());
    const auto item = co_await archive.stream->next();
    CO_TRY_VOID(check_cancelled());
    // Errors are recorded when the archive is unpacked.
    if (!item) co_return Result<void>{};
    if (!*item) break;
    if (!(*item)->is_listed_cheaply) co_return Result<void>{};
    const auto place = place_of((*item)->name);
    if (!place || !left_out_for((*item)->kind).empty()) continue;
    ++items;
    bytes += std::min((*item)->size_bytes.value_or(0), kMostBytes);
    CO_TRY_VOID(co_await target_.check_free(*place, **item));
  }
  if (bytes <= archive.most_bytes) running_->expect(items, bytes);
  co_return Result<void>{};
}

Task<Result<UnpackWork::Limits>> UnpackWork::limits_of(std::uint64_t archive_bytes) {
  CO_TRY(const auto folder,
         co_await namespace_.resolve(principal_, *request_.destination, Access::add));
  uses_.push_back(MountUse{folder.mount, true});
  const std::uint64_t times = std::min(archive_bytes, kMostBytes / kMostTimes) * kMostTimes;
  const std::uint64_t most = std::max(kFreeBytes, times);
  Limits bounds{.shown_bytes = most, .read_bytes = most};
  if (folder.quota_account) {
    CO_TRY(const auto usage, co_await services_.quota.ledger.usage(folder.quota_account->id));
    if (usage.limit_bytes > 0) {
      bounds.shown_bytes = kQuotaBounds;
      // Skipped items use no quota, but take as long to read.
      bounds.read_bytes = std::min(kMostBytes, std::max(most, usage.limit_bytes));
    }
  }
  co_return bounds;
}

Task<Result<std::unique_ptr<UnpackWork::Archive>>> UnpackWork::open(const Path& source) {
  auto archive = std::make_unique<Archive>(source);
  CO_TRY(const auto from, co_await namespace_.resolve(principal_, source));
  uses_ = {MountUse{from.mount, false}};
  archive->backend = from.backend;
  CO_TRY(auto reader, co_await from.backend->open(from.path));
  archive->size_bytes = reader->entry().size_bytes;
  CO_TRY(const auto most, co_await limits_of(archive->size_bytes));
  CO_TRY_VOID(co_await recheck());
  auto slot = co_await slots_.enter(waiter_);
  if (!slot) co_return fail(ErrorCode::failed, "The task was stopped.");
  archive->slot = *std::move(slot);
  archive->most_bytes = most.shown_bytes;
  ArchiveBounds bounds;
  bounds.stream_bytes = most.read_bytes;
  Pool& pool = pools_.of(principal_.account->id).brief;
  CO_TRY(auto stream,
         co_await UnpackStream::begin(std::move(reader), bounds, request_.character_set, pool));
  archive->stream = std::move(stream);
  archive->current = &stream_;
  stream_ = archive->stream.get();
  co_return archive;
}

Task<Result<void>> UnpackWork::unpack(const Path& source) {
  CO_TRY_VOID(check_cancelled());
  target_.begin_archive();
  auto archive = co_await open(source);
  if (!archive) co_return skip_or_fail(source, archive.error());
  auto done = co_await unpack_items(**archive);
  if (done) co_return done;
  CO_TRY_VOID(check_cancelled());
  // The failure of an item ends the task.
  const bool is_over = (*archive)->stream->is_over();
  if (!is_over && !is_over_limit_) co_return done;
  const Error& error = done.error();
  skip(source, error);
  note_damage(**archive, error);
  const bool ends = is_over_limit_ || error.code == ErrorCode::refused;
  if (ends) co_return std::unexpected(*damage_);
  co_return Result<void>{};
}

void UnpackWork::note_damage(const Archive& archive, const Error& error) {
  if (damage_) return;
  damage_ = error;
  damage_->message = fmt::format("{}: {}", quoted_name(archive.source.name()), error.message);
}

void UnpackWork::leave_out(const Archive& archive, const PackedItem& item,
                           const std::string& reason) {
  if (!first_failure_) {
    first_failure_ = {ErrorCode::invalid,
                      fmt::format("{}: {}", quoted_name(archive.source.name()), reason)};
  }
  skip(archive.source, {ErrorCode::invalid,
                        fmt::format("{} in it is left out. {}", quoted_name(item.name), reason)});
}

std::unexpected<Error> UnpackWork::fail_at_limit(Error error) {
  is_over_limit_ = true;
  return std::unexpected(std::move(error));
}

/// After a failure of the archive the stream is over; any other failure ends the task.
Task<Result<void>> UnpackWork::unpack_items(Archive& archive) {
  for (;;) {
    CO_TRY_VOID(check_cancelled());
    CO_TRY(const auto item, co_await archive.stream->next());
    if (!item) co_return Result<void>{};
    CO_TRY_VOID(co_await recheck());
    CO_TRY_VOID(co_await put(archive, *item));
  }
}

Task<Result<void>> UnpackWork::put(Archive& archive, const PackedItem& item) {
  const auto place = place_of(item.name);
  if (!place && place.error().code == ErrorCode::refused) co_return fail_at_limit(place.error());
  std::string reason = place ? left_out_for(item.kind) : place.error().message;
  const bool is_nameless = place && place->is_root();
  if (is_nameless && item.kind == PackedItem::Kind::folder) co_return Result<void>{};
  if (is_nameless && reason.empty()) reason = "It has no name.";
  if (!reason.empty()) {
    leave_out(archive, item, reason);
    co_return Result<void>{};
  }
  running_->begin_step();
  Result<void> done;
  if (item.kind == PackedItem::Kind::folder) {
    running_->progress().found(1, 0);
    const auto reason = co_await target_.make_folder(*place);
    if (!reason) done = failure_of(reason);
    const bool is_made = reason && reason->empty();
    if (reason && !is_made) skip(target_.path_of(*place), {ErrorCode::exists, *reason});
    if (is_made) running_->progress().completed_item();
    has_done_any_ |= is_made;
  } else {
    done = co_await put_file(archive, item, *place);
  }
  if (done || archive.stream->is_over() || is_over_limit_) co_return done;
  co_return skip_or_fail(target_.path_of(*place), done.error());
}

Task<Result<void>> UnpackWork::put_file(Archive& archive, const PackedItem& item,
                                        const Path& place) {
  const std::uint64_t size = item.size_bytes.value_or(0);
  if (size > archive.most_bytes - archive.done_bytes) {
    co_return fail_at_limit(too_much(archive.most_bytes));
  }
  CO_TRY(auto file, co_await target_.begin_file(place, item));
  if (!file.upload) {
    skip(target_.path_of(place), {ErrorCode::exists, std::move(file.reason)});
    co_return Result<void>{};
  }
  running_->progress().found(1, size);
  CO_TRY_VOID(co_await pump(archive, *file.upload));
  CO_TRY([[maybe_unused]] const auto shown, co_await file.upload->publish());
  running_->progress().completed_item();
  has_done_any_ = true;
  co_return Result<void>{};
}

Task<Result<void>> UnpackWork::pump(Archive& archive, Upload& upload) {
  for (;;) {
    CO_TRY_VOID(check_cancelled());
    const auto block = co_await archive.stream->read();
    if (!block) co_return failure_of(block);
    if (block->empty()) co_return Result<void>{};
    if (block->size() > archive.most_bytes - archive.done_bytes) {
      co_return fail_at_limit(too_much(archive.most_bytes));
    }
    archive.done_bytes += block->size();
    CO_TRY_VOID(co_await upload.write(*block));
    running_->progress().wrote(block->size());
  }
}

void UnpackWork::skip(const Path& path, Error why) {
  running_->skip(principal_.whole(path).str(), std::move(why));
}

Result<void> UnpackWork::skip_or_fail(const Path& path, const Error& error) {
  const bool is_taken = error.code == ErrorCode::exists && request_.on_conflict == OnConflict::fail;
  if (is_taken || ends_unpacking(error) || running_->was_cancelled()) return std::unexpected(error);
  // Another client took the name meanwhile: the item is skipped as if it had been taken before.
  const bool is_left = error.code == ErrorCode::exists && request_.on_conflict == OnConflict::skip;
  if (!first_failure_ && !is_left) first_failure_ = error;
  skip(path, error);
  return {};
}

}  // namespace coffer::core
