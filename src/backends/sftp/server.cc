#include "backends/sftp/server.h"

#include <functional>
#include <set>

namespace coffer::sftp {

std::vector<std::unique_lock<std::mutex>> Server::hold(const std::vector<std::string>& places) {
  // In one order for all, so that no two wait for each other.
  std::set<std::size_t> chosen;
  for (const auto& place : places) chosen.insert(std::hash<std::string>()(place) % kLocks);
  std::vector<std::unique_lock<std::mutex>> held;
  for (const auto index : chosen) held.emplace_back(locks_[index]);
  return held;
}

}  // namespace coffer::sftp
