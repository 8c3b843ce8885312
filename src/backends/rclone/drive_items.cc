#include "backends/rclone/drive_items.h"

#include <boost/json/basic_parser_impl.hpp>
#include <optional>
#include <string>
#include <utility>

#include "backends/rclone/engine/rfc3339.h"
#include "base/path.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;
using boost::system::error_code;

constexpr std::size_t kNameLimitBytes = 1024;

/// The depth of a member of an item: the whole, its list, the item.
constexpr int kItemDepth = 2;
constexpr std::size_t kLongestTextBytes = 64 * 1024;

/// The handler of json::basic_parser (see its documentation for the members).
struct Handler {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = kLongestTextBytes;
  static constexpr std::size_t max_string_size = kLongestTextBytes;

  ItemSink sink;
  Result<void> taken = {};
  bool saw_list = false;
  int depth = 0;
  std::string key = {};
  std::string text = {};
  DriveItem item = {};

  bool is_member() const { return depth == kItemDepth; }
  bool on_number(std::int64_t number) {
    if (is_member() && key == "Size" && number >= 0)
      item.size_bytes = static_cast<std::uint64_t>(number);
    return true;
  }
  void take_text() {
    if (!is_member()) return;
    if (key == "Path") item.path = text;
    if (key == "ModTime") item.modified_at = parse_rfc3339(text).value_or(Timestamp());
  }

  bool on_document_begin(error_code& /*error*/) { return true; }
  bool on_document_end(error_code& /*error*/) { return true; }
  bool on_object_begin(error_code& /*error*/) {
    if (++depth == kItemDepth) item = {};
    return true;
  }
  bool on_object_end(std::size_t /*count*/, error_code& error) {
    if (depth-- != kItemDepth) return true;
    taken = sink(std::move(item));
    if (!taken) error = json::error::incomplete;
    return taken.has_value();
  }
  bool on_array_begin(error_code& /*error*/) {
    saw_list = saw_list || (depth == 1 && key == "list");
    return true;
  }
  bool on_array_end(std::size_t /*count*/, error_code& /*error*/) { return true; }
  bool on_key_part(json::string_view part, std::size_t size, error_code& error) {
    return on_string_part(part, size, error);
  }
  bool on_key(json::string_view part, std::size_t /*size*/, error_code& /*error*/) {
    text.append(part.data(), part.size());
    key.swap(text);
    text.clear();
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t /*size*/, error_code& /*error*/) {
    text.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t /*size*/, error_code& /*error*/) {
    text.append(part.data(), part.size());
    take_text();
    text.clear();
    return true;
  }
  bool on_number_part(json::string_view /*part*/, error_code& /*error*/) { return true; }
  bool on_int64(std::int64_t number, json::string_view /*text*/, error_code& /*error*/) {
    return on_number(number);
  }
  bool on_uint64(std::uint64_t /*number*/, json::string_view /*text*/, error_code& /*error*/) {
    return true;
  }
  bool on_double(double /*number*/, json::string_view /*text*/, error_code& /*error*/) {
    return true;
  }
  bool on_bool(bool yes, error_code& /*error*/) {
    if (is_member() && key == "IsDir") item.is_folder = yes;
    return true;
  }
  bool on_null(error_code& /*error*/) {
    // Go writes a list without items so.
    saw_list = saw_list || (depth == 1 && key == "list");
    return true;
  }
  bool on_comment_part(json::string_view /*part*/, error_code& /*error*/) { return true; }
  bool on_comment(json::string_view /*part*/, error_code& /*error*/) { return true; }
};

}  // namespace

std::string_view DriveItem::name() const {
  const std::string_view whole = path;
  return whole.substr(whole.rfind('/') + 1);
}

bool is_sane(const DriveItem& item, std::string_view folder) {
  const std::string_view name = item.name();
  if (name.empty() || name.size() > kNameLimitBytes) return false;
  const std::string_view path = item.path;
  const bool is_in_folder =
      folder.empty() ? path.size() == name.size()
                     : path.size() == folder.size() + 1 + name.size() && path.starts_with(folder);
  if (!is_in_folder) return false;
  const auto parsed = Path::parse(name);
  return parsed && parsed->str() == name;
}

remote::Item item_of(const DriveItem& item) {
  return {std::string(item.name()), item.is_folder ? remote::Kind::folder : remote::Kind::file,
          item.size_bytes.value_or(0), item.modified_at};
}

struct ItemsParser::Parser {
  json::basic_parser<Handler> json;
};

ItemsParser::ItemsParser(ItemSink sink)
    : parser_(new Parser{
          json::basic_parser<Handler>(json::parse_options(), Handler{.sink = std::move(sink)})}) {}

ItemsParser::~ItemsParser() = default;

Result<void> ItemsParser::outcome(bool broken) const {
  const Handler& handler = parser_->json.handler();
  if (!handler.taken) return handler.taken;
  if (!broken) return {};
  return fail(ErrorCode::unavailable, "rclone's answer makes no sense.");
}

Result<void> ItemsParser::parse(std::string_view piece) {
  error_code error;
  const auto used = parser_->json.write_some(true, piece.data(), piece.size(), error);
  const bool has_more = !error && used < piece.size() &&
                        piece.substr(used).find_first_not_of(" \t\r\n") != piece.npos;
  return outcome(error.failed() || has_more);
}

Result<void> ItemsParser::end() {
  error_code error;
  if (!parser_->json.done()) parser_->json.write_some(false, nullptr, 0, error);
  return outcome(error.failed() || !parser_->json.done() || !parser_->json.handler().saw_list);
}

}  // namespace coffer::rclone
