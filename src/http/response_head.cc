#include "http/response_head.h"

#include <algorithm>
#include <charconv>

#include "http/syntax.h"

namespace coffer::http {
namespace {

std::string_view status_line(unsigned status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\n";
    case 201:
      return "HTTP/1.1 201 Created\r\n";
    case 202:
      return "HTTP/1.1 202 Accepted\r\n";
    case 204:
      return "HTTP/1.1 204 No Content\r\n";
    case 206:
      return "HTTP/1.1 206 Partial Content\r\n";
    case 301:
      return "HTTP/1.1 301 Moved Permanently\r\n";
    case 302:
      return "HTTP/1.1 302 Found\r\n";
    case 303:
      return "HTTP/1.1 303 See Other\r\n";
    case 304:
      return "HTTP/1.1 304 Not Modified\r\n";
    case 307:
      return "HTTP/1.1 307 Temporary Redirect\r\n";
    case 308:
      return "HTTP/1.1 308 Permanent Redirect\r\n";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\n";
    case 401:
      return "HTTP/1.1 401 Unauthorized\r\n";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\n";
    case 404:
      return "HTTP/1.1 404 Not Found\r\n";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\n";
    case 408:
      return "HTTP/1.1 408 Request Timeout\r\n";
    case 409:
      return "HTTP/1.1 409 Conflict\r\n";
    case 410:
      return "HTTP/1.1 410 Gone\r\n";
    case 412:
      return "HTTP/1.1 412 Precondition Failed\r\n";
    case 413:
      return "HTTP/1.1 413 Content Too Large\r\n";
    case 415:
      return "HTTP/1.1 415 Unsupported Media Type\r\n";
    case 416:
      return "HTTP/1.1 416 Range Not Satisfiable\r\n";
    case 417:
      return "HTTP/1.1 417 Expectation Failed\r\n";
    case 423:
      return "HTTP/1.1 423 Locked\r\n";
    case 429:
      return "HTTP/1.1 429 Too Many Requests\r\n";
    case 431:
      return "HTTP/1.1 431 Request Header Fields Too Large\r\n";
    case 460:
      return "HTTP/1.1 460 Checksum Mismatch\r\n";
    case 500:
      return "HTTP/1.1 500 Internal Server Error\r\n";
    case 502:
      return "HTTP/1.1 502 Bad Gateway\r\n";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\n";
    case 504:
      return "HTTP/1.1 504 Gateway Timeout\r\n";
    case 505:
      return "HTTP/1.1 505 HTTP Version Not Supported\r\n";
    case 507:
      return "HTTP/1.1 507 Insufficient Storage\r\n";
    default:
      return {};
  }
}

void append_number(std::string& out, std::uint64_t value) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_value(std::string& out, std::string_view value) {
  const auto start = out.size();
  out += value;
  const auto is_control = [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  };
  std::replace_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), is_control, ' ');
}

/// The connection adds this one itself, to every response.
bool is_added_elsewhere(std::string_view name) {
  return equal_ignoring_case(name, "X-Content-Type-Options");
}

}  // namespace

void append_response_head(std::string& out, const Response& response, Persistence persistence) {
  if (const auto line = status_line(response.status); !line.empty()) {
    out += line;
  } else {
    out += "HTTP/1.1 ";
    append_number(out, response.status);
    out += " \r\n";
  }
  for (const auto& [name, value] : response.headers) {
    if (is_added_elsewhere(name)) continue;
    out += name;
    out += ": ";
    append_value(out, value);
    out += "\r\n";
  }
  // RFC 9110, section 8.6: none in a 204, and a 304 would have to repeat that of the 200.
  if (response.status != 204 && response.status != 304) {
    out += "Content-Length: ";
    append_number(out, response.content_length());
    out += "\r\n";
  }
  if (persistence == Persistence::close) out += "Connection: close\r\n";
  if (persistence == Persistence::keep_http_1_0) out += "Connection: keep-alive\r\n";
}

}  // namespace coffer::http
