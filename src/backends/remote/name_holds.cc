#include "backends/remote/name_holds.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace coffer::remote {
namespace {

constexpr char kOutsideAscii = '\x80';

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c & kOutsideAscii) != 0; });
}

/// Ends with a slash, so that a place begins with the key of each one above it.
std::string key_of(std::string_view left) {
  std::string key;
  while (!left.empty()) {
    const std::string_view name = left.substr(0, left.find('/'));
    left.remove_prefix(std::min(left.size(), name.size() + 1));
    key += is_ascii(name) ? to_lower(name) : std::string(1, kOutsideAscii);
    key += '/';
  }
  return key;
}

bool stand_in_the_way(std::string_view one, std::string_view other) {
  return one.starts_with(other) || other.starts_with(one);
}

bool stand_in_the_way(const std::vector<std::string>& some,
                      const std::vector<std::string>& others) {
  return std::ranges::any_of(some, [&others](const std::string& one) {
    return std::ranges::any_of(others, [&one](const std::string& other) {
      return stand_in_the_way(std::string_view(one), std::string_view(other));
    });
  });
}

}  // namespace

bool NameHolds::is_free(const Claim& claim) const {
  for (const Claim& earlier : claims_) {
    if (&earlier == &claim) break;
    if (stand_in_the_way(earlier.keys, claim.keys)) return false;
  }
  return true;
}

Task<NameHolds::Hold> NameHolds::enter(std::vector<std::string> places) {
  Claim own;
  for (const std::string& place : places) own.keys.push_back(key_of(place));
  Claims::iterator claim;
  co_await suspend([&](Resume resume) {
    {
      const std::lock_guard lock(mutex_);
      claim = claims_.insert(claims_.end(), std::move(own));
      claim->is_held = is_free(*claim);
      if (!claim->is_held) {
        claim->resume = std::move(resume);
        return;
      }
    }
    resume();
  });
  co_return Hold(*this, claim);
}

void NameHolds::leave(Claims::iterator claim) {
  std::vector<Resume> next;
  {
    const std::lock_guard lock(mutex_);
    claims_.erase(claim);
    for (Claim& waiting : claims_) {
      if (waiting.is_held || !is_free(waiting)) continue;
      waiting.is_held = true;
      next.push_back(std::move(waiting.resume));
    }
  }
  for (Resume& resume : next) resume();
}

}  // namespace coffer::remote
