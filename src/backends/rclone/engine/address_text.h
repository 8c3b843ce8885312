#pragma once

#include <string_view>

/// Checks addresses that are given to rclone. The checks are stricter than the syntax of URLs, so
/// that all programs find the same host in an accepted address.
namespace coffer::rclone {

/// Returns true for 1 to 63 letters, digits and dashes.
bool is_label(std::string_view text);

/// Returns true for a host name, IPv4 address or IPv6 address in brackets. A port may follow.
bool is_host(std::string_view text);

/// Returns true for `http://` or `https://` followed by a host (is_host). A path and a query may
/// follow. A user, a fragment and spaces are not allowed.
bool is_url(std::string_view text);

/// Returns the host of a text that is_host or is_url accepts, without port and brackets.
std::string_view host_of(std::string_view text);

}  // namespace coffer::rclone
