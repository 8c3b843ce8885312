#include "backends/local/name_changes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "base/disk.h"

namespace coffer::local {
namespace {

int errno_of(int result) {
  return result == 0 ? 0 : errno;
}

int rename_by(NameRef from, NameRef to, unsigned flags) {
  return errno_of(::renameat2(from.folder, from.name, to.folder, to.name, flags));
}

int rename_plainly(NameRef from, NameRef to) {
  return errno_of(::renameat(from.folder, from.name, to.folder, to.name));
}

int link_to(NameRef from, NameRef to) {
  return errno_of(::linkat(from.folder, from.name, to.folder, to.name, 0));
}

/// Renames with only a look at the new name before.
int rename_if_free(NameRef from, NameRef to) {
  const auto taken = status_in(to.folder, to.name, STATX_TYPE);
  if (taken) return EEXIST;
  return taken.error() == ENOENT ? rename_plainly(from, to) : taken.error();
}

/// The files that a file system is tried with: their sizes tell them apart, since not all file
/// systems keep inode numbers.
class Trial {
 public:
  explicit Trial(int folder) : folder_(folder) {}
  ~Trial() {
    for (const char* name : {kOne, kOther, kFree}) ::unlinkat(folder_, name, 0);
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  /// Makes `one`, which is empty, and `other`, which is not.
  int make() const {
    if (const int error = make_file(kOne, "")) return error;
    return make_file(kOther, "x");
  }
  bool renames() const { return rename_plainly(one(), free()) == 0 && bytes_of(kFree) == 0; }
  // Linux itself sees that a name is taken. Only a file system that knows the flag takes a free
  // one.
  bool never_replaces() const {
    return rename_by(one(), other(), RENAME_NOREPLACE) == EEXIST &&
           rename_by(one(), free(), RENAME_NOREPLACE) == 0 && bytes_of(kOther) == 1;
  }
  bool exchanges() const {
    return rename_by(one(), other(), RENAME_EXCHANGE) == 0 && bytes_of(kOne) == 1 &&
           bytes_of(kOther) == 0;
  }
  bool links() const { return link_to(other(), free()) == 0 && bytes_of(kFree) == 1; }

 private:
  static constexpr const char* kOne = "one";
  static constexpr const char* kOther = "other";
  static constexpr const char* kFree = "free";

  NameRef one() const { return {folder_, kOne}; }
  NameRef other() const { return {folder_, kOther}; }
  NameRef free() const { return {folder_, kFree}; }

  int make_file(const char* name, std::string_view content) const {
    const Handle file(::openat(folder_, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) return errno;
    return write_all(file.get(), std::as_bytes(std::span(content)));
  }
  std::optional<std::uint64_t> bytes_of(const char* name) const {
    const auto status = status_in(folder_, name, kSizeMask);
    if (!status) return std::nullopt;
    return status->stx_size;
  }

  const int folder_;
};

/// Tries one step with new files. Returns an errno if they cannot be made.
template <class Step>
std::expected<bool, int> try_step(int folder, Step step) {
  const Trial trial(folder);
  if (const int error = trial.make()) return std::unexpected(error);
  return (trial.*step)();
}

std::expected<bool, int> try_if(bool is_allowed, int folder, bool (Trial::*step)() const) {
  return is_allowed ? try_step(folder, step) : false;
}

}  // namespace

Result<NameChanges> NameChanges::try_out(int folder, const Abilities& allowed) {
  const auto renames = try_step(folder, &Trial::renames);
  if (!renames) return fail_with(renames.error());
  if (!*renames) {
    return fail(ErrorCode::forbidden,
                "The file system of this folder cannot rename files, so nothing can be changed "
                "in it.");
  }
  const auto noreplace = try_if(allowed.noreplace, folder, &Trial::never_replaces);
  const auto exchange = try_if(allowed.exchange, folder, &Trial::exchanges);
  const auto hard_links = try_if(allowed.hard_links, folder, &Trial::links);
  for (const auto& tried : {noreplace, exchange, hard_links}) {
    if (!tried) return fail_with(tried.error());
  }
  NameChanges changes(
      Abilities{.noreplace = *noreplace, .exchange = *exchange, .hard_links = *hard_links});
  if (allowed.unnamed_files && *hard_links) changes.find_links(folder);
  return changes;
}

int NameChanges::link_by(Links way, int file, NameRef to) {
  if (way == Links::by_handle) {
    return errno_of(::linkat(file, "", to.folder, to.name, AT_EMPTY_PATH));
  }
  const std::string entry = "/proc/self/fd/" + std::to_string(file);
  return errno_of(::linkat(AT_FDCWD, entry.c_str(), to.folder, to.name, AT_SYMLINK_FOLLOW));
}

// Not every file system knows files without a name; linking by the handle takes a privilege or a
// new kernel, and the other way needs /proc.
void NameChanges::find_links(int folder) {
  const Handle file(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
  if (!file) return;
  const std::string name = new_staging_name();
  for (const Links way : {Links::by_handle, Links::by_proc}) {
    if (link_by(way, file.get(), {folder, name.c_str()}) != 0) continue;
    ::unlinkat(folder, name.c_str(), 0);
    links_ = way;
    return;
  }
}

int NameChanges::link_open(int file, NameRef to) const {
  return has_unnamed_files() ? link_by(links_, file, to) : EOPNOTSUPP;
}

int NameChanges::show_file(NameRef staged, NameRef to) const {
  if (can_.noreplace || !can_.hard_links) return rename_to_free(staged, to);
  const int error = link_to(staged, to);
  // If it stays, it is swept with the staging folder.
  if (error == 0) ::unlinkat(staged.folder, staged.name, 0);
  return error;
}

// Not by links: on some file systems of FUSE an open file whose name is removed gets another one
// that shows.
int NameChanges::rename_to_free(NameRef from, NameRef to) const {
  return can_.noreplace ? rename_by(from, to, RENAME_NOREPLACE) : rename_if_free(from, to);
}

int NameChanges::rename_onto_itself(NameRef from, NameRef to) {
  return rename_plainly(from, to);
}

std::expected<NameChanges::Replaced, int> NameChanges::replace(
    NameRef staged, NameRef target, const MayReplace& may_replace) const {
  if (!can_.exchange) return replace_by_link(staged, target, may_replace);
  if (const int error = rename_by(staged, target, RENAME_EXCHANGE)) return std::unexpected(error);
  Replaced replaced{.status = {}, .kept_name = staged.name};
  if (const auto old = status_in(staged.folder, staged.name, kEntryMask)) replaced.status = *old;
  return replaced;
}

std::expected<NameChanges::Replaced, int> NameChanges::replace_by_link(
    NameRef staged, NameRef target, const MayReplace& may_replace) const {
  std::string kept = new_staging_name();
  const bool is_kept = can_.hard_links && link_to(target, {staged.folder, kept.c_str()}) == 0;
  const auto old = is_kept ? status_in(staged.folder, kept.c_str(), kEntryMask)
                           : status_in(target.folder, target.name, kEntryMask);
  int error = old ? 0 : old.error();
  if (old && is_folder(*old)) error = EEXIST;
  if (error == 0 && may_replace && !may_replace(*old)) error = ECANCELED;
  if (error == 0) error = rename_plainly(staged, target);
  if (error == 0) return Replaced{*old, is_kept ? std::move(kept) : std::string()};
  if (is_kept) ::unlinkat(staged.folder, kept.c_str(), 0);
  return std::unexpected(error);
}

std::expected<std::string, int> NameChanges::put_back(NameRef kept, NameRef target) const {
  if (!can_.exchange) return put_back_by_link(kept, target);
  int error = rename_by(kept, target, RENAME_EXCHANGE);
  if (error == 0) return kept.name;
  // The new file may have been removed meanwhile.
  if (error == ENOENT) error = rename_to_free(kept, target);
  if (error != 0) return std::unexpected(error);
  return std::string();
}

std::expected<std::string, int> NameChanges::put_back_by_link(NameRef kept, NameRef target) const {
  std::string staged = new_staging_name();
  const bool is_staged = link_to(target, {kept.folder, staged.c_str()}) == 0;
  const int error = rename_plainly(kept, target);
  if (error != 0 && is_staged) ::unlinkat(kept.folder, staged.c_str(), 0);
  if (error != 0) return std::unexpected(error);
  return is_staged ? std::move(staged) : std::string();
}

namespace {

bool is_on_one_disk(NameRef from, NameRef to) {
  return is_same_disk(from.folder, to.folder);
}

bool goes_into_itself(NameRef from, NameRef to) {
  const auto above = fd_path(from.folder);
  const auto target = fd_path(to.folder);
  return above && target && is_at_or_beneath(*target, *above + '/' + from.name);
}

}  // namespace

Error into_itself() {
  return {ErrorCode::invalid, "A folder cannot go into itself."};
}

Error move_error(int code, NameRef from, NameRef to) {
  if (code == EINVAL && goes_into_itself(from, to)) return into_itself();
  if (code == EXDEV && is_on_one_disk(from, to)) {
    return {ErrorCode::forbidden, "The file system does not let this be moved."};
  }
  if (code == EXDEV) {
    return {
        ErrorCode::forbidden,
        "It lies on another disk of the server than the top of its shared folder, and cannot be "
        "changed here: an administrator can share that disk's folder by itself."};
  }
  if (code == EBUSY) return {ErrorCode::forbidden, "The folder is in use by the server's system."};
  return creation_error(code);
}

}  // namespace coffer::local
