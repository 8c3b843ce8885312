#include "backends/local/log_recovery.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <expected>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/file_restore.h"
#include "backends/local/folder_scan.h"
#include "backends/local/folder_sync.h"
#include "backends/local/found_folder.h"
#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/root.h"
#include "base/log.h"
#include "base/random.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

/// What a log holds of a file, viewing its frame.
struct LoggedFile {
  LogRecord record;
  bool is_known_to_kernel;  ///< The process alone crashed: the file is as it was left.
  std::size_t log;          ///< Which one.
};

/// Two folders may have stood at the path of a root, or of one in it, one after the other, with
/// files of the same names.
struct FileKey {
  std::string_view path;
  RootIdentity root;
  std::uint64_t folder_inode;

  auto operator<=>(const FileKey&) const = default;
};
using Files = std::map<FileKey, LoggedFile>;

/// A frame, and what the file that it is from says of it.
struct KnownFrame {
  LogFrame frame;
  int version;
  bool is_known_to_kernel;
  bool is_clock_true;
  std::size_t log;
};
using Frames = std::vector<KnownFrame>;  ///< Of all log files, oldest first.

/// The clock that files' times are taken from was not set while the log was filled.
bool is_clock_true(const LogContent& content) {
  constexpr auto kSlack = std::chrono::seconds(1);
  std::optional<std::chrono::nanoseconds> least;
  std::optional<std::chrono::nanoseconds> most;
  for (const LogFrame& frame : content.frames) {
    RecordScan scan(frame.payload, content.version);
    while (const auto record = scan.next()) {
      if (!record->made.is_known()) continue;
      const auto offset = record->made.offset();
      least = std::min(least.value_or(offset), offset);
      most = std::max(most.value_or(offset), offset);
    }
  }
  return !least || *most - *least < kSlack;
}

Result<void> read_log(int folder, const char* name, const std::string& boot, std::size_t log,
                      Frames& frames) {
  auto content = LogFile::read(folder, name);
  if (!content && content.error() == ENOENT) return {};
  if (!content) return fail_with(content.error());
  const bool is_known = !boot.empty() && content->boot == boot;
  const bool clock = is_clock_true(*content);
  for (LogFrame& frame : content->frames) {
    frames.push_back({std::move(frame), content->version, is_known, clock, log});
  }
  std::ranges::sort(frames, {}, [](const KnownFrame& one) { return one.frame.sequence; });
  return {};
}

std::unexpected<Error> fail_at(const fs::path& path, const Error& error) {
  return fail(error.code, path.string() + ": " + error.message);
}

void apply(Files& files, const LoggedFile& file) {
  const LogRecord& record = file.record;
  if (record.kind == LogRecord::Kind::content) {
    files.insert_or_assign(FileKey{record.path, record.root, record.folder_inode}, file);
    return;
  }
  std::erase_if(files, [&](const auto& known) {
    return known.second.record.sequence <= record.sequence &&
           is_at_or_beneath(known.first.path, record.path);
  });
}

/// The files that were logged last and not forgotten.
Files files_in(const Frames& frames) {
  Files files;
  for (const KnownFrame& one : frames) {
    RecordScan scan(one.frame.payload, one.version);
    while (auto record = scan.next()) {
      if (!one.is_clock_true) record->made.wall = {};
      apply(files, {*record, one.is_known_to_kernel, one.log});
    }
  }
  return files;
}

void report(std::size_t restored_files) {
  if (restored_files == 0) return;
  spdlog::warn("{} files that a crash of the machine took were written again", restored_files);
}

using FilesOfRoot = std::vector<const LoggedFile*>;
/// Of each folder that stood at the path of a root; none is empty.
using FilesOfFolders = std::map<RootIdentity, FilesOfRoot>;

std::string_view a_path_in(const FilesOfFolders& folders) {
  return folders.begin()->second.front()->record.path;
}

RootIdentity last_used(const FilesOfFolders& folders) {
  const LogRecord* last = nullptr;
  for (const auto& [identity, files] : folders) {
    for (const LoggedFile* file : files) {
      if (!last || last->sequence < file->record.sequence) last = &file->record;
    }
  }
  return last->root;
}

/// The data folder may have been brought to another disk, where all folders are others: then it is
/// the one that was used last.
FoundFolder find_in_base(const fs::path& path, const RootIdentity& identity,
                         const FilesOfFolders& folders) {
  FoundFolder found = find_folder(path, identity);
  if (!found.folder) found = find_beside(path, identity);
  if (found.folder || !(identity == last_used(folders))) return found;
  Handle standing = open_top(path);
  const auto own = identity_at(standing);
  if (own && !folders.contains(*own)) found.folder = std::move(standing);
  return found;
}

/// Settles a log for all its roots.
class Recovery {
 public:
  Recovery(const RecoveryOptions& options, Reclaimer& reclaimer)
      : options_(options), reclaimer_(reclaimer) {}

