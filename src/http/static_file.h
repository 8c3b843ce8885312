#pragma once

#include <string_view>

#include "http/message.h"

namespace coffer::http {

/// A file that is part of the program. All views here stay valid as long as the program runs.
struct StaticFile {
  std::string_view path;        ///< The path of its URL, such as `/assets/index-Bx3f.js`.
  std::string_view media_type;  ///< For text, it includes the charset.
  std::string_view etag;        ///< A weak ETag with its quotes, the same for the compressed bytes.
  std::string_view identity;    ///< The uncompressed bytes.
  std::string_view gzip;        ///< Compressed with gzip; empty if that is not smaller.
  std::string_view brotli;      ///< Compressed with brotli; empty if that is not smaller.
};

/// Returns the response to a GET or HEAD of the file: 304 if If-None-Match contains its ETag, else
/// 200 with the content coding that Accept-Encoding prefers (brotli before gzip at equal weights).
/// Sets ETag, Vary and X-Content-Type-Options: nosniff. The file is not copied.
Response serve_static_file(const Request& request, const StaticFile& file);

}  // namespace coffer::http
