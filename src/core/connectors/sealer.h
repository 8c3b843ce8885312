#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::core {

/// Encrypts secrets that are needed in plain text later, such as the password of a remote server.
/// Uses XSalsa20-Poly1305 (libsodium's secretbox) with one key for the whole installation. Safe
/// from any thread.
class Sealer {
 public:
  static constexpr std::size_t kKeyBytes = 32;
  using Key = std::array<unsigned char, kKeyBytes>;
  static Key make_key();

  /// Accepts a missing key: then `seal` throws and `open` fails.
  explicit Sealer(const std::optional<Key>& key)
      : has_key_(key.has_value()), key_(key.value_or(Key{})) {}
  ~Sealer();
  Sealer(const Sealer&) = delete;
  Sealer& operator=(const Sealer&) = delete;

  /// Returns a text by which keys can be compared, and which tells nothing else of the key: 32
  /// hexadecimal digits. Throws without a key.
  std::string fingerprint() const;

  using Tag = std::array<std::byte, 32>;
  /// Returns a hash of the text that nobody can make without the key (BLAKE2b, RFC 7693, section
  /// 2.9): what has few values can be stored so. `purpose` keeps tags of different kinds apart.
  /// Throws without a key.
  Tag tag(std::string_view purpose, std::string_view text) const;

  /// Returns a random nonce and the sealed text, together as base64. Throws without a key.
  std::string seal(std::string_view secret) const;
  /// Returns the secret of a sealed text. `failed` if the text was altered or sealed with another
  /// key, or if there is no key.
  Result<std::string> open(std::string_view sealed) const;

 private:
  const bool has_key_;
  Key key_;
};

}  // namespace coffer::core
