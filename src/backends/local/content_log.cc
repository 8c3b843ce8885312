#include "backends/local/content_log.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/handle.h"
#include "backends/local/log_recovery.h"
#include "backends/local/open_beneath.h"
#include "base/log.h"

namespace coffer::local {
namespace {

/// From here on the files are brought to the disk at once.
constexpr std::uint64_t kCheckpointBytes = 16 * 1024 * 1024;
/// From here on files are stored without the log until that is done.
constexpr std::uint64_t kFullBytes = 48 * 1024 * 1024;
/// Up to here files are synced one by one, beyond it with all else that waits for the disk.
constexpr std::size_t kSyncedSingly = 32;

std::uint64_t first_sequence() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

bool is_gone(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

/// The errno, or 0; also where nothing is there any more.
int sync_beneath(int root, const std::string& path, std::uint64_t flags) {
  const Opened item = open_beneath(root, path, flags | O_RDONLY | O_NONBLOCK, RESOLVE_NO_SYMLINKS);
  if (!item) return is_gone(item.error()) ? 0 : item.error();
  return ::fsync(item->get()) == 0 ? 0 : errno;
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace

ContentLog::ContentLog(int folder, std::shared_mutex& names, Pool& pool, Options options)
    : folder_(folder),
      names_(names),
      pool_(pool),
      options_(std::move(options)),
      last_sequence_(first_sequence()) {}

ContentLog::~ContentLog() {
  {
    const Lock lock(mutex_);
    is_stopping_ = true;
  }
  due_.notify_all();
  wake_.notify_all();
  if (writer_.joinable()) writer_.join();
  if (checkpointer_.joinable()) checkpointer_.join();
  if (!entries_.empty() && !checkpoint()) return;
  for (const char* name : kLogNames) ::unlinkat(folder_, name, 0);
}

bool ContentLog::is_open() const {
  const Lock lock(mutex_);
  return !is_broken_ && !is_refused_ && used_bytes_ + next_.frame.size() < kFullBytes;
}

bool ContentLog::is_empty() const {
  const Lock lock(mutex_);
  return entries_.empty();
}

std::optional<std::vector<ContentLog::Claim>> ContentLog::claim(std::span<LogRecord> contents) {
  const Lock lock(mutex_);
  const bool is_free = std::ranges::all_of(contents, [&](const LogRecord& record) {
    const auto found = entries_.find(record.path);
    return found == entries_.end() || !found->second.is_claimed;
  });
  if (!is_free) return std::nullopt;
  std::vector<Claim> claims;
  for (LogRecord& record : contents) {
    record.sequence = ++last_sequence_;
    append(next_.frame, record);
    claims.emplace_back(std::string(record.path), record.sequence);
    entries_.insert_or_assign(claims.back().path, Entry{record.sequence, true});
  }
  if (!writer_.joinable()) {
    writer_ = std::thread([this] { store_batches(); });
    checkpointer_ = std::thread([this] { checkpoint_in_background(); });
  }
  if (entries_.size() == claims.size()) wake_.notify_all();
  return claims;
}

void ContentLog::when_stored(Done done) {
  const Lock lock(mutex_);
  next_.waiting.push_back(std::move(done));
  if (next_.waiting.size() == 1) due_.notify_one();
}

bool ContentLog::wait_stored(const LogRecord& record) {
  std::promise<bool> promise;
  auto stored = promise.get_future();
  {
    const Lock lock(mutex_);
    append(next_.frame, record);
    next_.blocked.push_back(std::move(promise));
  }
  due_.notify_one();
  return stored.get();
}

void ContentLog::store_batches() {
  Lock lock(mutex_);
  while (true) {
    due_.wait(lock, [&] { return is_stopping_ || next_.is_due(); });
    if (!next_.is_due()) return;
    store_next(lock);
  }
}

// All who joined while the batch before was written share one write and one sync.
void ContentLog::store_next(Lock& lock) {
  Batch batch = std::exchange(next_, Batch{});
  // A number of its own, also where all it holds is `forgotten`: frames are read in their order.
  next_begins_ = ++last_sequence_;
  const std::size_t index = active_;
  bool is_stored = !is_refused_ && !is_broken_;
  if (is_stored) {
    storing_to_ = index;
    lock.unlock();
    is_stored = store(batch, index, next_begins_);
    lock.lock();
    storing_to_.reset();
    stored_.notify_all();
  }
  if (index == active_) {
    is_refused_ = !is_stored;
    used_bytes_ = is_stored ? files_.at(index)->used_bytes() : 0;
    if (is_refused_ || used_bytes_ >= kCheckpointBytes) wake_.notify_all();
  }
  for (std::promise<bool>& blocked : batch.blocked) blocked.set_value(is_stored);
  if (batch.waiting.empty()) return;
  lock.unlock();
  pool_.post([waiting = std::move(batch.waiting), is_stored]() mutable {
    for (Done& done : waiting) done(is_stored);
  });
  lock.lock();
}

bool ContentLog::store(Batch& batch, std::size_t index, std::uint64_t sequence) {
  auto& file = files_.at(index);
  int error = 0;
  if (!file) {
    auto made = LogFile::create(folder_, kLogNames.at(index), options_.boot);
    if (made) file = std::move(*made);
    if (!made) error = made.error();
  }
  if (file) error = file->append(sequence, batch.frame);
  if (error != 0) spdlog::error("the content log: {}", errno_error(error).message);
  return error == 0;
}

bool ContentLog::holds(const Claim& claim) const {
  const Lock lock(mutex_);
  const auto found = entries_.find(claim.path);
  return claim.sequence > checkpointing_ && found != entries_.end() && found->second.is_claimed &&
         found->second.sequence == claim.sequence;
}

/// Calls `f` with the entry of the path and those beneath it.
template <class F>
void ContentLog::for_each_at(std::string_view path, F f) {
  const auto own = entries_.find(path);
  if (own != entries_.end()) f(*own);
  const std::string beneath = std::string(path) + '/';
  for (auto entry = entries_.lower_bound(beneath);
       entry != entries_.end() && entry->first.starts_with(beneath); ++entry) {
    f(*entry);
  }
}

std::optional<ContentLog::LogPosition> ContentLog::release(std::string_view path) {
  const Lock lock(mutex_);
  std::optional<LogPosition> mark;
  for_each_at(path, [&](Entries::value_type& entry) {
    entry.second.is_claimed = false;
    mark = std::max(mark.value_or(0), entry.second.sequence);
  });
  return mark;
}

Result<void> ContentLog::write_out(int root, std::string_view path) {
  std::set<std::string> files;
  std::set<std::string> folders;
  {
    const Lock lock(mutex_);
    for_each_at(path, [&](Entries::value_type& entry) {
      folders.insert(parent_of(entry.first));
      files.insert(entry.first);
    });
  }
  if (files.size() > kSyncedSingly) {
    if (::syncfs(folder_) != 0) return fail_with(errno);
    return {};
  }
  for (const std::string& file : files) {
    if (const int error = sync_beneath(root, file, O_NOFOLLOW); error != 0) return fail_with(error);
  }
  for (const std::string& folder : folders) {
    if (const int error = sync_beneath(root, folder, O_DIRECTORY); error != 0) {
      return fail_with(error);
    }
  }
  return {};
}

Result<void> ContentLog::drop(std::string_view path, LogPosition mark) {
  LogRecord record;
  record.kind = LogRecord::Kind::forgotten;
  record.sequence = mark;
  record.path = path;
  const bool is_forgotten = wait_stored(record);
  // Without the log, nothing in it is needed, or held, any more.
  if (!is_forgotten && !checkpoint()) {
    return fail(ErrorCode::failed, "The disk did not take what happened to the file.");
  }
  const Lock lock(mutex_);
  std::vector<std::string> gone;
  for_each_at(path, [&](const Entries::value_type& entry) {
    if (entry.second.sequence <= mark) gone.push_back(entry.first);
  });
  for (const std::string& file : gone) entries_.erase(file);
  return {};
}

void ContentLog::checkpoint_in_background() {
  Lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return is_stopping_ || !entries_.empty(); });
    const auto is_due = [&] {
      return is_stopping_ || is_refused_ || used_bytes_ >= kCheckpointBytes;
    };
    wake_.wait_for(lock, options_.checkpoint_after, is_due);
    if (is_stopping_ || is_broken_) return;
    lock.unlock();
    checkpoint();
    lock.lock();
  }
}

bool ContentLog::checkpoint() {
  const std::lock_guard one(checkpoint_mutex_);
  std::size_t full = 0;
  {
    // Who is about to show a file has asked `holds` before, or will be told no.
    const std::unique_lock alone(names_);
    const Lock lock(mutex_);
    if (is_broken_) return false;
    full = std::exchange(active_, 1 - active_);
    checkpointing_ = next_begins_;
    is_refused_ = false;
    used_bytes_ = 0;
  }
  {
    Lock lock(mutex_);
    stored_.wait(lock, [&] { return storing_to_ != full; });
  }
  int error = ::syncfs(folder_) == 0 ? 0 : errno;
  if (error == 0 && files_.at(full)) error = files_.at(full)->clear();
  const Lock lock(mutex_);
  if (error == 0) {
    std::erase_if(entries_,
                  [&](const auto& entry) { return entry.second.sequence <= checkpointing_; });
  } else {
    spdlog::error("the content log cannot be settled: {}", errno_error(error).message);
    is_broken_ = true;
  }
  return error == 0;
}

}  // namespace coffer::local
