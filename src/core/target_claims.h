#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "base/id.h"
#include "core/namespace/namespace.h"

namespace coffer::core {

/// The places at which copies and moves under way are to show something, each one's alone: only one
/// of them could succeed, and the others would read and write all of it before they fail. What is
/// collected lies beside its place, so that no folder above one is renamed meanwhile: nothing would
/// find it there, nor count it. Safe from any thread.
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

  /// Nothing if another one has it, or a folder above it is being renamed.
  std::optional<Claim> claim(AccountId account, const ResolvedPath& to);
  /// Nothing if a place beneath is claimed.
  std::optional<Claim> begin_rename(AccountId account, const ResolvedPath& from);

 private:
  using Places = std::multiset<std::string>;
  Claim hold(Places& places, std::string text) {
    return Claim({*this, places, places.insert(std::move(text))});
  }

  std::mutex mutex_;
  Places targets_;
  Places renamed_;
};

}  // namespace coffer::core
