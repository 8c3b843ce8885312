#include "backends/local/earlier_log.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <expected>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/local/errno_error.h"
#include "backends/local/folder_scan.h"
#include "backends/local/handle.h"
#include "backends/local/status.h"
#include "base/disk.h"
#include "base/log.h"

namespace coffer::local {
namespace {

namespace fs = std::filesystem;

// A log file is a head of one block, and frames that each begin with a block. A frame was synced
// before the next was written; it counts if its SipHash under the head's key fits, so the first
// that does not is the end. A frame holds records. All numbers are in the machine's byte order.

constexpr std::uint64_t kBlockBytes = 4096;
constexpr std::string_view kMagic = "coffer log 2\n";

struct FileHead {
  std::array<char, 16> magic;
  std::array<char, 80> boot;  ///< "boot=…\n": the run of the machine that wrote it.
  std::array<unsigned char, crypto_shorthash_KEYBYTES> key;
};

struct FrameHead {
  std::uint64_t hash;  ///< Of all that follows in the frame.
  std::uint64_t sequence;
  std::uint64_t payload_bytes;
};

struct StoredTime {
  std::int64_t seconds;
  std::int64_t nanoseconds;
};

/// The path and the content follow.
struct RecordHead {
  std::uint64_t sequence;
  std::uint64_t inode;  ///< Of the file when it was logged.
  std::int64_t modified_seconds;
  std::uint32_t modified_nanoseconds;
  std::uint32_t path_bytes;
  std::uint32_t content_bytes;
  std::uint32_t
      kind;  ///< 0: a file's content. 1: earlier records at and beneath the path are void.
  StoredTime made;
  std::int64_t made_since_boot_ns;
  std::uint64_t folder_inode;  ///< Of the folder that the file was put into.
  std::uint64_t root_inode;
  StoredTime root_born;
  std::uint64_t root_bytes;  ///< How much of the path leads to the root.
};
static_assert(sizeof(FileHead) == 112 && sizeof(FrameHead) == 24 && sizeof(RecordHead) == 104);

struct Frame {
  std::uint64_t sequence;
  bool is_of_this_boot;
  std::vector<std::byte> payload;
};

/// One record; it views its frame. Paths beneath the data folder are relative to it.
struct Record {
  RecordHead head;
  std::string_view path;
  std::span<const std::byte> content;
  bool is_of_this_boot;

  RootIdentity root() const {
    return {head.root_inode,
            {head.root_born.seconds, static_cast<long>(head.root_born.nanoseconds)}};
  }
  std::string_view root_path() const { return path.substr(0, head.root_bytes); }
  std::string_view path_in_root() const {
    const bool is_beneath = head.root_bytes < path.size() && path[head.root_bytes] == '/';
    return is_beneath ? path.substr(head.root_bytes + 1) : path;
  }
};

/// One after the other, two folders may have stood at the path of a root or of a folder in it.
using FileKey = std::tuple<std::string_view, RootIdentity, std::uint64_t>;

std::string this_boot() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  std::getline(file, boot);
  return boot;
}

std::expected<std::vector<std::byte>, int> read_all(int folder, const char* name) {
  const Handle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file) return std::unexpected(errno);
  const auto status = status_of(file.get(), kSizeMask);
  if (!status) return std::unexpected(status.error());
  if (!is_file(*status)) return std::vector<std::byte>();  // Such as a FIFO, which has no end.
  std::vector<std::byte> bytes(status->stx_size);
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::unexpected(errno);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

/// Takes a T off the front; false if the bytes are too few.
template <class T>
bool take(std::span<const std::byte>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

bool is_whole(const FileHead& file, const FrameHead& head, std::span<const std::byte> frame) {
  const auto hashed = frame.first(sizeof(head) + head.payload_bytes).subspan(sizeof(head.hash));
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash),
                   reinterpret_cast<const unsigned char*>(hashed.data()), hashed.size(),
                   file.key.data());
  return hash == head.hash;
}

/// Adds the frames of a log file; false if its bytes are no log file's. A file without a whole
/// head, or with zeros alone, has no frames: its making was interrupted.
bool add_frames(std::span<const std::byte> bytes, const std::string& boot,
                std::vector<Frame>& frames) {
  FileHead file{};
  auto front = bytes;
  if (bytes.size() < kBlockBytes || !take(front, file)) return true;
  if (!std::string_view(file.magic.data(), file.magic.size()).starts_with(kMagic)) {
    return std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{0}; });
  }
  const std::string_view marked(file.boot.data(), file.boot.size());
  const bool is_of_this_boot = !boot.empty() && marked.starts_with("boot=" + boot + '\n');
  bytes = bytes.subspan(kBlockBytes);
  FrameHead head{};
  for (front = bytes; take(front, head); front = bytes) {
    if (head.payload_bytes > front.size() || !is_whole(file, head, bytes)) break;
    const auto payload = front.first(head.payload_bytes);
    frames.push_back({head.sequence, is_of_this_boot, {payload.begin(), payload.end()}});
    const auto frame_bytes = sizeof(head) + head.payload_bytes;
    const auto blocks = (frame_bytes + kBlockBytes - 1) / kBlockBytes;
    bytes = bytes.subspan(std::min<std::uint64_t>(blocks * kBlockBytes, bytes.size()));
  }
  return true;
}

