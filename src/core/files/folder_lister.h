#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>

#include "async/memory_room.h"
#include "async/task.h"
#include "base/error.h"
#include "base/path.h"
#include "core/accounts/account_slots.h"
#include "core/namespace/principal.h"
#include "storage/listed.h"

namespace coffer::core {

/// Lists folders for clients within the memory that they may have. Of large folders on this machine
/// an account has one in work at a time, and its guests another; who waits for that holds no
/// memory. Safe from any thread.
class FolderLister {
 public:
  /// The room must outlive this object.
  explicit FolderLister(const MemoryRoom& room) : room_(room) {}

  /// Lists a folder for the principal. Fails as a storage::ListFolder, and with `overloaded` if it
  /// waits when `end` is called.
  Task<Result<storage::Listed>> list(Principal principal, std::shared_ptr<storage::Backend> backend,
                                     Path folder, storage::IsWanted is_wanted = nullptr);
  /// Call it when the server stops: whoever waits, or comes to wait, is refused.
  void end() { is_ending_ = true; }
  /// Returns `list` for this principal. The FolderLister must outlive the function.
  storage::ListFolder of(const Principal& principal);

 private:
  Task<Result<std::optional<storage::Listed>>> list_within(std::size_t most_bytes,
                                                           MemoryHolder holder,
                                                           storage::Backend& backend,
                                                           const Path& folder);

  const MemoryRoom& room_;
  AccountSlots large_{16, 1};
  std::atomic<bool> is_ending_ = false;
};

}  // namespace coffer::core
