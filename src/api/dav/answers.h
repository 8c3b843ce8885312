#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "http/message.h"

namespace coffer::api::dav {

/// Returns the status that WebDAV has for an error: that of the other interfaces, except 507 for an
/// exceeded quota (RFC 4918, section 11.5) and 403 for items that cannot be there.
unsigned status_of(const Error& error);

/// Returns an answer without a body.
http::Response answer(unsigned status);
/// Returns the answer to a failed request: a text for people. With 401 it asks for Basic
/// authentication. Logs failures of this machine, as http::error_response does.
/// An answer to what is locked names the request's item (section 16).
http::Response error_answer(const http::Request& request, const Error& error);
http::Response error_answer(const Error& error);
http::Response error_answer(unsigned status, std::string_view message);
/// Returns an answer whose body names a precondition that is not met (RFC 4918, section 16), such
/// as `lock-token-submitted`, and the items that it is about.
http::Response precondition_answer(unsigned status, std::string_view condition,
                                   const std::vector<std::string>& hrefs = {});

/// The document that multistatus answers begin with, and its end.
inline constexpr std::string_view kMultistatusBegin =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<D:multistatus xmlns:D=\"DAV:\">";
inline constexpr std::string_view kMultistatusEnd = "</D:multistatus>\n";
inline constexpr std::string_view kXmlType = "application/xml; charset=utf-8";

/// Returns the line of a status within a body, such as `HTTP/1.1 424 Failed Dependency`.
std::string_view status_line(unsigned status);

}  // namespace coffer::api::dav
