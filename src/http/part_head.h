#pragma once

#include <string_view>

#include "base/error.h"
#include "http/multipart.h"

namespace coffer::http {

/// Reads a part's header lines, each with its CRLF, of a multipart/form-data body (RFC 7578,
/// section 4). `invalid` for malformed lines and without a form-data disposition with a name.
///
/// Browsers write `%22` for a quote in a file's name, and others a backslash before it: both become
/// the quote. `filename*` counts only where there is no `filename`.
Result<PartHead> parse_part_head(std::string_view lines);

}  // namespace coffer::http
