#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/head_parser.h"

namespace coffer::http {

/// Collects the fields of a request of HTTP/2 and writes them as a head of HTTP/1.1 (RFC 9113,
/// section 8.3), which `parse_head` then judges, so that requests mean the same in both. Takes
/// nothing on trust that could end a line of the head.
class H2Head {
 public:
  /// `limit_bytes` bounds the sizes of all fields, 32 bytes for each included (RFC 9113, section
  /// 6.5.2). Memory never exceeds it, whatever is added.
  explicit H2Head(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

  void add(std::string_view name, std::string_view value);
  /// Notes a field that RFC 9113, section 8.2.1, forbids.
  void add_invalid() { refuse({400, "A header line is malformed."}); }

  /// Returns why the head is refused; nullopt if it is not.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  /// Returns the path and the query, as far as they are known.
  std::string_view target() const { return path_; }
  /// Returns the size of all fields that are kept, 32 bytes for each included.
  std::size_t bytes() const { return std::min(bytes_, limit_bytes_); }
  /// Returns the head, complete with its blank line, and keeps nothing of it but the target.
  /// `has_body`: the request did not end with its head; then a head without a length says
  /// `Transfer-Encoding: chunked`.
  std::string take_text(bool has_body);

 private:
  void refuse(Refusal refusal) {
    if (!refusal_) refusal_ = refusal;
  }
  void add_pseudo(std::string_view name, std::string_view value);
  void add_line(std::string_view name, std::string_view value);

  const std::size_t limit_bytes_;
  std::size_t bytes_ = 0;
  std::optional<Refusal> refusal_;
  std::string method_;
  std::string path_;
  std::optional<std::string> authority_;
  std::optional<std::string> host_;
  std::string cookie_;  ///< All crumbs, joined (RFC 9113, section 8.2.3).
  std::string lines_;
  bool has_length_ = false;
};

/// Splits the lines of a response's head, each `Name: value` and CR LF, into fields of HTTP/2,
/// whose names have small letters. Changes `lines`, which the fields are views of.
std::vector<std::pair<std::string_view, std::string_view>> fields_of(std::string& lines);

}  // namespace coffer::http
