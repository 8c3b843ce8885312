#include "catalog/turn.h"

#include <functional>

namespace coffer::catalog {
namespace {

/// The kind stands in the bits above.
constexpr unsigned kNumberBits = 56;

}  // namespace

Turn::Turn(Kind kind, std::uint64_t number)
    : key_((static_cast<std::uint64_t>(kind) << kNumberBits) |
           (number & ((std::uint64_t{1} << kNumberBits) - 1))) {}

Turn Turn::of(const SecretHash& credential) {
  return {Kind::credential, HashOfSecret()(credential)};
}

Turn Turn::of(std::string_view text) {
  return {Kind::text, std::hash<std::string_view>()(text)};
}

}  // namespace coffer::catalog
