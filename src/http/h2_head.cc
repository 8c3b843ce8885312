#include "http/h2_head.h"

#include <algorithm>

#include "http/syntax.h"

namespace coffer::http {
namespace {

/// What a field takes besides its name and value (RFC 9113, section 6.5.2).
constexpr std::size_t kFieldOverhead = 32;

bool is_in_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

}  // namespace

void H2Head::add(std::string_view name, std::string_view value) {
  bytes_ += name.size() + value.size() + kFieldOverhead;
  if (bytes_ > limit_bytes_) refuse({431, "The request's head is too large."});
  if (refusal_) return;
  if (!is_in_one_line(value)) return add_invalid();
  if (name.starts_with(':')) return add_pseudo(name, value);
  if (!is_token(name)) return add_invalid();
  if (name == "cookie") {
    if (!cookie_.empty()) cookie_ += "; ";
    cookie_ += value;
  } else if (name == "host" && !host_) {
    host_ = value;
  } else {
    has_length_ |= name == "content-length";
    add_line(name, value);
  }
}

void H2Head::add_pseudo(std::string_view name, std::string_view value) {
  // A blank would divide the request line otherwise.
  if (value.find(' ') != value.npos) return add_invalid();
  if (name == ":method") method_ = value;
  if (name == ":path") path_ = value;
  if (name == ":authority") authority_ = value;
}

void H2Head::add_line(std::string_view name, std::string_view value) {
  lines_ += name;
  lines_ += ": ";
  lines_ += value;
  lines_ += "\r\n";
}

std::string H2Head::take_text(bool has_body) {
  // RFC 9113, section 8.3.1: they must not differ.
  if (authority_ && host_ && !equal_ignoring_case(*authority_, *host_)) add_line("host", *host_);
  const std::string& target = path_.empty() && authority_ ? *authority_ : path_;  // CONNECT
  std::string head;
  head.reserve(bytes_);
  head += method_ + ' ' + target + " HTTP/1.1\r\n";
  if (authority_) host_ = authority_;
  if (host_) head += "host: " + *host_ + "\r\n";
  if (!cookie_.empty()) head += "cookie: " + cookie_ + "\r\n";
  head += lines_;
  if (has_body && !has_length_) head += "transfer-encoding: chunked\r\n";
  head += "\r\n";
  lines_ = std::string();
  cookie_ = std::string();
  return head;
}

std::vector<std::pair<std::string_view, std::string_view>> fields_of(std::string& lines) {
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::size_t at = 0;
  while (at < lines.size()) {
    const std::size_t colon = lines.find(':', at);
    const std::size_t end = lines.find("\r\n", at);
    std::transform(lines.begin() + static_cast<std::ptrdiff_t>(at),
                   lines.begin() + static_cast<std::ptrdiff_t>(colon),
                   lines.begin() + static_cast<std::ptrdiff_t>(at),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    const std::string_view all = lines;
    fields.emplace_back(all.substr(at, colon - at), trim(all.substr(colon + 1, end - colon - 1)));
    at = end + 2;
  }
  return fields;
}

}  // namespace coffer::http
