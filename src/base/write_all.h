#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coffer {

/// Writes all of it to an open file (write(2)), also past interruptions. It is quicker where it is
/// told at which `offset` of the file that is. 0, or the errno of what failed, after which it is
/// unknown how much was written.
int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset = 0);

}  // namespace coffer
