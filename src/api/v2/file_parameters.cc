#include "api/v2/file_parameters.h"

#include <algorithm>
#include <utility>

#include "base/encoding.h"
#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api {

namespace {

constexpr std::size_t kMostItems = 10'000;
constexpr std::size_t kUsualItems = 200;
/// More than the longest name and mount take.
constexpr std::size_t kCursorLimitBytes = 1'024;

}  // namespace

boost::json::object ParameterSchema<v2::PageLimit>::make() {
  return {{"type", "integer"}, {"minimum", 1}, {"maximum", kMostItems}, {"default", kUsualItems}};
}

boost::json::object ParameterSchema<v2::Cursor>::make() {
  return {{"type", "string"},
          {"minLength", 1},
          {"maxLength", kCursorLimitBytes},
          {"pattern", "^[A-Za-z0-9_-]+$"}};
}

namespace v2 {
namespace {

/// Base64 for addresses (RFC 4648, section 5) differs in two characters.
std::string swapped(std::string text, char plus, char slash, char new_plus, char new_slash) {
  std::ranges::replace(text, plus, new_plus);
  std::ranges::replace(text, slash, new_slash);
  return text;
}

std::unexpected<Error> no_cursor() {
  return fail(ErrorCode::invalid,
              "The parameter \"cursor\" must be what `next` of a page told, with that page's sort "
              "and order.");
}

std::optional<core::ItemKind> kind_of(std::string_view word) {
  using enum core::ItemKind;
  for (const core::ItemKind kind : {folder, mount, file}) {
    if (to_string(kind) == word) return kind;
  }
  return std::nullopt;
}

/// By the decimal text of its bits, so that times before 1970 are numbers too.
std::string text_of(std::int64_t number) {
  return std::to_string(static_cast<std::uint64_t>(number));
}

std::string head_of(const core::PageOrder& order) {
  return std::string(to_string(order.key)) + (order.descending ? " desc" : " asc");
}

Result<core::PagePosition> position_of(const std::string& cursor, const core::PageOrder& order) {
  const auto text = from_base64(swapped(cursor, '-', '_', '+', '/'), false);
  if (!text || !is_utf8(*text)) return no_cursor();
  std::string_view rest = *text;
  if (http::cut_front(rest, '\n') != head_of(order)) return no_cursor();
  const auto kind = kind_of(http::cut_front(rest, '\n'));
  const auto number = http::parse_decimal(http::cut_front(rest, '\n'));
  if (!kind || !number || rest.empty()) return no_cursor();
  return core::PagePosition{*kind, static_cast<std::int64_t>(*number), std::string(rest)};
}

}  // namespace

std::string_view to_string(SortOrder order) {
  return order == SortOrder::asc ? "asc" : "desc";
}

std::string_view to_string(Disposition disposition) {
  return disposition == Disposition::attachment ? "attachment" : "inline";
}

Result<void> parse_value(std::string_view text, PageLimit& out) {
  const auto number = http::parse_decimal(text);
  if (!number || *number < 1 || *number > kMostItems) {
    return fail(ErrorCode::invalid, "must be a whole number from 1 to 10000");
  }
  out.value = *number;
  return {};
}

Result<void> parse_value(std::string_view text, Cursor& out) {
  if (text.size() > kCursorLimitBytes) return no_cursor();
  out.value = text;
  return {};
}

Result<core::PageRequest> page_request(const PageParameters& parameters) {
  core::PageRequest request;
  request.order.key = parameters.sort.value_or(core::SortKey::name);
  request.order.descending = parameters.order == SortOrder::desc;
  request.limit = parameters.limit ? parameters.limit->value : kUsualItems;
  if (!parameters.cursor) return request;
  auto position = position_of(parameters.cursor->value, request.order);
  if (!position) return failure_of(std::move(position));
  request.after = *std::move(position);
  return request;
}

std::string cursor_of(const core::PageOrder& order, const core::PagePosition& position) {
  const std::string text = head_of(order) + '\n' + std::string(to_string(position.kind)) + '\n' +
                           text_of(position.number) + '\n' + position.name;
  return swapped(to_base64(text, false), '+', '/', '-', '_');
}

}  // namespace v2
}  // namespace coffer::api
