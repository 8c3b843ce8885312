#include "backends/local/log_recovery.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_sync.h"
#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/open_beneath.h"
#include "backends/local/staged_file.h"
#include "backends/local/status.h"
#include "base/log.h"
#include "base/write_all.h"

namespace coffer::local {
namespace {

/// The files that were logged last and not forgotten; they view the frames.
using Files = std::map<std::string_view, LogRecord>;

void apply(Files& files, const LogRecord& record) {
  if (record.kind == LogRecord::Kind::content) {
    files.insert_or_assign(record.path, record);
    return;
  }
  std::erase_if(files, [&](const auto& file) {
    return file.second.sequence <= record.sequence && is_at_or_beneath(file.first, record.path);
  });
}

Files files_in(const std::vector<LogFrame>& frames) {
  Files files;
  for (const LogFrame& frame : frames) {
    RecordScan scan(frame.payload);
    while (const auto record = scan.next()) apply(files, *record);
  }
  return files;
}

bool holds_content(int folder, const char* name, std::span<const std::byte> content) {
  const Handle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::vector<std::byte> found(content.size() + 1);
  std::size_t done = 0;
  while (file && done < found.size()) {
    const ssize_t count = ::read(file.get(), found.data() + done, found.size() - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return std::ranges::equal(std::span(found).first(done), content);
}

/// True if the item is the logged file, as it was or torn, and not changed by somebody later.
bool is_logged_file(const Status& item, const LogRecord& record) {
  const auto time = std::tuple(item.stx_mtime.tv_sec, item.stx_mtime.tv_nsec);
  const auto logged = std::tuple(record.modified.tv_sec, record.modified.tv_nsec);
  return is_file(item) && item.stx_ino == record.inode && time <= logged;
}

/// Restores files, one after the other.
class Recovery {
 public:
  Recovery(int root, Staging& staging) : root_(root), staging_(staging) {}

  Result<void> restore(const LogRecord& record);
  std::size_t restored_files() const { return restored_files_; }

 private:
  Result<void> write(const LogRecord& record, int folder, const char* name, bool replaces);

  const int root_;
  Staging& staging_;
  std::size_t restored_files_ = 0;
};

Result<void> Recovery::restore(const LogRecord& record) {
  const auto slash = record.path.rfind('/');
  const bool is_on_top = slash == std::string_view::npos;
  const std::string parent(is_on_top ? "" : record.path.substr(0, slash));
  const std::string name(is_on_top ? record.path : record.path.substr(slash + 1));
  const Opened folder = open_beneath(root_, parent, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
  if (!folder) {
    const int error = folder.error();
    if (error != ENOENT && error != ENOTDIR && error != ELOOP) return fail_with(error);
    spdlog::warn("a file that a crash may have taken has no folder any more: {}", record.path);
    return {};
  }
  const auto item = status_in(folder->get(), name.c_str(), STATX_TYPE | STATX_INO | STATX_MTIME);
  if (!item && item.error() != ENOENT) return fail_with(item.error());
  if (item && !is_logged_file(*item, record)) return {};
  if (item && holds_content(folder->get(), name.c_str(), record.content)) return {};
  return write(record, folder->get(), name.c_str(), item.has_value());
}

Result<void> Recovery::write(const LogRecord& record, int folder, const char* name, bool replaces) {
  StagedFile file(staging_);
  if (auto opened = file.open(); !opened) return opened;
  if (const int error = write_all(file.descriptor(), record.content); error != 0) {
    return fail_with(error);
  }
  const timespec times[2] = {{0, UTIME_OMIT}, record.modified};
  if (::futimens(file.descriptor(), times) != 0) return fail_with(errno);
  if (const int error = file.write_out(true); error != 0) return fail_with(error);
  const int error = replaces ? file.exchange(folder, name) : file.show(folder, name);
  if (error != 0) return fail_with(error);
  file.keep(replaces);
  ++restored_files_;
  return FolderSync::sync_here(folder);
}

/// What the folders' logs tell, oldest first. `boots` gets those that wrote them.
Result<std::vector<LogFrame>> read_logs(std::span<const Handle> folders,
                                        std::vector<std::string>& boots) {
  std::vector<LogFrame> frames;
  for (const Handle& folder : folders) {
    for (const char* name : kLogNames) {
      auto content = LogFile::read(folder.get(), name);
      if (!content && content.error() == ENOENT) continue;
      if (!content) return fail_with(content.error());
      if (content->frames.empty()) continue;
      boots.push_back(std::move(content->boot));
      std::ranges::move(content->frames, std::back_inserter(frames));
    }
  }
  std::ranges::sort(frames, {}, &LogFrame::sequence);
  return frames;
}

}  // namespace

std::string this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

Result<void> recover_logs(int root, Staging& staging, std::span<const Handle> folders,
                          const std::string& boot) {
  std::vector<std::string> boots;
  const auto frames = read_logs(folders, boots);
  if (!frames) return failure_of(frames);
  if (frames->empty()) return {};
  Recovery recovery(root, staging);
  const bool is_this_boot =
      !boot.empty() && std::ranges::all_of(boots, [&](const auto& own) { return own == boot; });
  // The process alone crashed: the kernel still knows every file as it was left.
  if (!is_this_boot) {
    for (const auto& [path, record] : files_in(*frames)) {
      if (auto restored = recovery.restore(record); !restored) return restored;
    }
  }
  if (::syncfs(staging.folder()) != 0) return fail_with(errno);
  if (recovery.restored_files() > 0) {
    spdlog::warn("{} files that a crash of the machine took were written again",
                 recovery.restored_files());
  }
  return {};
}

}  // namespace coffer::local
