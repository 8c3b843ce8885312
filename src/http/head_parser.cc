#include "http/head_parser.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "http/syntax.h"

namespace coffer::http {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {
  return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/// `reg-name` and IPv4 addresses (RFC 3986, section 3.2.2).
bool is_name_char(char c) {
  return is_alphanumeric(c) ||
         std::string_view("-._~%!$&'()*+,;=").find(c) != std::string_view::npos;
}

/// True for characters between the brackets of an IPv6 address or a later form.
bool is_bracket_char(char c) {
  return is_name_char(c) || c == ':';
}

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && std::ranges::all_of(text.substr(1), is_digit));
}

/// Removes `http://authority` or `https://authority` from the front.
bool take_authority(std::string_view& target) {
  const auto colon = target.find("://");
  if (colon == std::string_view::npos) return false;
  const auto scheme = target.substr(0, colon);
  if (!equal_ignoring_case(scheme, "http") && !equal_ignoring_case(scheme, "https")) return false;
  target.remove_prefix(colon + 3);
  const auto end = std::min(target.find_first_of("/?"), target.size());
  if (!is_host(target.substr(0, end))) return false;
  target.remove_prefix(end);
  return true;
}

/// The bytes allowed in a header's value: visible characters, spaces, tabs, and bytes above ASCII.
constexpr std::array<bool, 256> value_table() {
  std::array<bool, 256> table{};
  for (int c = 0x20; c < 256; ++c) table[c] = c != 0x7F;
  table['\t'] = true;
  return table;
}
constexpr auto kValue = value_table();

constexpr std::pair<std::string_view, Method> kMethods[] = {
    {"GET", Method::get},         {"HEAD", Method::head},         {"POST", Method::post},
    {"PUT", Method::put},         {"PATCH", Method::patch},       {"DELETE", Method::del},
    {"OPTIONS", Method::options}, {"PROPFIND", Method::propfind}, {"PROPPATCH", Method::proppatch},
    {"MKCOL", Method::mkcol},     {"COPY", Method::copy},         {"MOVE", Method::move},
    {"LOCK", Method::lock},       {"UNLOCK", Method::unlock},
};

Method method_of(std::string_view text) {
  for (const auto& [name, method] : kMethods) {
    if (text == name) return method;
  }
  return Method::other;
}

/// The headers that decide the framing, collected while the lines are read.
struct Special {
  unsigned hosts = 0;
  std::string_view host;
  unsigned lengths = 0;
  std::string_view length;
  unsigned encodings = 0;
  std::string_view encoding;
  std::string_view expect;
  bool close = false;
  bool keep_alive = false;
};

void note_connection(std::string_view value, Special& special) {
  while (!value.empty()) {
    const auto option = trim(cut_front(value, ','));
    if (equal_ignoring_case(option, "close")) special.close = true;
    if (equal_ignoring_case(option, "keep-alive")) special.keep_alive = true;
  }
}

void note(const Header& header, Special& special) {
  switch (header.name.size()) {
    case 4:
      if (!equal_ignoring_case(header.name, "host")) return;
      ++special.hosts;
      special.host = header.value;
      return;
    case 6:
      if (equal_ignoring_case(header.name, "expect")) special.expect = header.value;
      return;
    case 10:
      if (equal_ignoring_case(header.name, "connection")) note_connection(header.value, special);
      return;
    case 14:
      if (!equal_ignoring_case(header.name, "content-length")) return;
      ++special.lengths;
      special.length = header.value;
      return;
    case 17:
      if (!equal_ignoring_case(header.name, "transfer-encoding")) return;
      ++special.encodings;
      special.encoding = header.value;
      return;
    default:
      return;
  }
}

std::optional<Refusal> read_version(std::string_view version, Framing& framing) {
  const bool formed = version.size() == 8 && version.starts_with("HTTP/") && version[6] == '.' &&
                      version[5] >= '0' && version[5] <= '9' && version[7] >= '0' &&
                      version[7] <= '9';
  if (!formed) return Refusal{400, "The request line is malformed."};
  if (version[5] != '1') return Refusal{505, "Only HTTP/1.0 and HTTP/1.1 are served here."};
  framing.http_1_0 = version[7] == '0';
  return std::nullopt;
}

std::optional<Refusal> read_request_line(std::string_view line, Request& request,
                                         Framing& framing) {
  const Refusal malformed{400, "The request line is malformed."};
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return malformed;
  request.method_text = line.substr(0, first);
  if (!is_token(request.method_text)) return malformed;
  request.method = method_of(request.method_text);
  if (const auto refusal = read_version(line.substr(last + 1), framing)) return refusal;
  if (!read_target(line.substr(first + 1, last - first - 1), request)) {
    return Refusal{400, "The request's target is malformed."};
  }
  return std::nullopt;
}

