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
#include "core/namespace/place_text.h"

namespace coffer::core {

/// How a new path for an item relates to the item.
enum class Placement : std::uint8_t {
  apart,   ///< Unrelated, or the relation cannot be found out (see placement_of).
  same,    ///< The path leads to the item itself.
  within,  ///< The item is a folder, and the path leads into it.
};

/// Returns how the path `to` relates to `item`. On this machine's disks it recognises an item even
/// if the two paths lead through different shares or symbolic links, but not through bind mounts.
/// Always returns `apart` if `item` or `to` is on a remote server or cannot be read, or if only one
/// of them is in a share. Fails if the catalog fails.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

/// The paths that operations in progress use. A copy or move claims its target. A rename, move or
/// removal claims its item as a source. All parameters `place` are texts from place_text. Safe from
/// any thread. Claims prevent two conflicts:
/// - Two operations have the same target. One would fail, but only after it has copied everything.
/// - A folder above a target is renamed or moved. The copy could not find its partial data.
class TargetClaims {
 public:
  /// A claim, which lasts until this object is destroyed. Must not outlive the TargetClaims.
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
  /// Claims an item that is renamed, moved or removed. `conflict` if a target in it is claimed.
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
