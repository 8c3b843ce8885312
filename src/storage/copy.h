#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "storage/entry.h"

namespace coffer::storage {

/// Observes a copy within a backend and may cancel it. The backend's threads call it while the copy
/// runs. This base class does nothing.
class CopyWatch {
 public:
  virtual ~CopyWatch() = default;

  /// Returns true if the copy must stop before its next block or item. The copy then cleans up and
  /// fails with `failed`. The backend does not call this after the copy is visible.
  virtual bool was_cancelled() const { return false; }
  /// Called after `bytes` more bytes were written.
  virtual void wrote(std::uint64_t /*bytes*/) {}
  /// Called when a file or folder of the copy is complete.
  virtual void completed_item() {}
  /// Called if the name of the copy could not be synced to the disk. The call to Backend::copy then
  /// fails, although the copy is complete and visible. `size` is the size of the copy.
  virtual void keep(const TreeSize& /*size*/) {}
};

/// Returns a watch that does nothing.
CopyWatch& nobody();

/// A function that a backend calls just before an item becomes visible under its name. If the
/// function fails, the item does not become visible, and the backend's call fails with the
/// function's error. May be empty.
using MayShow = std::function<Task<Result<void>>()>;
/// Calls `may_show` and returns its result; succeeds if the function is empty.
Task<Result<void>> ask(const MayShow& may_show);

struct CopyOptions {
  std::uint64_t limit_bytes = UINT64_MAX;  ///< `over_quota` as soon as the copy would be larger.
  /// Called with the path of the partial copy, before anything is created there. If the function
  /// fails, the copy fails. Backends with a staging folder do not call it. May be empty.
  std::function<Task<Result<void>>(Path)> on_staging = {};
  /// Called after the copying, before the copy becomes visible. May wait for other work on the same
  /// backend, so the backend holds no thread or connection meanwhile. May run on any executor.
  MayShow may_show = {};
  CopyWatch& watch = nobody();  ///< Must outlive the call.
};

/// Chooses a partial name beside `to`, calls `options.on_staging` with its path, and returns the
/// name. For backends without a staging folder.
Task<Result<std::string>> choose_staging(const CopyOptions& options, const Path& to);

/// `failed` if the copy was cancelled.
Result<void> go_on(const CopyWatch& watch);

/// `failed` if the copy was cancelled. Otherwise calls `options.may_show` and returns its result.
Task<Result<void>> may_show(const CopyOptions& options);

}  // namespace coffer::storage
