#include "http/response_head.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>

#include "http/syntax.h"

namespace coffer::http {
namespace {

struct StatusLine {
  unsigned status;
  std::string_view text;
};

constexpr StatusLine kStatusLines[] = {
    {200, "HTTP/1.1 200 OK\r\n"},
    {201, "HTTP/1.1 201 Created\r\n"},
    {202, "HTTP/1.1 202 Accepted\r\n"},
    {204, "HTTP/1.1 204 No Content\r\n"},
    {206, "HTTP/1.1 206 Partial Content\r\n"},
    {301, "HTTP/1.1 301 Moved Permanently\r\n"},
    {302, "HTTP/1.1 302 Found\r\n"},
    {303, "HTTP/1.1 303 See Other\r\n"},
    {304, "HTTP/1.1 304 Not Modified\r\n"},
    {307, "HTTP/1.1 307 Temporary Redirect\r\n"},
    {308, "HTTP/1.1 308 Permanent Redirect\r\n"},
    {400, "HTTP/1.1 400 Bad Request\r\n"},
    {401, "HTTP/1.1 401 Unauthorized\r\n"},
    {403, "HTTP/1.1 403 Forbidden\r\n"},
    {404, "HTTP/1.1 404 Not Found\r\n"},
    {405, "HTTP/1.1 405 Method Not Allowed\r\n"},
    {408, "HTTP/1.1 408 Request Timeout\r\n"},
    {409, "HTTP/1.1 409 Conflict\r\n"},
    {410, "HTTP/1.1 410 Gone\r\n"},
    {412, "HTTP/1.1 412 Precondition Failed\r\n"},
    {413, "HTTP/1.1 413 Content Too Large\r\n"},
    {415, "HTTP/1.1 415 Unsupported Media Type\r\n"},
    {416, "HTTP/1.1 416 Range Not Satisfiable\r\n"},
    {417, "HTTP/1.1 417 Expectation Failed\r\n"},
    {423, "HTTP/1.1 423 Locked\r\n"},
    {429, "HTTP/1.1 429 Too Many Requests\r\n"},
    {431, "HTTP/1.1 431 Request Header Fields Too Large\r\n"},
    {460, "HTTP/1.1 460 Checksum Mismatch\r\n"},
    {500, "HTTP/1.1 500 Internal Server Error\r\n"},
    {502, "HTTP/1.1 502 Bad Gateway\r\n"},
    {503, "HTTP/1.1 503 Service Unavailable\r\n"},
    {504, "HTTP/1.1 504 Gateway Timeout\r\n"},
    {505, "HTTP/1.1 505 HTTP Version Not Supported\r\n"},
    {507, "HTTP/1.1 507 Insufficient Storage\r\n"},
};

std::string_view status_line(unsigned status) {
  for (const StatusLine& line : kStatusLines) {
    if (line.status == status) return line.text;
  }
  return {};
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

/// The connection adds this header to every response.
bool is_added_elsewhere(std::string_view name) {
  return equal_ignoring_case(name, "X-Content-Type-Options");
}

/// Answers depend on the caller and on rights that may end: a cache must validate them before each
/// use (otherwise RFC 9111, section 4.2.2, lets it guess a lifetime).
constexpr std::string_view kNotForOthers = "Cache-Control: private, no-cache\r\n";

void append_status_line(std::string& out, unsigned status) {
  if (const auto line = status_line(status); !line.empty()) {
    out += line;
  } else {
    out += "HTTP/1.1 ";
    append_number(out, status);
    out += " \r\n";
  }
}

}  // namespace

void append_header_lines(std::string& out, const Response& response) {
  bool says_who_caches = false;
  for (const auto& [name, value] : response.headers) {
    if (is_added_elsewhere(name)) continue;
    says_who_caches |= equal_ignoring_case(name, "Cache-Control");
    out += name;
    out += ": ";
    append_value(out, value);
    out += "\r\n";
  }
  if (!says_who_caches) out += kNotForOthers;
}

bool append_content_length(std::string& out, const Response& response) {
  // RFC 9110, section 8.6: none in a 204, and a 304 would have to repeat that of the 200.
  if (response.status == 204 || response.status == 304) return false;
  const auto length = response.content_length();
  if (!length) return true;
  out += "Content-Length: ";
  append_number(out, *length);
  out += "\r\n";
  return false;
}

void append_response_head(std::string& out, const Response& response, Persistence persistence) {
  append_status_line(out, response.status);
  append_header_lines(out, response);
  const bool is_old =
      persistence == Persistence::keep_http_1_0 || persistence == Persistence::close_http_1_0;
  // A stream for HTTP/1.0, which has no chunks, ends with its connection.
  if (append_content_length(out, response) && !is_old) out += "Transfer-Encoding: chunked\r\n";
  const bool closes =
      persistence == Persistence::close || persistence == Persistence::close_http_1_0;
  if (closes) out += "Connection: close\r\n";
  if (persistence == Persistence::keep_http_1_0) out += "Connection: keep-alive\r\n";
}

}  // namespace coffer::http
