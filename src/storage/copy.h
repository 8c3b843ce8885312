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

  /// True when the copy is to stop before its next block or item: it cleans up and fails with
  /// `failed`. It is asked for the last time before the copy shows.
  virtual bool was_cancelled() const { return false; }
  virtual void wrote(std::uint64_t /*bytes*/) {}
  /// A file or folder stands in the copy.
  virtual void completed_item() {}
  /// The copy shows whole, although it fails: the disk did not take its name.
  virtual void keep(const TreeSize& /*size*/) {}
};

CopyWatch& nobody();

/// Asked just before something shows: its failure is what the call fails with, and nothing shows.
using MayShow = std::function<Task<Result<void>>()>;

struct CopyOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` as soon as it would hold more.
  /// Called with the path where the copy is collected, before anything is made there, in a path of
  /// the backend; not called where the backend has a place out of sight. Its failure ends the copy.
  /// May be empty.
  std::function<Task<Result<void>>(Path)> on_staging = {};
  /// Asked when all is copied. It may wait for other work on the same backend, so no thread or
  /// connection is kept from others meanwhile. May be empty; else it may run on any executor.
  MayShow may_show = {};
  CopyWatch& watch = nobody();  ///< Outlives the call.
};

/// For backends without a place out of sight: a partial name for the copy, beside `to`, which the
/// options were called with.
Task<Result<std::string>> choose_staging(const CopyOptions& options, const Path& to);

/// `failed` if the copy is to stop.
Result<void> go_on(const CopyWatch& watch);

/// Whether the copy may show now.
Task<Result<void>> may_show(const CopyOptions& options);

}  // namespace coffer::storage