  Result<std::vector<fs::path>> run();

 private:
  Result<void> read_all();
  bool is_to_read(std::string_view name) const;
  Result<void> settle_root(std::string_view root, const FilesOfFolders& folders);
  Result<void> settle_folder(const FoundFolder& found, bool is_in_base, const FilesOfRoot& files);
  /// Returns the files that could not be written.
  Result<FilesOfRoot> restore_in(const fs::path& path, int root, bool is_in_base,
                                 const FilesOfRoot& files);
  void report_waiting(const fs::path& path, std::size_t files, std::string_view why) const;
  Result<std::unique_ptr<Staging>> staging_for(const fs::path& path, int root,
                                               bool is_in_base) const;
  void find_logs_that_stay();
  Result<void> keep_waiting() const;
  Result<void> remove_logs();

  const RecoveryOptions& options_;
  Reclaimer& reclaimer_;
  Handle folder_;
  struct Log {
    std::string name;
    std::uint64_t last_sequence = 0;
    bool stays = false;
  };
  std::vector<Log> logs_;
  Frames frames_;
  FilesOfRoot waiting_;
  std::vector<fs::path> waiting_roots_;
  std::size_t restored_files_ = 0;
};

Result<std::vector<fs::path>> Recovery::run() {
  if (auto read = read_all(); !read) return failure_of(read);
  const Files files = files_in(frames_);
  std::map<std::string_view, FilesOfFolders> roots;
  for (const auto& [key, file] : files) {
    roots[file.record.root_path()][key.root].push_back(&file);
  }
  for (const auto& [root, folders] : roots) {
    if (auto settled = settle_root(root, folders); !settled) return failure_of(settled);
  }
  report(restored_files_);
  find_logs_that_stay();
  if (auto kept = keep_waiting(); !kept) return failure_of(kept);
  if (auto removed = remove_logs(); !removed) return failure_of(removed);
  return std::move(waiting_roots_);
}

bool Recovery::is_to_read(std::string_view name) const {
  if (!name.ends_with(".log")) return false;
  return !options_.only_waiting || name.starts_with(kWaitingPrefix);
}

Result<void> Recovery::read_all() {
  folder_ = open_top(options_.log);
  if (!folder_) return fail_with(errno);
  FolderScan scan(folder_.get());
  while (const FolderScan::Entry* item = scan.next()) {
    if (is_to_read(item->name)) logs_.push_back({.name = item->name});
  }
  for (std::size_t log = 0; log < logs_.size(); ++log) {
    const std::string& name = logs_[log].name;
    const auto read = read_log(folder_.get(), name.c_str(), options_.boot, log, frames_);
    if (!read) return fail_at(options_.log / name, read.error());
  }
  return {};
}

Result<void> Recovery::settle_root(std::string_view root, const FilesOfFolders& folders) {
  const bool is_in_base = !a_path_in(folders).starts_with('/');
  const fs::path path = is_in_base ? options_.base / root : fs::path(root.empty() ? "/" : root);
  for (const auto& [identity, files] : folders) {
    const FoundFolder found =
        is_in_base ? find_in_base(path, identity, folders) : find_folder(path, identity);
    if (auto settled = settle_folder(found, is_in_base, files); !settled) return settled;
  }
  return {};
}

/// A disk that fails ends the start if it is that of the data folder; others may do without theirs
/// for now.
Result<void> Recovery::settle_folder(const FoundFolder& found, bool is_in_base,
                                     const FilesOfRoot& files) {
  const auto& [path, opened] = found;
  if (!opened && is_in_base) {
    spdlog::warn("{} files that a crash may have taken have no folder any more: {}", files.size(),
                 path.string());
    return {};
  }
  auto failed = opened ? restore_in(path, opened.get(), is_in_base, files) : files;
  if (!failed && is_in_base) return fail_at(path, failed.error());
  if (!opened || !failed) report_waiting(path, files.size(), failed ? "" : failed.error().message);
  const FilesOfRoot& waiting = failed ? *failed : files;
  waiting_.insert(waiting_.end(), waiting.begin(), waiting.end());
  if (!waiting.empty() && !is_in_base) waiting_roots_.push_back(path);
  return {};
}

void Recovery::report_waiting(const fs::path& path, std::size_t files, std::string_view why) const {
  constexpr std::string_view kOnlyThat = ", that folder and not another in its place";
  spdlog::warn(
      "{} files that a crash may have taken wait until {} is there again{}{}; to give them up, "
      "delete {}*.log in {}",
      files, path.string(), why.empty() ? kOnlyThat : ": ", why, kWaitingPrefix,
      options_.log.string());
}

