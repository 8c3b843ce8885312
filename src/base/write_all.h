#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coffer {

/// Writes all of it to an open file (write(2)), also past interruptions. Giving the
/// `offset` in the file makes it quicker. 0, or the errno of what failed, after which it is
/// unknown how much was written.
int write_all(int descriptor, std::span<const std::byte> data, std::uint64_t offset = 0);

}  // namespace coffer
