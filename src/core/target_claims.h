#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "base/error.h"

namespace coffer::core {

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