Result<FilesOfRoot> Recovery::restore_in(const fs::path& path, int root, bool is_in_base,
                                         const FilesOfRoot& files) {
  std::unique_ptr<Staging> staging;
  const auto standing = status_of(root, STATX_INO | STATX_BTIME);
  const bool is_copy = !standing || !(identity_of(*standing) == files.front()->record.root);
  const auto folders = is_copy ? FileRestore::Folders::any : FileRestore::Folders::own;
  FileRestore restore(root, folders, [&]() -> Result<Staging*> {
    if (staging) return staging.get();
    auto made = staging_for(path, root, is_in_base);
    if (!made) return failure_of(made);
    staging = *std::move(made);
    return staging.get();
  });
  FilesOfRoot failed;
  for (const LoggedFile* file : files) {
    if (file->is_known_to_kernel) continue;
    const auto in_root = file->record.path_in_root();
    const auto restored = restore.restore(file->record, in_root);
    if (restored) continue;
    spdlog::error("a file that a crash may have taken cannot be written and waits in {}: {}: {}",
                  options_.log.string(), (path / in_root).string(), restored.error().message);
    failed.push_back(file);
  }
  restored_files_ += restore.restored_files();
  if (::syncfs(root) != 0) return fail_with(errno);
  return failed;
}

Result<std::unique_ptr<Staging>> Recovery::staging_for(const fs::path& path, int root,
                                                       bool is_in_base) const {
  if (is_in_base && !options_.staging.empty()) {
    auto shared = Staging::open(options_.staging, true, reclaimer_);
    if (!shared || is_same_disk((*shared)->folder(), root)) return shared;
  }
  return Staging::open(path / storage::kStagingFolder, true, reclaimer_);
}

/// Of which all waits on: the disk may have no room to write it again.
void Recovery::find_logs_that_stay() {
  std::vector<std::size_t> contents(logs_.size());
  for (const KnownFrame& one : frames_) {
    RecordScan scan(one.frame.payload, one.version);
    while (const auto record = scan.next()) ++contents[one.log];
  }
  for (const LoggedFile* file : waiting_) --contents[file->log];
  for (std::size_t log = 0; log < logs_.size(); ++log) {
    logs_[log].stays = logs_[log].name.starts_with(kWaitingPrefix) && contents[log] == 0;
  }
}

/// Before the logs go.
Result<void> Recovery::keep_waiting() const {
  std::vector<std::byte> frame(LogFile::kFrameHeadBytes);
  std::uint64_t sequence = 0;
  for (const LoggedFile* file : waiting_) {
    if (logs_[file->log].stays) continue;
    append(frame, file->record);
    sequence = std::max(sequence, file->record.sequence);
  }
  if (sequence == 0) return {};
  const std::string name = std::string(kWaitingPrefix) + random_hex(8) + ".log";
  // Of no boot: the kernel does not know these files.
  auto log = LogFile::create(folder_.get(), name.c_str(), "");
  if (!log) return fail_at(options_.log / name, errno_error(log.error()));
  if (const int error = (*log)->append(sequence, frame); error != 0) {
    ::unlinkat(folder_.get(), name.c_str(), 0);
    return fail_at(options_.log / name, errno_error(error));
  }
  return FolderSync::sync_here(folder_.get());
}

/// The oldest first, and on the disk before the next: a newer one says what of it is void.
Result<void> Recovery::remove_logs() {
  for (const KnownFrame& one : frames_) logs_[one.log].last_sequence = one.frame.sequence;
  std::ranges::sort(logs_, {}, &Log::last_sequence);
  for (const Log& log : logs_) {
    if (log.stays) continue;
    const bool is_gone = ::unlinkat(folder_.get(), log.name.c_str(), 0) == 0 || errno == ENOENT;
    if (!is_gone) return fail_at(options_.log / log.name, errno_error(errno));
    if (auto synced = FolderSync::sync_here(folder_.get()); !synced) return synced;
  }
  return {};
}

}  // namespace

std::string this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

Result<std::vector<fs::path>> recover_log(const RecoveryOptions& options, Reclaimer& reclaimer) {
  return Recovery(options, reclaimer).run();
}

Result<void> recover_earlier_logs(int root, Staging& staging, std::span<const Handle> folders,
                                  const std::string& boot) {
  Frames frames;
  for (const Handle& folder : folders) {
    for (const char* name : kLogNames) {
      if (auto read = read_log(folder.get(), name, boot, 0, frames); !read) return read;
    }
  }
  if (frames.empty()) return {};
  FileRestore restore(root, FileRestore::Folders::own,
                      [&]() -> Result<Staging*> { return &staging; });
  const bool is_known =
      std::ranges::all_of(frames, [](const auto& one) { return one.is_known_to_kernel; });
  const Files files = files_in(frames);
  for (const auto& [key, file] : files) {
    if (is_known) break;
    if (auto restored = restore.restore(file.record, key.path); !restored) return restored;
  }
  if (::syncfs(staging.folder()) != 0) return fail_with(errno);
  report(restore.restored_files());
  return {};
}

}  // namespace coffer::local
