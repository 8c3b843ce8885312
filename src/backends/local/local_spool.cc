#include "backends/local/local_spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/status.h"
#include "base/disk.h"

namespace coffer::local {
namespace {

/// How much may wait in memory before the disk is asked to begin; the next sync is short then.
constexpr std::uint64_t kWritebackBytes = 8 * 1024 * 1024;

class LocalSpoolFile final : public storage::SpoolFile {
 public:
  LocalSpoolFile(Handle file, int folder, std::uint64_t size_bytes, bool is_durable, Pool& pool)
      : file_(std::move(file)),
        folder_(folder),
        size_bytes_(size_bytes),
        begun_bytes_(size_bytes),
        is_durable_(is_durable),
        has_synced_name_(size_bytes > 0),
        pool_(pool) {}

  std::uint64_t size_bytes() const override { return size_bytes_; }
  std::optional<int> descriptor() const override { return file_.get(); }

  Task<Result<void>> append(std::span<const std::byte> data) override {
    auto work = [this, data] { return append_here(data); };
    co_return co_await pool_.run(std::move(work));
  }

  Task<Result<void>> sync() override {
    if (!is_durable_) co_return Result<void>{};
    auto work = [this] { return sync_here(); };
    co_return co_await pool_.run(std::move(work));
  }

  Task<Result<void>> truncate(std::uint64_t size_bytes) override {
    auto work = [this, size_bytes] { return truncate_here(size_bytes); };
    co_return co_await pool_.run(std::move(work));
  }

  Task<Result<std::size_t>> read(std::uint64_t offset, std::span<std::byte> out) override {
    auto work = [this, offset, out] { return read_from(file_, offset, out); };
    co_return co_await pool_.run(std::move(work));
  }

  bool is_known_as(std::uint64_t file_id) const override {
    const auto status = status_of(file_.get(), STATX_INO | STATX_NLINK);
    return status && status->stx_ino == file_id && status->stx_nlink > 1;
  }

 private:
  Result<void> append_here(std::span<const std::byte> data) {
    // What a write that failed has left behind the counted bytes is written over.
    if (::lseek(file_.get(), static_cast<off_t>(size_bytes_), SEEK_SET) < 0) {
      return fail_with(errno);
    }
    if (const int error = write_all(file_.get(), data, size_bytes_)) return fail_with(error);
    size_bytes_ += data.size();
    if (is_durable_ && size_bytes_ - begun_bytes_ >= kWritebackBytes) {
      ::sync_file_range(file_.get(), static_cast<off64_t>(begun_bytes_),
                        static_cast<off64_t>(size_bytes_ - begun_bytes_), SYNC_FILE_RANGE_WRITE);
      begun_bytes_ = size_bytes_;
    }
    return {};
  }

  Result<void> sync_here() {
    // After a failed fsync a second one may succeed although the data is lost (fsync(2)).
    if (is_broken_) return fail(ErrorCode::failed, "Writing this file failed before.");
    is_broken_ = ::fdatasync(file_.get()) != 0;
    if (is_broken_) return fail_with(errno);
    if (!has_synced_name_ && ::fsync(folder_) != 0) return fail_with(errno);
    has_synced_name_ = true;
    return {};
  }

  Result<void> truncate_here(std::uint64_t size_bytes) {
    if (::ftruncate(file_.get(), static_cast<off_t>(size_bytes)) != 0) return fail_with(errno);
    size_bytes_ = size_bytes;
    begun_bytes_ = std::min(begun_bytes_, size_bytes);
    return {};
  }

  const Handle file_;
  const int folder_;
  std::uint64_t size_bytes_;
  std::uint64_t begun_bytes_;  ///< Up to here the disk was asked to write.
  const bool is_durable_;
  bool has_synced_name_;
  bool is_broken_ = false;
  Pool& pool_;
};

Result<Handle> open_sized(int folder, const std::string& name, std::uint64_t size_bytes) {
  const int make = size_bytes == 0 ? O_CREAT : 0;
  Handle file(::openat(folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | make, 0666));
  if (!file) return fail_with(errno);
  const auto status = status_of(file.get(), STATX_SIZE);
  if (!status) return fail_with(status.error());
  if (status->stx_size < size_bytes) {
    return fail(ErrorCode::not_found, "The part of the content that was received is gone.");
  }
  const bool is_longer = status->stx_size > size_bytes;
  if (is_longer && ::ftruncate(file.get(), static_cast<off_t>(size_bytes)) != 0) {
    return fail_with(errno);
  }
  return file;
}

}  // namespace

Result<std::unique_ptr<LocalSpool>> LocalSpool::open(const std::filesystem::path& folder,
                                                     bool is_durable) {
  const bool is_made = ::mkdir(folder.c_str(), 0700) == 0;
  if (!is_made && errno != EEXIST) return fail_with(errno);
  if (is_made && is_durable && !sync_new_folder(folder)) return fail_with(errno);
  TRY(const int opened, open_trusted_folder(folder));
  return std::unique_ptr<LocalSpool>(new LocalSpool(Handle(opened), is_durable));
}

Task<Result<std::unique_ptr<storage::SpoolFile>>> LocalSpool::open(storage::UploadTurn turn,
                                                                   std::uint64_t size_bytes,
                                                                   Pool& pool) {
  auto work = [&] { return open_sized(folder_.get(), turn.upload.value, size_bytes); };
  CO_TRY(auto file, co_await pool.run(std::move(work)));
  co_return std::make_unique<LocalSpoolFile>(std::move(file), folder_.get(), size_bytes,
                                             is_durable_, pool);
}

Task<Result<void>> LocalSpool::remove(std::string name, Pool& pool) {
  auto work = [&]() -> Result<void> {
    if (::unlinkat(folder_.get(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return fail_with(errno);
  };
  co_return co_await pool.run(std::move(work));
}

Task<Result<std::vector<std::string>>> LocalSpool::names(Pool& pool) {
  auto work = [this]() -> Result<std::vector<std::string>> {
    std::vector<std::string> all;
    FolderScan scan(folder_.get());
    while (const FolderScan::Entry* item = scan.next()) all.emplace_back(item->name);
    return all;
  };
  co_return co_await pool.run(std::move(work));
}

Task<Result<std::uint64_t>> LocalSpool::free_bytes(Pool& pool) {
  auto work = [this]() -> Result<std::uint64_t> {
    struct statvfs disk{};
    if (::fstatvfs(folder_.get(), &disk) != 0) return fail_with(errno);
    return std::uint64_t{disk.f_bavail} * disk.f_frsize;
  };
  co_return co_await pool.run(std::move(work));
}

}  // namespace coffer::local
