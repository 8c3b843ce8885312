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

/// How an item's new path relates to the item on this machine's disks, through whatever shares and
/// links.
enum class Placement : std::uint8_t {
  apart,   ///< Also if either is on a server or cannot be read.
  same,    ///< The path leads to the item itself.
  within,  ///< The item is a folder, and the path lies in it.
};

/// Replaces the links in a path on this machine's disks, so that changes of links do not affect it.
/// `not_found` if its folder is missing.
Task<Result<void>> follow_links(ResolvedPath& place);

/// Returns a text that identifies a path without links, the same through every share; on a server
/// the path itself. Paths in a folder begin with the folder's text and `/`. Waits for no other
/// share's disk. Fails if the catalog does. Bind mounts are not recognised.
Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place);

/// Fails if the catalog does. Bind mounts are not recognised.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

/// The targets and sources of copies and moves under way. Two with one target would both copy all
/// before one fails; and partial data lies beside its target, so that no folder above it may be
/// moved meanwhile. Places are texts of `place_text`. Safe from any thread.
class TargetClaims {
 public:
  /// Claims a place until it is destroyed. It must not outlive the TargetClaims.
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

  /// `exists` if the target is claimed already, `conflict` while a folder above it is moved.
  Result<Claim> claim_target(std::string place);
  /// Claims an item for a rename or move; `conflict` while a target within it is claimed.
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