std::optional<Record> take_record(std::span<const std::byte>& bytes, bool is_of_this_boot) {
  Record record{.head = {}, .path = {}, .content = {}, .is_of_this_boot = is_of_this_boot};
  const RecordHead& head = record.head;
  if (!take(bytes, record.head) || head.kind > 1 || head.root_bytes > head.path_bytes ||
      bytes.size() < std::size_t{head.path_bytes} + head.content_bytes) {
    return std::nullopt;
  }
  record.path = {reinterpret_cast<const char*>(bytes.data()), head.path_bytes};
  record.content = bytes.subspan(head.path_bytes, head.content_bytes);
  bytes = bytes.subspan(std::size_t{head.path_bytes} + head.content_bytes);
  return record;
}

/// The files that were logged last and are not void.
std::map<FileKey, Record> files_in(const std::vector<Frame>& frames) {
  std::map<FileKey, Record> files;
  for (const Frame& frame : frames) {
    std::span<const std::byte> rest = frame.payload;
    while (const auto record = take_record(rest, frame.is_of_this_boot)) {
      if (record->head.kind == 0) {
        const FileKey key(record->path, record->root(), record->head.folder_inode);
        files.insert_or_assign(key, *record);
        continue;
      }
      std::erase_if(files, [&](const auto& known) {
        return known.second.head.sequence <= record->head.sequence &&
               is_at_or_beneath(known.second.path, record->path);
      });
    }
  }
  return files;
}

