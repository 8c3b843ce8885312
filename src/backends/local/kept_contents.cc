#include "backends/local/kept_contents.h"

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "backends/local/folder_sync.h"
#include "backends/local/log_record.h"
#include "backends/local/log_recovery.h"
#include "base/random.h"

namespace coffer::local {

int KeptContents::keep(const char* log, const std::function<Sequences()>& choose) {
  const std::lock_guard lock(mutex_);
  const Sequences chosen = choose();
  if (chosen.empty()) return 0;
  const auto content = LogFile::read(folder_, log);
  if (!content) return content.error();
  std::vector<std::byte> frame(LogFile::kFrameHeadBytes);
  std::map<std::string, std::uint64_t, std::less<>> files;
  for (const LogFrame& one : content->frames) {
    RecordScan scan(one.payload, content->version);
    while (const auto record = scan.next()) {
      const bool is_content = record->kind == LogRecord::Kind::content;
      if (!is_content || !chosen.contains(record->sequence)) continue;
      append(frame, *record);
      files.insert_or_assign(std::string(record->path), record->sequence);
    }
  }
  if (files.empty()) return 0;
  if (const int error = store(frame, *chosen.rbegin()); error != 0) return error;
  for (const auto& [path, sequence] : files) files_.insert_or_assign(path, sequence);
  return 0;
}

int KeptContents::store(std::vector<std::byte>& frame, std::uint64_t sequence) {
  if (!log_) {
    const std::string name = std::string(kKeptPrefix) + random_hex(8) + ".log";
    // Of no boot: what the kernel knows of these files is not on the disk.
    auto made = LogFile::create(folder_, name.c_str(), "");
    if (!made) return made.error();
    log_ = *std::move(made);
    if (!FolderSync::sync_here(folder_)) return EIO;
  }
  last_sequence_ = std::max(last_sequence_ + 1, sequence);
  return log_->append(last_sequence_, frame);
}

std::optional<std::uint64_t> KeptContents::last_at(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  std::optional<std::uint64_t> last;
  for (const auto& [file, sequence] : files_) {
    if (is_at_or_beneath(file, path)) last = std::max(last.value_or(0), sequence);
  }
  return last;
}

int KeptContents::drop(std::string_view path, std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  const auto is_meant = [&](const auto& file) {
    return file.second <= sequence && is_at_or_beneath(file.first, path);
  };
  if (std::ranges::none_of(files_, is_meant)) return 0;
  LogRecord record;
  record.kind = LogRecord::Kind::forgotten;
  record.sequence = sequence;
  record.path = path;
  std::vector<std::byte> frame(LogFile::kFrameHeadBytes);
  append(frame, record);
  if (const int error = store(frame, sequence); error != 0) return error;
  std::erase_if(files_, is_meant);
  return 0;
}

}  // namespace coffer::local
