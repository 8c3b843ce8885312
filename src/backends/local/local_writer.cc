#include "backends/local/local_writer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "backends/local/attributes.h"
#include "backends/local/errno_error.h"
#include "backends/local/status.h"
#include "base/disk.h"

namespace coffer::local {

Result<std::optional<Status>> replaceable(const Lookup& lookup, int folder, const Path& target,
                                          const storage::WriteOptions& options) {
  const auto status = status_in(folder, std::string(target.name()).c_str(), kEntryMask);
  if (!status && status.error() != ENOENT) return std::unexpected(creation_error(status.error()));
  Status shown = status.value_or(Status());
  if (status && is_link(*status)) {
    if (const auto found = lookup.find(target, kEntryMask)) shown = found->second;
  } else if (status && !is_file(*status) && !is_folder(*status)) {
    return fail(ErrorCode::exists, "The name is taken by something that is not a file.");
  }
  if (status && is_folder(shown)) {
    return fail(ErrorCode::exists, "The name is taken by a folder.");
  }
  std::optional<storage::FileVersion> version;
  if (status) version = version_of(entry_of(shown, {}));
  TRY_VOID(check_taken(options, version));
  if (!status) return std::nullopt;
  return *status;
}

namespace {

constexpr std::size_t kBufferBytes = 64 * 1024;
/// How much may wait in memory before the disk is asked to begin; the last fsync is short then.
constexpr std::uint64_t kFlushBytes = 8 * 1024 * 1024;
/// The unit in which most file systems keep holes.
constexpr std::size_t kHoleBytes = 4096;

bool is_zero(std::span<const std::byte> data) {
  return data.front() == std::byte{0} &&
         std::ranges::equal(data.subspan(1), data.first(data.size() - 1));
}

/// Writes all but blocks of zeros. Returns 0 or an errno.
int write_around_holes(int file, std::span<const std::byte> data, std::uint64_t offset) {
  std::size_t begin = 0;
  const auto write_to = [&](std::size_t end) {
    if (begin == end) return 0;
    if (::lseek(file, static_cast<off_t>(offset + begin), SEEK_SET) < 0) return errno;
    return write_all(file, data.subspan(begin, end - begin), offset + begin);
  };
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t rest = kHoleBytes - (offset + at) % kHoleBytes;
    const auto block = data.subspan(at, std::min(rest, data.size() - at));
    if (is_zero(block)) {
      if (const int error = write_to(at)) return error;
      begin = at + block.size();
    }
    at += block.size();
  }
  return write_to(data.size());
}

/// Gives a file its hole at the end. Some file systems can change no file's size, and need not
/// where there is none. Returns 0 or an errno.
int end_at(int file, std::uint64_t bytes) {
  const auto status = status_of(file, kSizeMask);
  if (status && status->stx_size == bytes) return 0;
  return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

}  // namespace

LocalWriter::LocalWriter(const Lookup& lookup, Path target, storage::WriteOptions options)
    : lookup_(lookup),
      volume_(lookup.volume()),
      target_(std::move(target)),
      options_(options),
      file_(*volume_.staging) {}

Task<Result<void>> LocalWriter::write(std::span<const std::byte> data) {
  written_bytes_ += data.size();
  if (!file_.is_open() && buffered_.size() + data.size() <= kBufferBytes) {
    buffered_.insert(buffered_.end(), data.begin(), data.end());
    co_return Result<void>();
  }
  auto work = [this, data]() -> Result<void> {
    if (!file_.is_open()) {
      TRY([[maybe_unused]] const auto place, begin_large());
    }
    return store(data);
  };
  co_return co_await volume_.pool.run(std::move(work));
}

Task<Result<bool>> LocalWriter::adopt(storage::SpoolFile& file) {
  const auto descriptor = file.descriptor();
  if (!descriptor) co_return false;
  auto work = [this, descriptor, size_bytes = file.size_bytes()] {
    return adopt_here(*descriptor, size_bytes);
  };
  co_return co_await volume_.pool.run(std::move(work));
}

Result<bool> LocalWriter::adopt_here(int descriptor, std::uint64_t size_bytes) {
  if (file_.is_open() || written_bytes_ > 0) return false;
  TRY(const auto place, begin_large());
  if (file_.adopt(descriptor, place.folder.get()) != 0) return false;
  written_bytes_ = stored_bytes_ = flushed_bytes_ = size_bytes;
  return true;
}

Task<Result<void>> LocalWriter::finish() {
  auto work = [this] { return set_aside(); };
  co_return co_await volume_.pool.run(std::move(work));
}

/// Where the file will stand: only a folder on the staging folder's disk.
Result<EntryRef> LocalWriter::find_place() const {
  TRY(auto place, lookup_.place(target_));
  const auto status = status_of(place.folder.get(), STATX_INO);
  if (!status) return fail_with(status.error());
  if (device_of(*status) == volume_.root.device) return place;
  return std::unexpected(
      move_error(EXDEV, {volume_.staging->folder(), ""}, {place.folder.get(), place.name.c_str()}));
}

// Gigabytes should not be sent only to learn that they had nowhere to go.
Result<EntryRef> LocalWriter::begin_large() {
  TRY(auto place, find_place());
  TRY(const auto old, replaceable(lookup_, place.folder.get(), target_, options_));
  replaces_ = old.has_value();
  return place;
}

Result<void> LocalWriter::open_file() {
  TRY(const auto place, find_place());
  return file_.open(place.folder.get(), place.name);
}

/// Returns true if the file that this one replaces gave it anything, or its folder did since that
/// file is gone.
bool LocalWriter::take_after_old() {
  if (took_after_ || !file_.is_open()) return false;
  const auto place = lookup_.place(target_);
  if (!place) return false;
  constexpr int kFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  const Handle old(::openat(place->folder.get(), place->name.c_str(), kFlags));
  const auto status = status_of(old.get(), STATX_TYPE);
  if (!status || !is_file(*status)) {
    if (!file_.is_private()) return false;
    file_.open_up(place->folder.get());
    return true;
  }
  take_after(old.get(), file_.descriptor());
  file_.end_private();
  took_after_ = true;
  return true;
}

Result<void> LocalWriter::store(std::span<const std::byte> data) {
  if (broken_) return fail(ErrorCode::failed, "Writing this file failed before.");
  broken_ = true;  // Until it went well: what is half written must not be published.
  if (!file_.is_open()) {
    TRY_VOID(open_file());
    TRY_VOID(append(buffered_));
    if (!data.empty()) std::vector<std::byte>().swap(buffered_);
  }
  TRY_VOID(append(data));
  if (volume_.durable && stored_bytes_ - flushed_bytes_ >= kFlushBytes) {
    ::sync_file_range(file_.descriptor(), static_cast<off64_t>(flushed_bytes_),
                      static_cast<off64_t>(stored_bytes_ - flushed_bytes_), SYNC_FILE_RANGE_WRITE);
    flushed_bytes_ = stored_bytes_;
  }
  broken_ = false;
  return {};
}

Result<void> LocalWriter::append(std::span<const std::byte> data) {
  const int error = options_.may_have_holes
                        ? write_around_holes(file_.descriptor(), data, stored_bytes_)
                        : write_all(file_.descriptor(), data, stored_bytes_);
  if (error != 0) return fail_with(error);
  stored_bytes_ += data.size();
  return {};
}

Result<void> LocalWriter::end_content() {
  if (ended_) return {};
  if (auto stored = store({}); !stored) return stored;
  const int error = options_.may_have_holes ? end_at(file_.descriptor(), stored_bytes_) : 0;
  if (error != 0) return fail_with(error);
  if (options_.modified_at) set_modified(file_.descriptor(), timespec_of(*options_.modified_at));
  ended_ = true;
  return {};
}

Result<void> LocalWriter::sync(bool wholly) {
  // After a failed fsync a second one may succeed although the data is lost (fsync(2)).
  if (broken_) return fail(ErrorCode::failed, "Writing this file failed before.");
  const int error = volume_.durable ? file_.write_out(wholly) : 0;
  broken_ = error != 0;
  safe_ = error == 0;
  if (broken_) return fail_with(error);
  return {};
}

Result<void> LocalWriter::complete(bool wholly) {
  TRY_VOID(end_content());
  const bool has_changed = (wholly || file_.is_private()) && take_after_old();
  if (safe_ && !has_changed && (!wholly || !volume_.durable || file_.is_wholly_written()))
    return {};
  return sync(wholly);
}

Task<storage::ItemIdentity> LocalWriter::identity() {
  auto look = [this] { return file_.status(); };
  const auto status = co_await volume_.pool.run(std::move(look));
  if (!status) co_return storage::ItemIdentity();
  co_return entry_of(*status, {}).identity();
}

Task<std::optional<storage::FileVersion>> LocalWriter::shown_version() {
  if (!shown_) co_return std::nullopt;
  co_return version_of(entry_of(*shown_, {}));
}

// Many files may wait for the last one of an upload: they must not hold a descriptor each.
Result<void> LocalWriter::set_aside() {
  if (safe_) return {};
  TRY_VOID(end_content());
  take_after_old();
  if (const int error = file_.name_it(); error != 0) return fail_with(error);
  TRY_VOID(sync(true));
  file_.close();
  std::vector<std::byte>().swap(buffered_);
  return {};
}

}  // namespace coffer::local
