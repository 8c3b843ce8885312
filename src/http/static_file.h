#pragma once

#include <string_view>

#include "http/message.h"

namespace coffer::http {

/// A file that is part of the program. All views stay valid as long as the program runs.
struct StaticFile {
  std::string_view path;        ///< Its address, as `/assets/index-Bx3f.js`.
  std::string_view media_type;  ///< With the charset, for text.
  std::string_view etag;        ///< Weak, with its quotes: one for all codings.
  std::string_view identity;    ///< The uncompressed bytes.
  std::string_view gzip;        ///< Compressed; empty if that is not smaller.
  std::string_view brotli;
};

/// The answer to a GET or HEAD of the file: 304, or 200 in the coding that the client prefers,
/// brotli before gzip, with ETag, Vary and X-Content-Type-Options: nosniff. The bytes are not
/// copied.
Response serve_static_file(const Request& request, const StaticFile& file);

}  // namespace coffer::http
