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

/// How the new place of an item lies to the item itself on this machine's disks, whatever shares
/// and links lead to the two.
enum class Placement : std::uint8_t {
  apart,   ///< Also where either is on a server, or cannot be looked at.
  same,    ///< The item is there already.
  within,  ///< The item is a folder, and its new place lies in it.
};

/// Puts a path without links in the place of the place's own, where it is on this machine's disks:
/// what then happens to the links does not concern it. `not_found` if its folder is missing.
Task<Result<void>> follow_links(ResolvedPath& place);

/// A text for a place without links, one whatever share leads there: a server's place has its path.
/// What lies in a folder has the folder's text, `/` and more. Waits for no other share's disk.
/// Fails where the catalog does. Bind mounts are not recognised.
Task<Result<std::string>> place_text(Mounts& mounts, AccountId account, const ResolvedPath& place);

/// Fails where the catalog does. Bind mounts are not recognised.
Task<Result<Placement>> placement_of(Mounts& mounts, const ResolvedPath& item, bool is_folder,
                                     const ResolvedPath& to);

/// The places at which copies and moves under way are to show something, each one's alone: only one
/// of them could succeed, and the others would read and write all of it before they fail. What is
/// collected lies beside its place, so that no folder above one gets another name or place
/// meanwhile: nothing would find it there, nor count it. Places are texts of `place_text`. Safe
/// from any thread.
class TargetClaims {
 public:
  /// Holds a place until it is destroyed. It must not outlive the claims.
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

  /// `exists` if another one has it, `conflict` if a folder above it is leaving its place.
  Result<Claim> claim(std::string place);
  /// For a rename or move of what is there. `conflict` if a place beneath is claimed.
  Result<Claim> leave(std::string place);

 private:
  using Places = std::multiset<std::string>;
  Claim hold(Places& places, std::string text) {
    return Claim({*this, places, places.insert(std::move(text))});
  }

  std::mutex mutex_;
  Places targets_;
  Places leaving_;
};

}  // namespace coffer::core
