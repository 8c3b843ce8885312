#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::api::dav {

/// A condition of an `If` header: that the resource is locked with this token, or has this ETag.
struct IfCondition {
  bool is_negated = false;
  bool is_etag = false;
  std::string text;  ///< The token without its angle brackets, or the ETag with its quotes.

  bool operator==(const IfCondition&) const = default;
};

/// Conditions that must all be met, of one resource.
struct IfList {
  std::string resource;  ///< The address of a tagged list; empty for that of the request.
  std::vector<IfCondition> conditions;

  bool operator==(const IfList&) const = default;
};

/// An `If` header (RFC 4918, section 10.4): at least one of its lists must be met.
struct IfHeader {
  std::vector<IfList> lists;  ///< At least one.

  /// Returns all tokens, also of lists that are not met: they are what the client submits.
  std::vector<std::string> tokens() const;
};

/// The most lists and conditions of one header; a client sends a token for each lock that it holds.
inline constexpr std::size_t kMostConditions = 200;

/// Parses an `If` header. `invalid` if it is malformed or has more than kMostConditions.
Result<IfHeader> parse_if(std::string_view text);

}  // namespace coffer::api::dav
