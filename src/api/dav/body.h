#pragma once

#include <optional>

#include "api/dav/call.h"
#include "api/dav/xml.h"

namespace coffer::api::dav {

/// The longest body of a request for properties or a lock, and of one that sets properties.
inline constexpr std::size_t kMostQueryBytes = 64 * 1024;
inline constexpr std::size_t kMostUpdateBytes = 1024 * 1024;

/// Reads the body of a request as XML. Returns nullopt if it is empty; fails as XmlParser does, and
/// with `rate_limited` or `overloaded` if there is no memory for it now.
Task<Result<std::optional<XmlElement>>> read_xml(const Call& call, std::size_t most_bytes);

/// True if the request has a body, which is not read.
bool has_body(const http::Request& request);

}  // namespace coffer::api::dav
