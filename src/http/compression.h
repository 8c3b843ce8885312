#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "http/request.h"
#include "http/response.h"

namespace coffer::http {

/// How an answer's bytes are packed on their way (RFC 9110, section 8.4.1; RFC 8878 for zstd, RFC
/// 7932 for brotli).
enum class Coding : std::uint8_t { identity, gzip, zstd, brotli };

std::string_view to_string(Coding coding);

/// A smaller answer is sent as it is.
inline constexpr std::size_t kLeastToCompress = 1'024;

/// What the client likes best of those offered, by the weights in Accept-Encoding (RFC 9110,
/// section 12.5.3): the earlier where it likes two alike, `identity` where it takes none of them.
Coding choose_coding(const Request& request, std::span<const Coding> offered);
/// The same of those that `compress` makes, zstd before gzip.
Coding choose_coding(const Request& request);

/// Packs the response's text, which takes some milliseconds for each MiB, and says so in its
/// headers, also to caches (`Vary`). A short text, or another body, stays as it is; nothing is
/// packed by brotli, which takes too long. A strong ETag must not be among the headers: it would be
/// of another form of the content.
void compress(Response& response, Coding coding);

}  // namespace coffer::http
