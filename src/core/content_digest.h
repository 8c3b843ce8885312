#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace coffer::core {

enum class DigestKind : std::uint8_t { sha1, sha256 };

/// How many bytes such a digest has.
std::size_t digest_bytes(DigestKind kind);

/// The digest of bytes that come in pieces. Not safe for concurrent calls.
class ContentDigest {
 public:
  explicit ContentDigest(DigestKind kind);
  ~ContentDigest();

  void add(std::span<const std::byte> data);
  /// Of all that was added. Last.
  std::string finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::core
