#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "async/pool.h"
#include "base/id.h"

namespace coffer::core {

/// The pools for the blocking calls of one account or one shared folder.
struct WorkPool {
  /// Threads that accounts share, and how many of them this one may use at once.
  struct Share {
    SharedThreads& threads;
    std::size_t most;
  };
  WorkPool(Share of_brief, Share of_lengthy, Share of_packing)
      : brief(of_brief.threads, of_brief.most),
        lengthy(of_lengthy.threads, of_lengthy.most),
        packing(of_packing.threads, of_packing.most) {}

  Pool brief;    ///< For short calls that a request waits for.
  Pool lengthy;  ///< For whole trees (copies, deletions, counts). Its threads have a low priority.
  /// For the compression of archives, a block at a time. One thread for each processor, of low
  /// priority: a single account may use all, since turns are short.
  Pool packing;
};

/// Coffer's threads for blocking calls. Each account and shared folder can use only a part of them,
/// so that the copies of one account, or a disk that hangs, cannot take all threads. Lengthy work
/// and packing have their own threads, so that they do not delay brief calls. Safe from any thread.
class WorkPools {
 public:
  /// Uses up to `threads` threads for brief work; for lengthy work, a fifth of that (at least two).
  explicit WorkPools(std::size_t threads);

  /// Returns the pools of an account or a shared folder. The first call creates the pools; they
  /// live as long as this object.
  WorkPool& of(AccountId account);
  WorkPool& of(const ShareId& share);
  /// Returns a pool for brief work that belongs to no account.
  Pool& common();

  SharedThreads::Load brief_load() const { return brief_.load(); }
  SharedThreads::Load lengthy_load() const { return lengthy_.load(); }
  SharedThreads::Load packing_load() const { return packing_.load(); }

 private:
  WorkPool& find(const std::string& owner, std::size_t most_lengthy);

  const std::size_t most_brief_;
  const std::size_t lengthy_threads_;
  const std::size_t packing_threads_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<WorkPool>> pools_;  ///< Outlives all threads.
  SharedThreads brief_;
  SharedThreads lengthy_;
  SharedThreads packing_;
};

}  // namespace coffer::core
