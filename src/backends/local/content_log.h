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
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "async/pool.h"
#include "backends/local/handle.h"
#include "backends/local/kept_contents.h"
#include "backends/local/log_file.h"
#include "backends/local/log_record.h"
#include "backends/local/root.h"
#include "base/error.h"

namespace coffer::local {

/// Makes small new files safe from a crash together, before they show: their contents go into a log
/// that is synced once for all who wait, and the files themselves reach the disk behind. What a
/// crash of the machine took is written again from the log at the next start (log_recovery.h).
///
/// One log serves all roots: paths in it are absolute and without links, so that what is changed
/// through one root is known to others that hold the same folder. Logging a file claims its path. A
/// change of names is announced with `begin_change`, which ends the claims at and beneath its path
/// and lives until the change is on the disk, and `drop` then; a file that does not show yet is
/// stored without the log meanwhile.
/// Showing a file and changing names above it exclude each other, whichever roots they come from.
/// Two files hold the log: while one is filled, what the other tells is brought to the disk by one
/// syncfs(2) for each file system; what a disk does not take is kept for the next start. Safe from
/// any thread.
class ContentLog {
 public:
  struct Options {
    std::string base;  ///< Roots beneath this folder are named from it on, so that it can be moved.
    std::string boot;  ///< Which run of the machine this is.
    /// How long contents stay in the log alone, at most.
    std::chrono::steady_clock::duration checkpoint_after;
  };
  /// `folder` is where the log's files are to be.
  ContentLog(Handle folder, Options options);
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
  using Claims = std::vector<Claim>;
  /// Takes copies of the contents of files beneath the root, all or none; nothing if a path is
  /// claimed already or being changed. The records' paths are absolute.
  std::optional<Claims> claim(const std::shared_ptr<const Root>& root,
                              std::span<LogRecord> contents);
  /// Calls `done` on a thread of the pool when all that was claimed so far is on the disk, or with
  /// false if that failed. Others of the pool wait on the same thread: it must not block for long,
  /// nor throw. The pool must outlive that call.
  using Done = std::move_only_function<void(bool is_stored)>;
  void when_stored(Pool& pool, Done done);
  /// False if something happened to one of the paths since. Otherwise changes of them, and the
  /// checkpoint, wait until `end_showing`, which is to come soon.
  bool begin_showing(const Claims& claims);
  void end_showing(const Claims& claims);

  /// A point in the log.
  using LogPosition = std::uint64_t;
  /// A change of a name. While it lives, nothing is claimed there or beneath.
  class Change {
   public:
    Change(ContentLog& log, std::string path);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;
    const std::string& path() const { return *path_; }

   private:
    friend class ContentLog;
    ContentLog& log_;
    std::multiset<std::string>::iterator path_;
    std::optional<LogPosition> position_;  ///< Of the last that was claimed there.
  };
  /// To be called before the change. Ends the claims of the path and of what is beneath it, and
  /// waits for files that begin to show there.
  std::unique_ptr<Change> begin_change(std::string path) {
    return std::make_unique<Change>(*this, std::move(path));
  }
  /// Brings the files at the path and beneath it to the disk, so that they need no log; fails for
  /// good where the disk did not take them. Blocks.
  Result<void> write_out(std::string_view path);
  /// To be called when the change is on the disk: what was logged there before it is not written
  /// again after a crash. Blocks; `failed` if that cannot be promised.
  Result<void> drop(const Change& change);
  /// The same for claims of which nothing shows any more, together.
  Result<void> drop(std::span<const Claim> claims);

 private:
  /// From here on the files are brought to the disk at once.
  static constexpr std::uint64_t kCheckpointBytes = 16 * 1024 * 1024;

  /// What is written and synced in one go, and who waits for it.
  struct Batch {
    std::vector<std::byte> frame = std::vector<std::byte>(LogFile::kFrameHeadBytes);
    std::map<Pool*, std::vector<Done>> waiting;
    std::vector<std::promise<bool>> blocked;
    bool is_due() const { return !waiting.empty() || !blocked.empty(); }
  };
  struct Entry {
    std::uint64_t sequence;
    bool is_claimed;
    std::shared_ptr<const Root> root;
    std::size_t root_bytes;  ///< How much of the path leads to the root.
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  using Lock = std::unique_lock<std::mutex>;
  using Roots = std::vector<std::shared_ptr<const Root>>;

  bool is_free(std::string_view path) const;
  bool is_of_folder_before(const LogRecord& record, const Root& root) const;
  bool begin_threads();
  bool holds(const Claim& claim) const;
  std::string_view stored_path(std::string_view path) const;
  void add(LogRecord record);
  Result<void> drop_entries(const Claim& claim);
  bool wait_forgotten(std::span<const Claim> claims);
  void store_batches();
  void store_next(Lock& lock);
  bool store(Batch& batch, std::size_t index, std::uint64_t sequence);
  template <class F>
  void for_each_at(std::string_view path, F f);
  void checkpoint_in_background();
  /// Brings all that is in the log to the disk; the log then starts empty in the other file. What
  /// fails is tried again the next time, and nothing is logged until then.
  bool checkpoint();
  std::size_t begin_checkpoint(Lock& lock);
  bool settle(std::size_t full);
  Roots roots_to_sync() const;
  KeptContents::Sequences not_taken() const;
  void give_up(const Root& failed, int error);
  bool end_checkpoint(int error);

  const Handle folder_;
  const Options options_;
  KeptContents kept_;

  std::mutex checkpoint_mutex_;  ///< Taken before the next.
  mutable std::mutex mutex_;     ///< Nothing is waited for with it but what is below.
  Entries entries_;              ///< Of both files and of what is on its way to them.
  std::uint64_t last_sequence_;
  std::uint64_t checkpointing_ = 0;      ///< Up to here nothing holds: it is being settled.
  std::multiset<LogPosition> showing_;   ///< Of claims.
  std::multiset<std::string> changing_;  ///< Paths.
  Batch next_;
  std::uint64_t next_begins_ = 0;          ///< Sequences up to here are in batches before the next.
  std::optional<std::size_t> storing_to_;  ///< Which file a batch is written to now.
  std::array<std::unique_ptr<LogFile>, 2> files_;  ///< The active one is the writing thread's.
  std::size_t active_ = 0;
  std::uint64_t used_bytes_ = 0;  ///< Of the active file.
  bool is_refused_ = false;       ///< The active file took no more.
  bool is_broken_ = false;        ///< The other file could not be settled.
  bool is_stopping_ = false;
  std::condition_variable due_;     ///< The next batch, or it is time to stop.
  std::condition_variable wake_;    ///< For the checkpointing thread.
  std::condition_variable stored_;  ///< A batch was written.
  std::condition_variable shown_;   ///< Files have shown.
  std::thread writer_;
  std::thread checkpointer_;
};

}  // namespace coffer::local
