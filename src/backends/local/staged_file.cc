#include "backends/local/staged_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

bool is_deleted(int folder) {
  const auto status = status_of(folder, STATX_NLINK);
  return status && status->stx_nlink == 0;
}

}  // namespace

StagedFile::~StagedFile() {
  if (!name_.empty()) staging_.reclaim(std::move(name_));
  // The last handle on a large file without a name takes long.
  if (file_ && !kept_) staging_.close_behind(std::move(file_));
}

Result<void> StagedFile::open() {
  if (staging_.links() != Staging::Links::none) {
    file_ = Handle(::openat(staging_.folder(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  } else {
    name_ = new_staging_name();
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    file_ = Handle(::openat(staging_.folder(), name_.c_str(), kFlags, 0666));
  }
  if (file_) return {};
  const int error = errno;
  name_.clear();
  // So ext4 says that the folder was deleted, where others say ENOENT.
  const bool is_gone = error == EPERM && is_deleted(staging_.folder());
  return fail_with(is_gone ? ENOENT : error);
}

int StagedFile::adopt(int descriptor) {
  if (staging_.links() == Staging::Links::none) return EOPNOTSUPP;
  Handle file(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!file) return errno;
  std::string name = new_staging_name();
  if (const int error = staging_.link(descriptor, staging_.folder(), name.c_str())) return error;
  name_ = std::move(name);
  file_ = std::move(file);
  return 0;
}

std::uint64_t StagedFile::inode() const {
  if (!file_) return inode_;
  const auto status = status_of(file_.get(), STATX_INO);
  return status ? status->stx_ino : 0;
}

int StagedFile::write_out(bool wholly) {
  if (!wholly && staging_.orders_data()) {
    constexpr unsigned kAll =
        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
    return ::sync_file_range(file_.get(), 0, 0, kAll) == 0 ? 0 : errno;
  }
  if (::fsync(file_.get()) != 0) return errno;
  wholly_written_ = true;
  is_synced_ = true;
  return 0;
}

int StagedFile::sync_shown() {
  // Elsewhere syncing the folder takes the count of links along.
  if (is_synced_ || (wholly_written_ && !staging_.orders_data())) return 0;
  if (::fsync(file_.get()) != 0) return errno;
  is_synced_ = true;
  // A journal writes the link's whole transaction; without one, ext4 writes the parent folder of a
  // file whose entry is new.
  entry_synced_ = is_linked_ && staging_.orders_data();
  return 0;
}

int StagedFile::name_it() {
  if (!name_.empty()) return 0;
  std::string name = new_staging_name();
  const int error = staging_.link(file_.get(), staging_.folder(), name.c_str());
  if (error == 0) name_ = std::move(name);
  is_synced_ = false;
  return error;
}

void StagedFile::close() {
  inode_ = inode();
  file_ = Handle();
}

int StagedFile::show(int folder, const char* name) {
  is_linked_ = name_.empty();
  entry_synced_ = false;
  if (is_linked_) {
    is_synced_ = false;
    return staging_.link(file_.get(), folder, name);
  }
  if (::renameat2(staging_.folder(), name_.c_str(), folder, name, RENAME_NOREPLACE) != 0) {
    return errno;
  }
  name_.clear();
  return 0;
}

int StagedFile::exchange(int folder, const char* name) {
  is_linked_ = entry_synced_ = false;
  if (const int error = name_it(); error != 0) return error;
  const int done = ::renameat2(staging_.folder(), name_.c_str(), folder, name, RENAME_EXCHANGE);
  return done == 0 ? 0 : errno;
}

int StagedFile::hide(int folder, const char* name, bool exchanged) {
  if (exchanged) return put_back(folder, name);
  std::string hidden = new_staging_name();
  const int done = ::renameat2(folder, name, staging_.folder(), hidden.c_str(), RENAME_NOREPLACE);
  if (done != 0) return errno;
  name_ = std::move(hidden);
  return 0;
}

int StagedFile::put_back(int folder, const char* name) {
  const int staging = staging_.folder();
  if (::renameat2(staging, name_.c_str(), folder, name, RENAME_EXCHANGE) == 0) return 0;
  const int error = errno;
  // The new file may have been removed meanwhile.
  const bool is_free = error == ENOENT;
  if (!is_free || ::renameat2(staging, name_.c_str(), folder, name, RENAME_NOREPLACE) != 0) {
    staging_.save(name_, name);
  }
  name_.clear();
  return is_free ? 0 : error;
}

void StagedFile::keep(bool exchanged) {
  kept_ = true;
  if (exchanged) staging_.reclaim(std::move(name_));
  name_.clear();
}

}  // namespace coffer::local
