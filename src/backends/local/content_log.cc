#include "backends/local/content_log.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "backends/local/errno_error.h"
#include "backends/local/log_recovery.h"
#include "backends/local/open_beneath.h"
#include "base/log.h"

namespace coffer::local {
namespace {

/// From here on files are stored without the log until that is done.
constexpr std::uint64_t kFullBytes = 48 * 1024 * 1024;
/// Up to here files are synced one by one, beyond it with all else that waits for the disk.
constexpr std::size_t kSyncedSingly = 32;

std::uint64_t first_sequence() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

/// Not of what is short in this process.
bool is_of_disk(int error) {
  return error == EIO || error == ENOSPC || error == EDQUOT || error == EROFS;
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

ContentLog::ContentLog(Handle folder, Options options)
    : folder_(std::move(folder)),
      options_(std::move(options)),
      kept_(folder_.get()),
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
  // The active file tells what of the other is void.
  for (const std::size_t index : {1 - active_, active_}) {
    ::unlinkat(folder_.get(), kLogNames.at(index), 0);
  }
}

bool ContentLog::is_open() const {
  const Lock lock(mutex_);
  return !is_broken_ && !is_refused_ && used_bytes_ + next_.frame.size() < kFullBytes;
}

bool ContentLog::is_empty() const {
  const Lock lock(mutex_);
  return entries_.empty();
}

bool ContentLog::is_free(std::string_view path) const {
  const auto found = entries_.find(path);
  if (found != entries_.end() && found->second.is_claimed) return false;
  return std::ranges::none_of(changing_,
                              [&](const std::string& top) { return is_at_or_beneath(path, top); });
}

/// Of one that stood at the root's path: its disk may be another, which is to be synced too.
bool ContentLog::is_of_folder_before(const LogRecord& record, const Root& root) const {
  const auto found = entries_.find(record.path);
  if (found == entries_.end() || found->second.root_bytes != record.root_bytes) return false;
  const Root& before = *found->second.root;
  return before.device != root.device || !(before.identity == root.identity);
}

std::optional<ContentLog::Claims> ContentLog::claim(const std::shared_ptr<const Root>& root,
                                                    std::span<LogRecord> contents) {
  const Lock lock(mutex_);
  const auto is_free_for = [&](const LogRecord& record) {
    return is_free(record.path) && !is_of_folder_before(record, *root);
  };
  if (root->is_failing || !std::ranges::all_of(contents, is_free_for)) return std::nullopt;
  if (!begin_threads()) return std::nullopt;
  if (entries_.empty()) wake_.notify_all();
  Claims claims;
  for (LogRecord& record : contents) {
    record.sequence = ++last_sequence_;
    record.root = root->identity;
    add(record);
    claims.emplace_back(std::string(record.path), record.sequence);
    entries_.insert_or_assign(claims.back().path,
                              Entry{record.sequence, true, root, record.root_bytes});
  }
  return claims;
}

/// False where the system gives none.
bool ContentLog::begin_threads() try {
  if (!writer_.joinable()) writer_ = std::thread([this] { store_batches(); });
  if (!checkpointer_.joinable()) {
    checkpointer_ = std::thread([this] { checkpoint_in_background(); });
  }
  return true;
} catch (const std::system_error& error) {
  spdlog::error("the content log: {}", error.what());
  return false;
}

std::string_view ContentLog::stored_path(std::string_view path) const {
  const bool is_beneath =
      !options_.base.empty() && path != options_.base && is_at_or_beneath(path, options_.base);
  return is_beneath ? path.substr(options_.base.size() + 1) : path;
}

void ContentLog::add(LogRecord record) {
  const std::string_view path = stored_path(record.path);
  const std::size_t dropped = record.path.size() - path.size();
  record.path = path;
  record.root_bytes -= std::min(record.root_bytes, dropped);
  append(next_.frame, record);
}

void ContentLog::when_stored(Pool& pool, Done done) {
  const Lock lock(mutex_);
  next_.waiting[&pool].push_back(std::move(done));
  due_.notify_one();
}

bool ContentLog::wait_forgotten(std::span<const Claim> claims) {
  std::promise<bool> promise;
  auto stored = promise.get_future();
  {
    const Lock lock(mutex_);
    for (const Claim& claim : claims) {
      LogRecord record;
      record.kind = LogRecord::Kind::forgotten;
      record.sequence = claim.sequence;
      record.path = claim.path;
      add(record);
    }
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
  lock.unlock();
  for (auto& [pool, waiting] : batch.waiting) {
    pool->post([waiting = std::move(waiting), is_stored]() mutable {
      for (Done& done : waiting) done(is_stored);
    });
  }
  lock.lock();
}

bool ContentLog::store(Batch& batch, std::size_t index, std::uint64_t sequence) {
  auto& file = files_.at(index);
  int error = 0;
  if (!file) {
    auto made = LogFile::create(folder_.get(), kLogNames.at(index), options_.boot);
    if (made) file = std::move(*made);
    if (!made) error = made.error();
  }
  if (file) error = file->append(sequence, batch.frame);
  if (error != 0) spdlog::error("the content log: {}", errno_error(error).message);
  return error == 0;
}

bool ContentLog::holds(const Claim& claim) const {
  const auto found = entries_.find(claim.path);
  return claim.sequence > checkpointing_ && found != entries_.end() && found->second.is_claimed &&
         found->second.sequence == claim.sequence;
}

bool ContentLog::begin_showing(const Claims& claims) {
  const Lock lock(mutex_);
  if (!std::ranges::all_of(claims, [&](const Claim& claim) { return holds(claim); })) return false;
  for (const Claim& claim : claims) showing_.insert(claim.sequence);
  return true;
}

void ContentLog::end_showing(const Claims& claims) {
  const Lock lock(mutex_);
  for (const Claim& claim : claims) showing_.erase(showing_.find(claim.sequence));
  shown_.notify_all();
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

// What is claimed there is ended at once, so that nothing else begins to show there.
ContentLog::Change::Change(ContentLog& log, std::string path) : log_(log) {
  Lock lock(log_.mutex_);
  path_ = log_.changing_.insert(std::move(path));
  std::set<LogPosition> showing;
  log_.for_each_at(*path_, [&](Entries::value_type& entry) {
    entry.second.is_claimed = false;
    position_ = std::max(position_.value_or(0), entry.second.sequence);
    if (log_.showing_.contains(entry.second.sequence)) showing.insert(entry.second.sequence);
  });
  const auto is_over = [&](LogPosition position) { return !log_.showing_.contains(position); };
  log_.shown_.wait(lock, [&] { return std::ranges::all_of(showing, is_over); });
  lock.unlock();
  // After the look at the entries, which become kept ones.
  const auto kept = log_.kept_.last_at(log_.stored_path(*path_));
  if (kept) position_ = std::max(position_.value_or(0), *kept);
}

ContentLog::Change::~Change() {
  const Lock lock(log_.mutex_);
  log_.changing_.erase(path_);
}

Result<void> ContentLog::write_out(std::string_view path) {
  std::map<std::string, std::shared_ptr<const Root>> files;  // By their paths in their roots.
  std::map<std::string, std::shared_ptr<const Root>> folders;
  std::set<std::shared_ptr<const Root>> roots;
  {
    const Lock lock(mutex_);
    for_each_at(path, [&](Entries::value_type& entry) {
      const std::string file = entry.first.substr(entry.second.root_bytes + 1);
      folders.emplace(parent_of(file), entry.second.root);
      files.emplace(file, entry.second.root);
      roots.insert(entry.second.root);
    });
  }
  const bool is_failing = std::ranges::any_of(roots, [](auto& root) { return +root->is_failing; });
  if (is_failing || kept_.last_at(stored_path(path))) return fail_with(EIO);
  int error = 0;
  const auto sync = [&](const Root& root, auto work) {
    if (error == 0) error = work();
    if (is_of_disk(error)) give_up(root, error);
  };
  if (files.size() > kSyncedSingly || roots.size() > 1) {
    for (const auto& root : roots) sync(*root, [&] { return root->sync_file_system(); });
    files.clear();
    folders.clear();
  }
  for (const auto& [file, root] : files) {
    sync(*root, [&] { return sync_beneath(root->get(), file, O_NOFOLLOW); });
  }
  for (const auto& [folder, root] : folders) {
    sync(*root, [&] { return sync_beneath(root->get(), folder, O_DIRECTORY); });
  }
  if (error != 0) return fail_with(error);
  return {};
}

Result<void> ContentLog::drop(const Change& change) {
  if (!change.position_) return {};
  const Claim all{*change.path_, *change.position_};
  return drop(std::span(&all, 1));
}

Result<void> ContentLog::drop(std::span<const Claim> claims) {
  if (claims.empty()) return {};
  // Without the log, nothing in it is needed, or held, any more.
  if (!wait_forgotten(claims) && !checkpoint()) {
    return fail(ErrorCode::failed, "The disk did not take what happened to the file.");
  }
  for (const Claim& claim : claims) {
    if (auto dropped = drop_entries(claim); !dropped) return dropped;
  }
  return {};
}

/// Also those beneath the path.
Result<void> ContentLog::drop_entries(const Claim& claim) {
  {
    const Lock lock(mutex_);
    std::vector<std::string> gone;
    for_each_at(claim.path, [&](const Entries::value_type& entry) {
      if (entry.second.sequence <= claim.sequence) gone.push_back(entry.first);
    });
    for (const std::string& file : gone) entries_.erase(file);
  }
  const int error = kept_.drop(stored_path(claim.path), claim.sequence);
  if (error != 0) return fail_with(error);
  return {};
}

}  // namespace coffer::local
