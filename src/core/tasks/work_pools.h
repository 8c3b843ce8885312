#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "async/pool.h"
#include "base/id.h"

namespace coffer::core {

/// Pools for the same account's, or the same shared folder's, calls that block.
struct WorkPool {
  WorkPool(SharedThreads& brief_threads, std::size_t most_brief, SharedThreads& lengthy_threads,
           std::size_t most_lengthy)
      : brief(brief_threads, most_brief), lengthy(lengthy_threads, most_lengthy) {}

  Pool brief;    ///< For what a request waits for and ends soon.
  Pool lengthy;  ///< For whole trees: copies, deletions, counts. Its threads give way to others.
};

/// The server's threads for calls that block, of which each account and each shared folder has a
/// bounded share. What is copied for one account, or hangs with its disk, leaves threads to the
/// others, and long work those for short requests. Safe from any thread.
class WorkPools {
 public:
  /// `threads` are for brief work; a fifth as many are for lengthy work.
  explicit WorkPools(std::size_t threads);

  /// Made when first asked for, and there as long as this is.
  WorkPool& of(AccountId account);
  WorkPool& of(const ShareId& share);
  /// For brief work that is no account's.
  Pool& common();

  SharedThreads::Load brief_load() const { return brief_.load(); }
  SharedThreads::Load lengthy_load() const { return lengthy_.load(); }

 private:
  WorkPool& find(const std::string& owner, std::size_t most_lengthy);

  const std::size_t most_brief_;
  const std::size_t lengthy_threads_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<WorkPool>> pools_;  ///< Used by the last of the work too.
  SharedThreads brief_;
  SharedThreads lengthy_;
};

}  // namespace coffer::core
