#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/entry.h"

namespace coffer::storage {

/// Watches a copy within a backend, and may stop it. Called by the backend's threads while the
/// copy runs. This base class watches nothing.
class CopyWatch {
 public:
  virtual ~CopyWatch() = default;

  /// True if the copy is to stop before its next block or item: it then cleans up and fails with
  /// `failed`. Called for the last time before the copy shows.
  virtual bool was_cancelled() const { return false; }
  virtual void wrote(std::uint64_t /*bytes*/) {}
  /// A file or folder of the copy is complete.
  virtual void completed_item() {}
  /// The copy shows, complete, although the call fails: its name could not be synced.
  virtual void keep(const TreeSize& /*size*/) {}
};

/// A watch that does nothing.
CopyWatch& nobody();

/// Called right before something shows. If it fails, nothing shows and the call fails with its
/// error. May be empty.
using MayShow = std::function<Task<Result<void>>()>;
/// Calls it unless it is empty.
Task<Result<void>> ask(const MayShow& may_show);

struct CopyOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` as soon as it would hold more.
  /// Called with the backend's path where the copy is collected, before anything is made there. Not
  /// called by backends with a staging folder. If it fails, the copy fails. May be empty.
  std::function<Task<Result<void>>(Path)> on_staging = {};
  /// Called when all is copied. It may wait for other work on the same backend, so no thread or
  /// connection is occupied meanwhile. May be empty; may run on any executor.
  MayShow may_show = {};
  CopyWatch& watch = nobody();  ///< Must live until the call ends.
};

/// For backends without a staging folder: a partial name beside `to` for the copy, after
/// `on_staging` was called with it.
Task<Result<std::string>> choose_staging(const CopyOptions& options, const Path& to);

/// `failed` if the copy is to stop.
Result<void> go_on(const CopyWatch& watch);

/// Fails if the copy is to stop, or as `may_show` does.
Task<Result<void>> may_show(const CopyOptions& options);

}  // namespace coffer::storage
