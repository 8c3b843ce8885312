#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coffer::catalog {

/// What a connector leads to.
enum class ConnectorKind : std::uint8_t { ftp, sftp, drive };

/// By the kinds' numbers. All that names kinds is made of these words, so that a new kind is named
/// here alone.
inline constexpr std::array<std::string_view, 3> kConnectorWords{"ftp", "sftp", "drive"};

inline constexpr auto kConnectorKinds = [] {
  std::array<ConnectorKind, kConnectorWords.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<ConnectorKind>(i);
  return all;
}();

constexpr std::string_view to_string(ConnectorKind kind) {
  return kConnectorWords[static_cast<std::size_t>(kind)];
}
constexpr std::optional<ConnectorKind> connector_kind_from(std::string_view text) {
  for (const ConnectorKind kind : kConnectorKinds) {
    if (text == to_string(kind)) return kind;
  }
  return std::nullopt;
}

}  // namespace coffer::catalog