bool holds_content(int folder, const char* name, std::span<const std::byte> content) {
  const Handle file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::vector<std::byte> found(content.size() + 1);
  std::size_t done = 0;
  // The kernel may remember content that the disk did not take.
  if (file) ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
  while (file && done < found.size()) {
    const ssize_t count = ::read(file.get(), found.data() + done, found.size() - done);
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return std::ranges::equal(std::span(found).first(done), content);
}

/// Makes a file, whose name must be free, and brings it to the disk. The errno, or 0.
int write_file(const Record& record, int folder, const char* name) {
  const Handle file(::openat(folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  if (!file) return errno;
  if (const int error = write_all(file.get(), record.content); error != 0) return error;
  const timespec modified{record.head.modified_seconds,
                          static_cast<long>(record.head.modified_nanoseconds)};
  const timespec times[2] = {{0, UTIME_OMIT}, modified};
  if (::futimens(file.get(), times) != 0 || ::fsync(file.get()) != 0) return errno;
  const std::string link = "/proc/self/fd/" + std::to_string(file.get());
  if (::linkat(AT_FDCWD, link.c_str(), folder, name, AT_SYMLINK_FOLLOW) != 0) return errno;
  // Without a journal, ext4 has to be asked for the new count of links too.
  return ::fsync(file.get()) == 0 && ::fsync(folder) == 0 ? 0 : errno;
}

/// True if the file stands in its place afterwards, or was changed there later.
bool put_back(int root, const Record& record) {
  const fs::path path(record.path_in_root());
  const std::string name = path.filename();
  const Opened folder =
      open_beneath(root, path.parent_path(), O_RDONLY | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
  if (!folder) return false;
  const auto place = status_of(folder->get(), STATX_INO);
  if (!place || place->stx_ino != record.head.folder_inode) return false;
  constexpr unsigned kMask = STATX_TYPE | STATX_INO | STATX_MTIME;
  const auto item = status_in(folder->get(), name.c_str(), kMask);
  if (item) {
    const bool is_logged = is_file(*item) && item->stx_ino == record.head.inode;
    using Time = std::pair<std::int64_t, std::uint32_t>;
    const Time modified{item->stx_mtime.tv_sec, item->stx_mtime.tv_nsec};
    const Time logged{record.head.modified_seconds, record.head.modified_nanoseconds};
    if (is_logged && modified > logged) return true;
    if (is_file(*item) && holds_content(folder->get(), name.c_str(), record.content)) return true;
    // A torn file goes first: should the power fail here, it is missing at the next start.
    if (!is_logged || ::unlinkat(folder->get(), name.c_str(), 0) != 0) return false;
  } else if (item.error() != ENOENT) {
    return false;
  }
  return write_file(record, folder->get(), name.c_str()) == 0;
}

class EarlierLog {
 public:
  explicit EarlierLog(const fs::path& data)
      : data_(data), folder_(data / "content-log"), read_folder_(data / "content-log.read") {}

  Result<void> recover();

 private:
  Result<void> read_frames(int folder);
  Result<void> restore(const Record& record);
  const Handle& root_of(const Record& record);
  Result<void> keep(const Record& record) const;
  Result<void> save_unknown(const fs::path& name) const;
  Result<void> remove_read() const;

  const fs::path data_;
  const fs::path folder_;
  const fs::path read_folder_;  ///< Its name while it is removed.
  std::vector<Frame> frames_;
  std::map<std::pair<std::string_view, RootIdentity>, Handle> roots_;
};

std::unexpected<Error> fail_at(const fs::path& path, int error) {
  const Error reason = errno_error(error);
  return fail(reason.code, path.string() + ": " + reason.message);
}

Result<void> EarlierLog::recover() {
  TRY_VOID(remove_read());
  const Handle folder = open_top(folder_);
  if (!folder && errno == ENOENT) return {};
  if (!folder) return fail_at(folder_, errno);
  TRY_VOID(read_frames(folder.get()));
  const auto files = files_in(frames_);
  for (const auto& [key, record] : files) {
    TRY_VOID(restore(record));
  }
  spdlog::info("read the content log of an earlier version, with {} files", files.size());
  // In one step: a newer file of the log, which says what of an older one is void, never goes
  // alone.
  if (::rename(folder_.c_str(), read_folder_.c_str()) != 0) return fail_at(folder_, errno);
  if (!sync_folder(data_)) return fail_at(data_, errno);
  return remove_read();
}

Result<void> EarlierLog::read_frames(int folder) {
  const std::string boot = this_boot();
  FolderScan scan(folder);
  while (const FolderScan::Entry* item = scan.next()) {
    if (!std::string_view(item->name).ends_with(".log")) continue;
    const auto bytes = read_all(folder, item->name);
    if (!bytes) return fail_at(folder_ / item->name, bytes.error());
    if (!add_frames(*bytes, boot, frames_)) TRY_VOID(save_unknown(item->name));
  }
  if (scan.error() != 0) return fail_at(folder_, scan.error());
  std::ranges::sort(frames_, {}, &Frame::sequence);
  return {};
}

/// After a crash of the process alone the kernel has every file as it was left.
Result<void> EarlierLog::restore(const Record& record) {
  const Handle& root = root_of(record);
  if (root && (record.is_of_this_boot || put_back(root.get(), record))) return {};
  return keep(record);
}

/// The root with all that the kernel has of it on the disk; empty if another folder is there.
const Handle& EarlierLog::root_of(const Record& record) {
  const auto [known, is_new] = roots_.try_emplace({record.root_path(), record.root()});
  if (!is_new) return known->second;
  const bool is_in_data = !record.path.starts_with('/');
  const fs::path outside = record.root_path().empty() ? "/" : record.root_path();
  Handle root = open_top(is_in_data ? data_ / record.root_path() : outside);
  const auto status = status_of(root.get(), STATX_INO | STATX_BTIME);
  const bool is_same = status && identity_of(*status) == record.root();
  if (is_same && ::syncfs(root.get()) == 0) known->second = std::move(root);
  return known->second;
}

/// Syncs also a folder that is there: a start that was interrupted may have made it.
Result<void> make_synced(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return fail_at(folder, errno);
  if (!sync_new_folder(folder)) return fail_at(folder, errno);
  return {};
}

Result<void> EarlierLog::keep(const Record& record) const {
  const fs::path kept = data_ / "recovered";
  fs::path place = kept / std::to_string(record.head.sequence);
  const std::string name = fs::path(record.path).filename();
  TRY_VOID(make_synced(kept));
  for (;; place += "-") {
    TRY_VOID(make_synced(place));
    const Handle folder = open_top(place);
    if (!folder) return fail_at(place, errno);
    const int error = write_file(record, folder.get(), name.c_str());
    if (error == 0) break;
    if (error != EEXIST) return fail_at(place / name, error);
    if (holds_content(folder.get(), name.c_str(), record.content)) break;
  }
  spdlog::warn("{} may be lost after a crash and cannot be restored; its content is saved as {}",
               record.path, (place / name).string());
  return {};
}

/// A link, so that a log that is read again after an interruption is read whole.
Result<void> EarlierLog::save_unknown(const fs::path& name) const {
  const fs::path folder = data_ / "recovered";
  fs::path saved = folder / name;
  TRY_VOID(make_synced(folder));
  while (::link((folder_ / name).c_str(), saved.c_str()) != 0) {
    if (errno != EEXIST) return fail_at(saved, errno);
    std::error_code error;
    if (fs::equivalent(folder_ / name, saved, error)) break;
    saved += "-";
  }
  if (!sync_folder(folder)) return fail_at(folder, errno);
  spdlog::warn("{} is no content log; it is saved as {}", (folder_ / name).string(),
               saved.string());
  return {};
}

Result<void> EarlierLog::remove_read() const {
  std::error_code error;
  fs::remove_all(read_folder_, error);
  if (error) return fail_at(read_folder_, error.value());
  return {};
}

}  // namespace

Result<void> recover_earlier_log(const fs::path& data) {
  return EarlierLog(data).recover();
}

}  // namespace coffer::local
