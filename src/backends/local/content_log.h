#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "async/pool.h"
#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "base/error.h"

namespace coffer::local {

/// Makes small new files safe from a crash together, before they show: their contents go into a log
/// that is synced once for all who wait, and the files themselves reach the disk behind. What a
/// crash of the machine took is written again from the log at the next start (log_recovery.h).
///
/// Logging files claims their paths. A change of names that touches a path with a claim, or what is
/// above it, calls `release` and later `drop`; a file that does not show yet is then stored
/// without the log. Two files hold the log: while one is filled, what the other tells is
/// brought to the disk by one syncfs(2). Safe from any thread.
class ContentLog {
 public:
  struct Options {
    std::string boot;  ///< Which run of the machine this is.
    /// How long contents stay in the log alone, at most.
    std::chrono::steady_clock::duration checkpoint_after;
  };
  /// `folder` is the process's own staging folder, on the file system that is synced. `names` is
  /// the lock under which names change. `pool` must outlive the log.
  ContentLog(int folder, std::shared_mutex& names, Pool& pool, Options options);
  /// Brings everything to the disk and takes the log away, or leaves it where that fails.
  ~ContentLog();
  ContentLog(const ContentLog&) = delete;
  ContentLog& operator=(const ContentLog&) = delete;

  /// False while the log is full or broken.
  bool is_open() const;
  /// True while no file waits for the disk.
  bool is_empty() const;

  struct Claim {
    std::string path;
    std::uint64_t sequence;
  };
  /// Takes copies of the contents, all or none; nothing if a path is claimed already. To be called
  /// with `names` held, shared, so that the paths are where their folders are.
  std::optional<std::vector<Claim>> claim(std::span<LogRecord> contents);
  /// Calls `done` on a thread of the pool when all that was claimed so far is on the disk, or with
  /// false if that failed. Others wait on the same thread: it must not block for long, nor throw.
  using Done = std::move_only_function<void(bool is_stored)>;
  void when_stored(Done done);
  /// True if nothing happened to the path since; to be asked with `names` held until the file
  /// shows.
  bool holds(const Claim& claim) const;

  /// A point in the log.
  using LogPosition = std::uint64_t;
  /// Ends the claims of the path and of what is beneath it; nothing if there were none, and no file
  /// there waits for the disk. To be called with `names` held alone.
  std::optional<LogPosition> release(std::string_view path);
  /// Brings the files at the path and beneath it to the disk, so that they need no log. Blocks.
  Result<void> write_out(int root, std::string_view path);
  /// What was logged of the path and of what is beneath it, up to the mark, is not written again
  /// after a crash. Blocks; `failed` if that cannot be promised.
  Result<void> drop(std::string_view path, LogPosition mark);

 private:
  /// What is written and synced in one go, and who waits for it.
  struct Batch {
    std::vector<std::byte> frame = std::vector<std::byte>(LogFile::kFrameHeadBytes);
    std::vector<Done> waiting;
    std::vector<std::promise<bool>> blocked;
    bool is_due() const { return !waiting.empty() || !blocked.empty(); }
  };
  struct Entry {
    std::uint64_t sequence;
    bool is_claimed;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  using Lock = std::unique_lock<std::mutex>;

  bool wait_stored(const LogRecord& record);
  void store_batches();
  void store_next(Lock& lock);
  bool store(Batch& batch, std::size_t index, std::uint64_t sequence);
  template <class F>
  void for_each_at(std::string_view path, F f);
  void checkpoint_in_background();
  /// Brings all that is in the log to the disk; the log then starts empty in the other file.
  bool checkpoint();

  const int folder_;
  std::shared_mutex& names_;
  Pool& pool_;
  const Options options_;

  std::mutex checkpoint_mutex_;  ///< Taken before `names_`, and that before the next.
  mutable std::mutex mutex_;
  Entries entries_;  ///< Of both files and of what is on its way to them.
  std::uint64_t last_sequence_;
  std::uint64_t checkpointing_ = 0;  ///< Up to here nothing holds: it is being settled.
  Batch next_;
  std::uint64_t next_begins_ = 0;          ///< Sequences up to here are in batches before the next.
  std::optional<std::size_t> storing_to_;  ///< Which file a batch is written to now.
  std::array<std::unique_ptr<LogFile>, 2> files_;  ///< The active one is the writing thread's.
  std::size_t active_ = 0;
  std::uint64_t used_bytes_ = 0;  ///< Of the active file.
  bool is_refused_ = false;       ///< The active file took no more.
  bool is_broken_ = false;        ///< What is in the log could not be settled.
  bool is_stopping_ = false;
  std::condition_variable due_;     ///< The next batch, or it is time to stop.
  std::condition_variable wake_;    ///< For the settler.
  std::condition_variable stored_;  ///< A batch was written.
  std::thread writer_;
  std::thread checkpointer_;
};

}  // namespace coffer::local
