#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_words.h"
#include "http/message.h"

namespace coffer::http {

/// The compression of an answer (RFC 9110, section 8.4.1; RFC 8878 for zstd, RFC 7932 for brotli).
/// The word is the one of Content-Encoding.
enum class Coding : std::uint8_t { identity, gzip, zstd, brotli };

constexpr auto words_of(Coding) {
  using enum Coding;
  return enum_words<Coding>(
      {{identity, "identity"}, {gzip, "gzip"}, {zstd, "zstd"}, {brotli, "br"}});
}

/// Smaller answers are not compressed.
inline constexpr std::size_t kLeastToCompress = 1'024;

/// The offered coding with the greatest weight in Accept-Encoding (RFC 9110, section 12.5.3), the
/// first of several with the same weight; `identity` if the client accepts none of them.
Coding choose_coding(const Request& request, std::span<const Coding> offered);
/// Offers the codings of `compress`, zstd before gzip.
Coding choose_coding(const Request& request);

/// Compresses a response's text, which takes some milliseconds per MiB, and sets Content-Encoding
/// and Vary. Short texts and other bodies stay unchanged; brotli is not supported, since it is too
/// slow. The response must not have a strong ETag, which would name the uncompressed form.
void compress(Response& response, Coding coding);

}  // namespace coffer::http
