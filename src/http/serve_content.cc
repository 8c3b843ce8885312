#include "http/serve_content.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "http/conditional.h"
#include "http/envelope.h"
#include "http/query.h"
#include "http/syntax.h"

namespace coffer::http {
namespace {

constexpr std::size_t kRangeLimit = 64;

/// A number of a range; one above 2^64 - 1 becomes that.
std::optional<std::uint64_t> read_position(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
  return parse_decimal(text).value_or(std::numeric_limits<std::uint64_t>::max());
}

/// One range of the header; its length is 0 if it lies outside the content.
std::optional<ByteRange> read_range(std::string_view text, std::uint64_t size) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto last = read_position(text.substr(dash + 1));
  if (dash == 0) {
    if (!last) return std::nullopt;
    const auto length = std::min(*last, size);
    return ByteRange{size - length, length};
  }
  const auto first = read_position(text.substr(0, dash));
  const bool open = dash + 1 == text.size();
  if (!first || (!last && !open) || (last && *last < *first)) return std::nullopt;
  if (*first >= size) return ByteRange{};
  const auto end = open ? size - 1 : std::min(*last, size - 1);
  return ByteRange{*first, end - *first + 1};
}

void join(std::vector<ByteRange>& ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::offset);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const std::uint64_t end = ranges[kept].offset + ranges[kept].length;
    if (ranges[i].offset > end) {
      ranges[++kept] = ranges[i];
    } else {
      const std::uint64_t new_end = std::max(end, ranges[i].offset + ranges[i].length);
      ranges[kept].length = new_end - ranges[kept].offset;
    }
  }
  ranges.resize(kept + 1);
}

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '%';
}

/// The marks among `attr-char` of RFC 8187, section 3.2.1.
constexpr std::string_view kAttributeMarks = "!#$&+-.^_`|~";

std::string disposition(std::string_view type, std::string_view file_name) {
  std::string out(type);
  out += "; filename=\"";
  for (const char c : file_name) {
    // One replacement for each character, not for each byte.
    if ((c & 0xC0) == 0x80) continue;
    out += is_plain(c) ? c : '_';
  }
  out += "\"; filename*=UTF-8''";
  out += percent_encode(file_name, kAttributeMarks);
  return out;
}

using std::to_string;

std::string content_range(const ByteRange& range, std::uint64_t size) {
  return "bytes " + to_string(range.offset) + '-' + to_string(range.offset + range.length - 1) +
         '/' + to_string(size);
}

void add_validators(Response& response, const ContentInfo& info) {
  response.headers.emplace_back("ETag", info.etag);
  response.headers.emplace_back("Last-Modified", format_http_date(info.modified_at));
  response.headers.emplace_back("Accept-Ranges", "bytes");
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
}

Response refuse(unsigned status, std::string_view message, const ContentInfo& info) {
  Response response = info.refuse(status, message);
  add_validators(response, info);
  return response;
}

Response unsatisfiable(const ContentInfo& info) {
  Response response = refuse(416, "The requested range lies outside the content.", info);
  response.headers.emplace_back("Content-Range", "bytes */" + to_string(info.size_bytes));
  return response;
}

Response not_modified(const ContentInfo& info) {
  Response response;
  response.status = 304;
  add_validators(response, info);
  return response;
}

/// Several ranges, each after its framing (RFC 9110, section 14.6).
void put_ranges(Response& response, const std::vector<ByteRange>& ranges, const ContentInfo& info,
                ContentBody& body) {
  const std::string boundary = random_hex(16);
  std::string_view line_break;
  for (const ByteRange& range : ranges) {
    std::string before(line_break);
    before += "--" + boundary + "\r\nContent-Type: " + info.media_type +
              "\r\nContent-Range: " + content_range(range, info.size_bytes) + "\r\n\r\n";
    body.stretches.push_back({std::move(before), range.offset, range.length});
    line_break = "\r\n";
  }
  body.after = "\r\n--" + boundary + "--\r\n";
  response.headers.emplace_back("Content-Type", "multipart/byteranges; boundary=" + boundary);
}

RangeChoice ranges_of(const Request& request, const ContentInfo& info) {
  const auto range = request.header("Range");
  if (!range || request.method != Method::get ||
      !range_applies(request, info.etag, info.modified_at, now())) {
    return {};
  }
  return choose_ranges(*range, info.size_bytes);
}

void put_body(Response& response, const RangeChoice& choice, const ContentInfo& info,
              ContentBody& body) {
  if (choice.kind == RangeChoice::Kind::some && choice.ranges.size() > 1) {
    response.status = 206;
    put_ranges(response, choice.ranges, info, body);
    return;
  }
  ByteRange range{0, info.size_bytes};
  if (choice.kind == RangeChoice::Kind::some) {
    range = choice.ranges.front();
    response.status = 206;
    response.headers.emplace_back("Content-Range", content_range(range, info.size_bytes));
  }
  if (range.length > 0) body.stretches.push_back({{}, range.offset, range.length});
  response.headers.emplace_back("Content-Type", info.media_type);
}

}  // namespace

RangeChoice choose_ranges(std::string_view header, std::uint64_t size) {
  const auto unit = cut_front(header, '=');
  if (!equal_ignoring_case(unit, "bytes")) return {};
  RangeChoice choice{RangeChoice::Kind::none, {}};
  std::size_t count = 0;
  bool asks_whole_of_nothing = false;
  while (!header.empty()) {
    const auto text = trim(cut_front(header, ','));
    if (text.empty()) continue;
    const auto range = read_range(text, size);
    if (!range || ++count > kRangeLimit) return {};
    if (range->length > 0) choice.ranges.push_back(*range);
    // The last bytes of an empty content are a valid range, but no Content-Range can express it.
    const bool is_suffix = text.front() == '-';
    asks_whole_of_nothing |= is_suffix && size == 0 && read_position(text.substr(1)) != 0u;
  }
  if (count == 0 || asks_whole_of_nothing) return {};
  if (choice.ranges.empty()) return choice;
  choice.kind = RangeChoice::Kind::some;
  join(choice.ranges);
  return choice;
}

std::string attachment_disposition(std::string_view file_name) {
  return disposition("attachment", file_name);
}

std::string inline_disposition(std::string_view file_name) {
  return disposition("inline", file_name);
}

Response serve_content(const Request& request, const ContentInfo& info,
                       std::shared_ptr<Content> content) {
  switch (check_preconditions(request, info.etag, info.modified_at)) {
    case Precondition::failed:
      return refuse(412, "The content has changed.", info);
    case Precondition::not_modified:
      return not_modified(info);
    case Precondition::passed:
      break;
  }
  const RangeChoice choice = ranges_of(request, info);
  if (choice.kind == RangeChoice::Kind::none) return unsatisfiable(info);
  Response response;
  response.headers.reserve(8);
  add_validators(response, info);
  response.headers.emplace_back("Content-Disposition", info.disposition);
  ContentBody body;
  put_body(response, choice, info, body);
  body.content = std::move(content);
  response.body = std::move(body);
  response.may_pause = true;
  return response;
}

}  // namespace coffer::http
