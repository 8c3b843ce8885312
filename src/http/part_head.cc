#include "http/part_head.h"

#include <algorithm>

#include "http/parameters.h"
#include "http/query.h"
#include "http/syntax.h"

namespace coffer::http {
namespace {

/// MIME headers may still be folded: a line that begins with white space continues the one before.
std::string unfold(std::string_view lines) {
  std::string text(lines);
  for (auto at = text.find("\r\n"); at != std::string::npos; at = text.find("\r\n", at + 2)) {
    if (at + 2 < text.size() && (text[at + 2] == ' ' || text[at + 2] == '\t')) {
      text[at] = text[at + 1] = ' ';
    }
  }
  return text;
}

bool has_control(std::string_view line) {
  return std::ranges::any_of(line, [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
  });
}

std::string decode_quotes(std::string_view text) {
  std::string out(text);
  for (auto at = out.find("%22"); at != std::string::npos; at = out.find("%22", at + 1)) {
    out.replace(at, 3, 1, '"');
  }
  return out;
}

/// `UTF-8'language'percent-encoded` (RFC 8187).
std::optional<std::string> decode_extended(std::string_view text) {
  if (!equal_ignoring_case(cut_front(text, '\''), "UTF-8")) return std::nullopt;
  cut_front(text, '\'');
  auto decoded = percent_decode(text, false);
  if (!decoded) return std::nullopt;
  return std::move(*decoded);
}

Result<PartHead> read_disposition(std::string_view value) {
  const auto malformed = [] {
    return fail(ErrorCode::invalid, "A part of the form has a malformed Content-Disposition.");
  };
  const auto parameters = parse_parameters(value);
  if (!parameters || !equal_ignoring_case(parameters->subject, "form-data")) return malformed();
  const auto name = parameters->get("name");
  if (!name) return malformed();
  PartHead head{decode_quotes(*name), std::nullopt};
  if (const auto file_name = parameters->get("filename")) {
    head.file_name = decode_quotes(*file_name);
  } else if (const auto extended = parameters->get("filename*")) {
    head.file_name = decode_extended(*extended);
    if (!head.file_name) return malformed();
  }
  return head;
}

}  // namespace

Result<PartHead> parse_part_head(std::string_view lines) {
  const std::string text = unfold(lines);
  std::optional<std::string_view> disposition;
  for (std::string_view rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    std::string_view value = line;
    const auto name = cut_front(value, ':');
    if (name.size() == line.size() || !is_token(name) || has_control(line)) {
      return fail(ErrorCode::invalid, "A part of the form has a malformed header.");
    }
    if (!equal_ignoring_case(name, "Content-Disposition")) continue;
    if (disposition) {
      return fail(ErrorCode::invalid, "A part of the form has two Content-Dispositions.");
    }
    disposition = trim(value);
  }
  if (!disposition) {
    return fail(ErrorCode::invalid, "A part of the form has no Content-Disposition.");
  }
  return read_disposition(*disposition);
}

}  // namespace coffer::http
