#pragma once

#include <cstdint>
#include <string_view>

#include "base/enum_words.h"

namespace coffer::catalog {

enum class ConnectorKind : std::uint8_t { ftp, sftp, drive };

constexpr auto words_of(ConnectorKind) {
  using enum ConnectorKind;
  return enum_words<ConnectorKind>({{ftp, "ftp"}, {sftp, "sftp"}, {drive, "drive"}});
}
constexpr std::string_view to_string(ConnectorKind kind) {
  return word_of(kind);
}

}  // namespace coffer::catalog
