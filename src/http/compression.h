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
/// 7932 for brotli). Its word is the value of Content-Encoding.
enum class Coding : std::uint8_t { identity, gzip, zstd, brotli };

constexpr auto words_of(Coding) {
  using enum Coding;
  return enum_words<Coding>(
      {{identity, "identity"}, {gzip, "gzip"}, {zstd, "zstd"}, {brotli, "br"}});
}

/// Responses with fewer bytes are not compressed.
inline constexpr std::size_t kLeastToCompress = 1'024;

/// Returns the offered coding with the greatest weight in Accept-Encoding (RFC 9110, section
/// 12.5.3), the first if several have it; `identity` if the client accepts none.
Coding choose_coding(const Request& request, std::span<const Coding> offered);
/// Chooses between the codings that `compress` supports. Prefers zstd if gzip has an equal weight.
Coding choose_coding(const Request& request);

/// Compresses the text of a response and sets Content-Encoding; always sets Vary. Takes some
/// milliseconds per MiB. A text below kLeastToCompress and any other kind of body stay unchanged.
/// Brotli is not supported, because it is too slow. The response must not have a strong ETag,
/// because a strong ETag would identify the uncompressed bytes.
void compress(Response& response, Coding coding);

}  // namespace coffer::http
