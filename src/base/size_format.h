#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coffer {

/// Formats a size with one decimal and a 1024-based unit: `0.0 B`, `1.5 KB`, `3.2 GB`.
std::string format_size(std::uint64_t bytes);

/// Parses a size as people write it: `1048576`, `10GiB`, `1.5 MB`, `0`. Units are 1024-based, in
/// upper or lower case, with or without `i` and `B`. The result is rounded down to whole bytes.
/// Returns nullopt for any other text, for a fraction in the unit `B` (`1.5 B`), for a size
/// between 0 and 1 byte (`0.0001 KB`), and for more than 2^63 - 1 bytes.
std::optional<std::uint64_t> parse_size(std::string_view text);

}  // namespace coffer
