#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace coffer {

/// Fills `out` with bytes of the kernel's random generator (getrandom(2)). Safe from any thread.
void fill_random(std::span<std::byte> out);

/// Returns random bytes as lower-case hexadecimal digits, for unguessable names and identifiers.
std::string random_hex(std::size_t bytes);

/// Returns a random UUID, version 4 (RFC 9562, section 5.4), in lower case: 122 random bits.
std::string random_uuid();

}  // namespace coffer
