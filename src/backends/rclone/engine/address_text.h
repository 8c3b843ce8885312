#pragma once

#include <string_view>

/// Addresses as rclone is given them. Stricter than a URL needs to be, so that every program that
/// reads one finds the same host in it.
namespace coffer::rclone {

/// 1 to 63 letters, digits and dashes.
bool is_label(std::string_view text);

/// A host's name, an IPv4 address, or an IPv6 address in brackets, perhaps with a port.
bool is_host(std::string_view text);

/// `http://` or `https://`, a host, perhaps a path and a query; no user, no fragment, no spaces.
bool is_url(std::string_view text);

/// The host of any of these, without scheme, port and brackets.
std::string_view host_of(std::string_view text);

}  // namespace coffer::rclone
