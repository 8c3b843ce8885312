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
/// of them could succeed, and the others would read and write all of it before they fail. Safe from
/// any thread.
class TargetClaims {
 public:
  /// Holds a place until it is destroyed. It must not outlive the claims.
  class Claim {
   public:
    Claim(TargetClaims& claims, std::string target)
        : target_(new Target{claims, std::move(target)}) {}

   private:
    struct Target {
      TargetClaims& claims;
      std::string text;
    };
    struct Leave {
      void operator()(Target* target) const;
    };
    std::unique_ptr<Target, Leave> target_;
  };

  /// Nothing if another one has it.
  std::optional<Claim> claim(AccountId account, const ResolvedPath& to);

 private:
  std::mutex mutex_;
  std::set<std::string, std::less<>> targets_;
};

}  // namespace coffer::core
