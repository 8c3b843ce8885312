#include "app/descriptor_limit.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/log.h"

namespace coffer::app {

std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    spdlog::warn("the limit of open files stays low");
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur;
}

std::size_t connections_within(std::size_t descriptors, std::size_t most) {
  // What the server needs besides connections and the files of their requests.
  constexpr std::size_t kReserved = 64;
  constexpr std::size_t kLeast = 8;
  const std::size_t rest = descriptors > kReserved ? descriptors - kReserved : 0;
  return std::clamp<std::size_t>(rest / 3 * 2, kLeast, most);
}

}  // namespace coffer::app
