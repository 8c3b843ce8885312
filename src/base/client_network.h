#pragma once

#include <string>

namespace coffer {

/// Returns the network that stands for a client's address where clients are counted: of an IPv6
/// address the /64 that its holder has; any other text stands for itself.
std::string network_of(const std::string& address);

}  // namespace coffer
