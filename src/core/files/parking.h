#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/namespace/namespace.h"
#include "core/transfer/transfer_check.h"

namespace coffer::core {

/// Notes the items that moves give another name for a moment (see name_not_moved), so that a crash
/// leaves none under that name: recover_parked finishes or undoes such moves. Safe from any thread.
class Parking {
 public:
  explicit Parking(catalog::Catalog& catalog) : catalog_(catalog) {}

  /// A noted item. While this object exists, recover_parked leaves the item alone. It then takes
  /// care of the item, unless `end` was called.
  class Note {
   public:
    Note(Note&& other) noexcept
        : parking_(std::exchange(other.parking_, nullptr)), id_(std::move(other.id_)) {}
    Note& operator=(Note&&) = delete;
    ~Note();

    /// Call it before the item is deleted in steps: what is left of it is not what was copied.
    Task<Result<void>> leave();
    /// Call it when the item has its own name again, or is deleted. If the catalog fails, the note
    /// stays, and is found out to be over.
    Task<void> end();

   private:
    friend class Parking;
    Note(Parking& parking, std::string id) : parking_(&parking), id_(std::move(id)) {}
    Parking* parking_;
    std::string id_;
  };

  /// A copy of an item, at the place that a move brings it to.
  struct Copy {
    const ResolvedPath& to;
    const CopiedSource& source;
  };
  /// Notes an item before it gets the name `name`. `copy` is absent if the item is only to get its
  /// own name back after a crash. Neither path may contain symbolic links (see follow_links).
  Task<Result<Note>> note(AccountId account, const ResolvedPath& item, const Name& name,
                          std::optional<Copy> copy = std::nullopt);
  /// Returns the note of an earlier run; nullopt if a caller has it.
  std::optional<Note> take(const std::string& id);

 private:
  catalog::Catalog& catalog_;
  std::mutex mutex_;
  std::set<std::string> held_;  ///< The ids of the notes that callers have.
};

/// Returns where the mount of an item leads; empty for own files.
std::string led_to(const ResolvedPath& item);
/// Returns the id of the machine's run (proc(5), boot_id); empty if it cannot be read.
std::string boot_id();

}  // namespace coffer::core
