#include "api/content.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/answer_memory.h"
#include "api/store_content.h"
#include "api/v2/body.h"
#include "api/v2/files.h"
#include "http/conditional.h"
#include "http/query.h"
#include "http/serve_content.h"

namespace coffer::api::v2 {
namespace {

constexpr std::uint64_t kLongestLifetime = 3'600;

/// The life of an address: 1 to 3,600 seconds.
struct Lifetime {
  std::uint64_t value = 0;
  static boost::json::object schema() {
    return {{"type", "integer"}, {"minimum", 1}, {"maximum", kLongestLifetime}};
  }
};

Result<void> from_json(const boost::json::value& json, Lifetime& out) {
  TRY_VOID(v2::from_json(json, out.value));
  if (out.value >= 1 && out.value <= kLongestLifetime) return {};
  return fail(ErrorCode::invalid, "must be from 1 to 3600");
}

struct NewContentParameters {
  FIELD(NonEmpty<SourcePath>, path,
        "The file, in an existing folder. Its name must be a valid new name.",
        R"("holiday/notes.txt")");
};

struct WantedAddress {
  FIELD(NonEmpty<ItemPath>, path, "The file.", R"("holiday/film.mp4")");
  FIELD(std::optional<Disposition>, disposition, "attachment (default) or inline.", R"("inline")");
  FIELD(std::optional<Lifetime>, expiresInSeconds, "The validity in seconds: 1 to 3600 (default).",
        "3600");
};

struct AddressDetails {
  static constexpr std::string_view kSchema = "ContentAddress";
  FIELD(std::string, address, "The path on this server. Whoever has it can read the file.",
        R"("/api/v2/content/AAAA")");
  FIELD(Timestamp, expiresAt, "UTC.", R"("2026-11-21T07:14:09")");
};

struct AddressParameters {
  FIELD(NonEmpty<std::string>, address,
        "The last part of the address that POST /api/v2/files/content-address answered.",
        R"("AAAA")");
};

/// A file's content is not trusted: in a browser it runs no script, loads nothing from elsewhere
/// and has no origin (CSP 3, section 6.3.2).
constexpr std::string_view kSandbox =
    "default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'unsafe-inline'; "
    "sandbox";

Task<Result<http::Response>> read_content(Call call, ContentParameters parameters) {
  const Disposition disposition = parameters.disposition.value_or(Disposition::attachment);
  co_return co_await serve_file(call, call.principal(), parameters.path.value, disposition);
}

Task<Result<http::Response>> read_by_address(Call call, AddressParameters parameters) {
  CO_TRY(const auto address,
         co_await call.services.content_addresses.open(parameters.address.value));
  const core::ContentAddresses::Target& target = address.target;
  const auto disposition = target.is_shown ? Disposition::inline_ : Disposition::attachment;
  core::Principal reader = address.principal;
  reader.is_guest = true;
  reader.address = call.request.remote_address;
  co_return co_await serve_file(call, reader, target.path, disposition, target.etag);
}

Task<Result<Answer<AddressDetails>>> make_address(Call call, NoParameters, WantedAddress body) {
  const Path& path = body.path.value.value;
  CO_TRY(const auto item, co_await call.services.files.info(call.principal(), path));
  if (item.entry.is_directory) co_return fail(ErrorCode::invalid, "This is a folder.");
  const std::chrono::seconds lifetime(body.expiresInSeconds ? body.expiresInSeconds->value
                                                            : kLongestLifetime);
  AddressDetails details;
  details.expiresAt = now() + lifetime;
  core::ContentAddresses::Target target;
  target.path = path;
  target.etag = etag_of(version_of(item.entry));
  target.is_shown = body.disposition == Disposition::inline_;
  const std::string text =
      call.services.content_addresses.make(call.principal(), target, details.expiresAt);
  std::string address = "/api/v2/content/" + text;
  details.address = fmt::format("{}{}", call.request.base_path, address);
  Answer<AddressDetails> answer;
  answer.headers.emplace_back("Location", std::move(address));
  answer.data = std::move(details);
  co_return answer;
}

/// A part of a file, or a file in another form, would pass for the whole (RFC 9110, section 14.5).
Result<void> check_is_whole(const http::Request& request) {
  for (const std::string_view name : {"Content-Range", "Content-Encoding"}) {
    if (!request.header(name)) continue;
    return fail(ErrorCode::invalid,
                "The header " + std::string(name) + " is not known here: send the whole file.");
  }
  return {};
}

std::unexpected<Error> not_met() {
  return fail(ErrorCode::changed, "The file is not in the state that the request names.");
}

/// Turns the conditions of the request into those of the write, which are checked again when the
/// file is published.
Task<Result<storage::WriteOptions>> options_of(const Call& call, const Path& path) {
  storage::WriteOptions options;
  options.size_bytes = call.request.body->length();
  if (!http::has_write_conditions(call.request)) co_return options;
  const auto item = co_await call.services.files.info(call.principal(), path);
  if (!item && item.error().code != ErrorCode::not_found) co_return failure_of(item);
  if (item && item->entry.is_directory) {
    co_return fail(ErrorCode::exists, "The name is taken by a folder.");
  }
  std::optional<http::Validators> current;
  if (item) current.emplace(etag_of(version_of(item->entry)), item->entry.modified_at);
  if (!http::meets_write_conditions(call.request, current)) co_return not_met();
  if (item) options.replaces = version_of(item->entry);
  if (!item) options.if_taken = storage::IfTaken::refuse;
  co_return options;
}

Task<Result<std::vector<storage::Published>>> store(const Call& call, core::Upload& upload,
                                                    const Path& path,
                                                    storage::WriteOptions options) {
  CO_TRY_VOID(co_await upload.begin_file(path.name(), std::move(options)));
  CO_TRY_VOID(co_await store_content(*call.request.body, upload));
  co_return co_await upload.publish();
}

http::Response stored_answer(const Path& path, bool replaced,
                             const std::optional<storage::FileVersion>& version) {
  Answer<Nothing> answer;
  if (version) answer.headers.emplace_back("ETag", etag_of(*version));
  if (!replaced) {
    answer.headers.emplace_back("Location",
                                "/api/v2/files/content?path=" + http::query_encode(path.str()));
  }
  return response_of(replaced ? 204 : 201, std::move(answer));
}

Task<Result<http::Response>> write_content(Call call, NewContentParameters parameters) {
  CO_TRY_VOID(check_is_whole(call.request));
  const Path& path = parameters.path.value.value;
  CO_TRY(auto upload, co_await call.services.files.upload_one(call.principal(), path,
                                                              call.request.body->length()));
  CO_TRY(auto options, co_await options_of(call, path));
  const bool must_be_new = options.if_taken == storage::IfTaken::refuse;
  auto published = co_await store(call, *upload, path, std::move(options));
  if (!published && must_be_new && published.error().code == ErrorCode::exists) {
    co_return not_met();
  }
  CO_TRY(const auto stored, std::move(published));
  const auto version = co_await upload->shown_version();
  co_return stored_answer(path, stored.front().replaced, version);
}

}  // namespace

Task<Result<http::Response>> serve_file(const Call& call, const core::Principal& principal,
                                        const Path& path, Disposition disposition,
                                        std::string_view etag, WrapContent wrap) {
  CO_TRY(auto file, co_await call.services.files.open(principal, path));
  if (!etag.empty() && etag_of(version_of(file.reader->entry())) != etag) {
    co_return fail(ErrorCode::not_found,
                   "The file is not the one any more that this address was made for.");
  }
  co_return send_file(call, principal, std::move(file), disposition, wrap);
}

Result<http::Response> send_file(const Call& call, const core::Principal& principal,
                                 core::OpenFile file, Disposition disposition,
                                 const WrapContent& wrap) {
  Pool& pool = call.services.pools.of(principal.account->id).brief;
  auto content = std::make_shared<FileContent>(std::move(file), pool);
  http::ContentInfo info = info_of(content->entry());
  info.refuse = &http::problem_response;
  if (disposition == Disposition::inline_) {
    info.disposition = http::inline_disposition(content->entry().name);
  }
  std::shared_ptr<http::Content> sent = std::move(content);
  if (wrap) sent = wrap(std::move(sent), info);
  http::Response response = http::serve_content(call.request, info, std::move(sent));
  TRY_VOID(hold_buffers(call.services.memory, core::holder_of(principal), response));
  response.headers.emplace_back("Content-Security-Policy", kSandbox);
  return response;
}

std::vector<Route> content_routes() {
  using http::Method;
  return {
      bytes_route(Route(Method::get, "/api/v2/files/content", "readContent", "Download a file",
                        "Ranges, also several, and conditional requests follow RFC 9110. A browser "
                        "that shows the file runs no script in it.",
                        CallerRule::files, 200, {404, 412, 416, 502, 504}, Form::download),
                  &read_content),
      bytes_route(
          Route(Method::put, "/api/v2/files/content", "writeContent", "Store a file's new content",
                "The body is the file. It replaces the old file in one step, or is a new one: 201. "
                "With If-Match it replaces only that state of the file, with If-None-Match: * no "
                "file at all; otherwise 412, and nothing is stored. The answer has the ETag of the "
                "stored file if that is certain.",
                CallerRule::files, 204, {404, 409, 412, 413, 423, 502, 504, 507}, Form::content),
          &write_content),
      bytes_route(Route(Method::get, "/api/v2/content/{address}", "readContentByAddress",
                        "Download a file by its signed address",
                        "For players and programs that cannot send headers. The address is valid "
                        "as long as its creator may read the file and the content stays the same.",
                        CallerRule::anyone, 200, {404, 412, 416, 502, 504}, Form::download),
                  &read_by_address),
      json_route(Route(Method::post, "/api/v2/files/content-address", "makeContentAddress",
                       "Make a signed address of a file's content",
                       "Whoever has it can read that file, and nothing else, until it expires.",
                       CallerRule::files, 201, {404, 502, 504}),
                 &make_address)};
}

}  // namespace coffer::api::v2
