#include "http/conditional.h"

#include <algorithm>

#include "http/syntax.h"

namespace coffer::http {
namespace {

using Seconds = std::chrono::sys_seconds;

/// A date of this age is a strong validator, even if the clocks of the file system and of the
/// server differ a little.
constexpr std::chrono::seconds kStrongAge{60};

Seconds to_seconds(Timestamp time) {
  return std::chrono::floor<std::chrono::seconds>(time);
}

/// Removes one entity-tag from the front of a list; empty if the list ends or is malformed.
std::string_view take_tag(std::string_view& list) {
  list.remove_prefix(std::min(list.find_first_not_of(" \t,"), list.size()));
  const std::size_t quote = list.starts_with("W/") ? 2 : 0;
  if (quote >= list.size() || list[quote] != '"') return {};
  const auto close = list.find('"', quote + 1);
  if (close == std::string_view::npos) return {};
  const auto tag = list.substr(0, close + 1);
  list.remove_prefix(close + 1);
  return tag;
}

/// `etag` is strong, so a weak tag equals it only in the weak comparison.
bool list_names(std::string_view list, std::string_view etag, bool weak) {
  if (trim(list) == "*") return true;
  for (auto tag = take_tag(list); !tag.empty(); tag = take_tag(list)) {
    if (weak && tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag) return true;
  }
  return false;
}

struct TagCheck {
  bool present = false;
  bool matched = false;
};

/// A list may be spread over several headers of the name.
TagCheck check_tags(const Request& request, std::string_view name, std::string_view etag,
                    bool weak) {
  TagCheck check;
  for (const Header& header : request.headers) {
    if (!equal_ignoring_case(header.name, name)) continue;
    check.present = true;
    check.matched = check.matched || list_names(header.value, etag, weak);
  }
  return check;
}

std::optional<Seconds> date_of(const Request& request, std::string_view name) {
  const auto text = request.header(name);
  if (!text) return std::nullopt;
  const auto date = parse_http_date(*text);
  if (!date) return std::nullopt;
  return to_seconds(*date);
}

}  // namespace

Precondition check_preconditions(const Request& request, std::string_view etag,
                                 Timestamp modified_at) {
  const auto match = check_tags(request, "If-Match", etag, false);
  if (match.present && !match.matched) return Precondition::failed;
  if (!match.present) {
    const auto date = date_of(request, "If-Unmodified-Since");
    if (date && to_seconds(modified_at) > *date) return Precondition::failed;
  }
  const auto none_match = check_tags(request, "If-None-Match", etag, true);
  if (none_match.present) {
    return none_match.matched ? Precondition::not_modified : Precondition::passed;
  }
  const auto date = date_of(request, "If-Modified-Since");
  return date && to_seconds(modified_at) <= *date ? Precondition::not_modified
                                                  : Precondition::passed;
}

bool has_tag(const Request& request, std::string_view etag) {
  if (etag.starts_with("W/")) etag.remove_prefix(2);
  return check_tags(request, "If-None-Match", etag, true).matched;
}

bool has_write_conditions(const Request& request) {
  return std::ranges::any_of(request.headers, [](const Header& header) {
    return equal_ignoring_case(header.name, "If-Match") ||
           equal_ignoring_case(header.name, "If-None-Match") ||
           equal_ignoring_case(header.name, "If-Unmodified-Since");
  });
}

bool meets_write_conditions(const Request& request, const std::optional<Validators>& current) {
  const std::string_view etag = current ? std::string_view(current->etag) : std::string_view();
  const auto match = check_tags(request, "If-Match", etag, false);
  if (match.present && !(current && match.matched)) return false;
  if (!match.present && current) {
    const auto date = date_of(request, "If-Unmodified-Since");
    if (date && to_seconds(current->modified_at) > *date) return false;
  }
  const auto none_match = check_tags(request, "If-None-Match", etag, true);
  return !(none_match.present && current && none_match.matched);
}

bool range_applies(const Request& request, std::string_view etag, Timestamp modified_at,
                   Timestamp now) {
  if (!request.has("If-Range")) return true;
  const auto validator = request.header("If-Range");
  if (!validator) return false;
  if (*validator == etag) return true;
  const auto date = parse_http_date(*validator);
  return date && to_seconds(*date) == to_seconds(modified_at) &&
         to_seconds(now) - to_seconds(modified_at) >= kStrongAge;
}

}  // namespace coffer::http
