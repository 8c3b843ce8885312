#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "core/namespace/mounts.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// How a new path for an item relates to the item. Recognises an item or folder on this machine's
/// disks even if the two paths lead through different shares or symbolic links.
enum class Placement : std::uint8_t {
  apart,   ///< Unrelated; also if either is on a server or unreadable.
  same,    ///< The path leads to the item itself.
  within,  ///< The item is a folder, and the path is in it.
};

/// Resolves the symbolic links in a path, so that later changes of links do not affect it. Does not
/// change a path on a server. `not_found` if the path's folder is missing.
Task<Result<void>> follow_links(ResolvedPath& place);

/// Returns a text that identifies an item. Its path must not contain symbolic links (see
/// follow_links). On this machine's disks the text is the same through every share; on a server it
/// is the path itself. The text of an item in a folder begins with the folder's text and `/`. Waits
/// for no other share's disk. Bind mounts are not recognised. Fails if the catalog fails.
Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place);

/// Returns how `to` relates to `item`. Fails if the catalog fails. Bind mounts are not recognised.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

/// The targets and sources of copies and moves in progress. Two operations cannot have the same
/// target, because one of them would fail, but only after it has copied everything. A folder above
/// a target cannot be renamed or moved, because the partial data is stored beside the target. Items
/// are identified by the text that `place_text` returns. Safe from any thread.
class TargetClaims {
 public:
  /// The claim of an item, until this object is destroyed. It must not outlive the TargetClaims.
  class Claim {
   private:
    friend class TargetClaims;
    struct Held {
      TargetClaims& claims;
      std::multiset<std::string>& places;
      std::multiset<std::string>::iterator place;
    };
    struct Leave {
      void operator()(Held* held) const;
    };
    explicit Claim(Held held) : held_(new Held(held)) {}
    std::unique_ptr<Held, Leave> held_;
  };

  /// Claims the target of a copy or move. `exists` if the target is already claimed, `conflict` if
  /// a folder above it is claimed as a source.
  Result<Claim> claim_target(std::string place);
  /// Claims an item that is renamed, moved or removed; `conflict` if a target in it is claimed.
  Result<Claim> claim_source(std::string place);

 private:
  using Places = std::multiset<std::string>;
  Claim add(Places& places, std::string text) {
    return Claim({*this, places, places.insert(std::move(text))});
  }

  std::mutex mutex_;
  Places targets_;
  Places sources_;
};

}  // namespace coffer::core
