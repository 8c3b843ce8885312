#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_words.h"
#include "http/message.h"

namespace coffer::http {

/// A content coding: the compression of a response (RFC 9110, section 8.4.1; RFC 8878 for zstd, RFC
/// 7932 for brotli). `word_of` returns its name in Content-Encoding.
enum class Coding : std::uint8_t { identity, gzip, zstd, brotli };

constexpr auto words_of(Coding) {
  using enum Coding;
  return enum_words<Coding>(
      {{identity, "identity"}, {gzip, "gzip"}, {zstd, "zstd"}, {brotli, "br"}});
}

/// A response with fewer bytes than this is not compressed.
inline constexpr std::size_t kLeastToCompress = 1'024;

/// Returns the coding in `offered` to which Accept-Encoding gives the greatest weight (RFC 9110,
/// section 12.5.3). If weights are equal, returns the coding that is first in `offered`. Returns
/// `identity` if the client accepts none of them.
Coding choose_coding(const Request& request, std::span<const Coding> offered);
/// Chooses between the codings that `compress` supports. At equal weights, prefers zstd to gzip.
Coding choose_coding(const Request& request);

/// Compresses the body of a response with gzip or zstd, and sets Content-Encoding. Leaves the body
/// unchanged if `coding` is another one (brotli is too slow), or if the body is shorter than
/// kLeastToCompress or not a string. Always adds Vary. Takes some milliseconds per MiB. The
/// response must not have a strong ETag, because that would identify the uncompressed bytes.
void compress(Response& response, Coding coding);

}  // namespace coffer::http
