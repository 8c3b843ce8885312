#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace coffer::http {

/// What a part says of itself (RFC 7578).
struct PartHead {
  std::string name;                      ///< Of the form field.
  std::optional<std::string> file_name;  ///< As sent, folders and all; absent for plain fields.
};

/// Reads a part's header lines, each with its CRLF, of a multipart/form-data body (RFC 7578,
/// section 4). `invalid` for malformed lines and without a form-data disposition with a name.
///
/// Browsers write `%22` for a quote in a file's name, and others a backslash before it: both become
/// the quote. `filename*` counts only where there is no `filename`.
Result<PartHead> parse_part_head(std::string_view lines);

}  // namespace coffer::http
