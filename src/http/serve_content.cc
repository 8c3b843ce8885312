#include "http/serve_content.h"

#include "base/random.h"
#include "http/conditional.h"
#include "http/envelope.h"
#include "http/ranges.h"

namespace coffer::http {
namespace {

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

/// Several ranges, each with its framing in front (RFC 9110, section 14.6).
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
  return response;
}

}  // namespace coffer::http