/// Reads one `name: value` line from the front of `rest` and removes it.
std::optional<Header> take_header(std::string_view& rest) {
  std::size_t colon = 0;
  while (colon < rest.size() && is_token_char(rest[colon])) ++colon;
  if (colon == 0 || colon == rest.size() || rest[colon] != ':') return std::nullopt;
  std::size_t end = colon + 1;
  while (end < rest.size() && kValue[static_cast<unsigned char>(rest[end])]) ++end;
  if (end + 1 >= rest.size() || rest[end] != '\r' || rest[end + 1] != '\n') return std::nullopt;
  const Header header{rest.substr(0, colon), trim(rest.substr(colon + 1, end - colon - 1))};
  rest.remove_prefix(end + 2);
  return header;
}

std::optional<Refusal> read_headers(std::string_view rest, Request& request, Special& special) {
  request.headers.clear();
  while (rest != "\r\n") {
    const auto header = take_header(rest);
    if (!header) return Refusal{400, "A header line is malformed."};
    request.headers.push_back(*header);
    note(*header, special);
  }
  return std::nullopt;
}

std::optional<Refusal> settle_body(const Special& special, Framing& framing) {
  if (special.encodings > 0) {
    if (special.lengths > 0) {
      return Refusal{400, "A request cannot have both Content-Length and Transfer-Encoding."};
    }
    if (framing.http_1_0 || special.encodings > 1 ||
        !equal_ignoring_case(special.encoding, "chunked")) {
      return Refusal{400, "The only supported Transfer-Encoding is chunked."};
    }
    framing.chunked = true;
  }
  if (special.lengths > 0) {
    const auto length = parse_decimal(special.length);
    if (special.lengths > 1 || !length) {
      return Refusal{400, "Content-Length must be one number."};
    }
    framing.content_length = *length;
  }
  return std::nullopt;
}

std::optional<Refusal> settle(const Special& special, Framing& framing) {
  if (special.hosts > 1 || (special.hosts == 0 && !framing.http_1_0) ||
      (special.hosts == 1 && !is_host(special.host))) {
    return Refusal{400, "The request must name one valid Host."};
  }
  if (const auto refusal = settle_body(special, framing)) return refusal;
  framing.keep_alive = !special.close && (!framing.http_1_0 || special.keep_alive);
  if (!special.expect.empty() && !framing.http_1_0) {
    if (!equal_ignoring_case(special.expect, "100-continue")) {
      return Refusal{417, "The only supported expectation is 100-continue."};
    }
    framing.expects_continue = framing.chunked || framing.content_length > 0;
  }
  return std::nullopt;
}

}  // namespace

bool is_host(std::string_view text) {
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos || close == 1) return false;
    return std::ranges::all_of(text.substr(1, close - 1), is_bracket_char) &&
           is_port(text.substr(close + 1));
  }
  const auto colon = std::min(text.find(':'), text.size());
  return colon > 0 && std::ranges::all_of(text.substr(0, colon), is_name_char) &&
         is_port(text.substr(colon));
}

bool read_target(std::string_view target, Request& request) {
  const auto is_allowed = [](char c) { return c > 0x20 && c < 0x7F && c != '#'; };
  if (target.empty() || !std::ranges::all_of(target, is_allowed)) return false;
  if (target == "*") {
    request.path = target;
    request.query = {};
    return request.method == Method::options;
  }
  if (target.front() != '/' && !take_authority(target)) return false;
  request.path = cut_front(target, '?');
  request.query = target;
  if (request.path.empty()) request.path = "/";
  return true;
}

HeadScanner::State HeadScanner::scan(std::string_view bytes) {
  while (scanned_ < bytes.size()) {
    const void* found = std::memchr(bytes.data() + scanned_, '\n', bytes.size() - scanned_);
    if (!found) {
      scanned_ = bytes.size();
      break;
    }
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    scanned_ = at + 1;
    if (at == 0 || bytes[at - 1] != '\r') return State::bare_line_feed;
    const bool blank = at == line_start_ + 1;
    line_start_ = at + 1;
    if (blank) return State::complete;
  }
  return State::incomplete;
}

std::optional<Refusal> parse_head(std::string_view head, Request& request, Framing& framing) {
  framing = {};
  const auto end = head.find("\r\n");
  if (end == std::string_view::npos || !head.ends_with("\r\n\r\n")) {
    return Refusal{400, "The request's head is malformed."};
  }
  if (const auto refusal = read_request_line(head.substr(0, end), request, framing)) {
    return refusal;
  }
  Special special;
  if (const auto refusal = read_headers(head.substr(end + 2), request, special)) return refusal;
  return settle(special, framing);
}

}  // namespace coffer::http
