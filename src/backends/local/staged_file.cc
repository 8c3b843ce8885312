#include "backends/local/staged_file.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "backends/local/attributes.h"
#include "backends/local/errno_error.h"
#include "backends/local/staging.h"
#include "backends/local/status.h"

namespace coffer::local {
namespace {

constexpr mode_t kMode = 0666;
constexpr mode_t kPrivateMode = 0600;

Handle make_unnamed(int folder) {
  return Handle(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, kMode));
}

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

Result<void> StagedFile::open(int folder, const std::string& name) {
  const int error = make(folder, name);
  if (error == 0) return {};
  // So ext4 says that the folder was deleted, where others say ENOENT.
  const bool is_gone = error == EPERM && is_deleted(folder);
  return fail_with(is_gone ? ENOENT : error);
}

// A file without a name can be opened by nobody else. Any other one can, in the folder where it is
// made, and would then be read whatever its permissions become.
int StagedFile::make(int folder, const std::string& name) {
  if (staging_.names().has_unnamed_files()) {
    file_ = make_unnamed(folder);
    return file_ ? 0 : errno;
  }
  const auto taken = status_in(folder, name.c_str(), STATX_TYPE);
  is_private_ = taken && is_file(*taken);
  std::string staged = new_staging_name();
  Opened made = staging_.make_file(folder, staged, is_private_ ? kPrivateMode : kMode);
  if (!made) return made.error();
  file_ = std::move(*made);
  name_ = std::move(staged);
  return 0;
}

void StagedFile::open_up(int folder) {
  std::string name = new_staging_name();
  const Opened sample = staging_.make_file(folder, name, kMode);
  if (!sample) return;
  is_private_ = !suit(file_.get(), sample->get());
  staging_.reclaim(std::move(name));
}

bool StagedFile::suits(int file, int folder) const {
  const Handle sample = make_unnamed(folder);
  return sample && suit(file, sample.get());
}

int StagedFile::adopt(int descriptor, int folder) {
  if (!staging_.names().has_unnamed_files()) return EOPNOTSUPP;
  Handle file(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
  if (!file) return errno;
  if (!suits(descriptor, folder)) return EPERM;
  std::string name = new_staging_name();
  if (const int error = staging_.names().link_open(descriptor, staging_.ref(name))) return error;
  name_ = std::move(name);
  file_ = std::move(file);
  return 0;
}

std::expected<Status, int> StagedFile::status() const {
  if (name_.empty()) return status_of(file_.get(), kEntryMask);
  return status_in(staging_.folder(), name_.c_str(), kEntryMask);
}

ItemNumber StagedFile::number() const {
  if (!file_) return number_;
  const auto status = status_of(file_.get(), STATX_INO);
  return status ? number_of(*status) : ItemNumber();
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
  const int error = staging_.names().link_open(file_.get(), staging_.ref(name));
  if (error == 0) name_ = std::move(name);
  is_synced_ = false;
  return error;
}

void StagedFile::close() {
  number_ = number();
  file_ = Handle();
}

int StagedFile::show(int folder, const char* name) {
  is_linked_ = name_.empty();
  entry_synced_ = false;
  if (is_linked_) {
    is_synced_ = false;
    return staging_.names().link_open(file_.get(), {folder, name});
  }
  const int error = staging_.names().show_file(staging_.ref(name_), {folder, name});
  if (error == 0) name_.clear();
  return error;
}

std::expected<Status, int> StagedFile::replace(int folder, const char* name,
                                               const NameChanges::MayReplace& may_replace) {
  is_linked_ = entry_synced_ = false;
  if (const int error = name_it(); error != 0) return std::unexpected(error);
  auto replaced = staging_.names().replace(staging_.ref(name_), {folder, name}, may_replace);
  if (!replaced) return std::unexpected(replaced.error());
  name_ = std::move(replaced->kept_name);
  return replaced->status;
}

int StagedFile::hide(int folder, const char* name, bool replaced) {
  if (replaced) return put_back(folder, name);
  std::string hidden = new_staging_name();
  const int error = staging_.names().rename_to_free({folder, name}, staging_.ref(hidden));
  if (error == 0) name_ = std::move(hidden);
  return error;
}

int StagedFile::put_back(int folder, const char* name) {
  if (name_.empty()) return EOPNOTSUPP;
  auto staged = staging_.names().put_back(staging_.ref(name_), {folder, name});
  if (!staged) {
    staging_.save(name_, name);
    name_.clear();
    return staged.error();
  }
  name_ = *std::move(staged);
  return 0;
}

void StagedFile::keep(bool replaced) {
  kept_ = true;
  if (replaced && !name_.empty()) staging_.reclaim(std::move(name_));
  name_.clear();
}

}  // namespace coffer::local
