#include "api/v2/content.h"

#include <memory>
#include <string>
#include <utility>

#include "api/content.h"
#include "api/store_content.h"
#include "api/v2/content_address.h"
#include "api/v2/file_parameters.h"
#include "http/conditional.h"
#include "http/query.h"
#include "http/serve_content.h"

namespace coffer::api::v2 {
namespace {

/// What a file holds was not made by us: shown in a browser, it runs nothing, loads nothing from
/// elsewhere and is of no origin (CSP 3, section 6.3.2).
constexpr std::string_view kSandbox =
    "default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'unsafe-inline'; "
    "sandbox";

Task<Result<http::Response>> read_content(Call call, ContentParameters parameters) {
  const Disposition disposition = parameters.disposition.value_or(Disposition::attachment);
  co_return co_await serve_file(call, call.principal(), parameters.path.value, disposition);
}

Task<Result<http::Response>> read_by_address(Call call, AddressParameters parameters) {
  const auto address = co_await call.services.content_addresses.open(parameters.address.value);
  if (!address) co_return failure_of(address);
  const core::ContentAddresses::Target& target = address->target;
  const auto disposition = target.is_shown ? Disposition::inline_ : Disposition::attachment;
  co_return co_await serve_file(call, address->principal, target.path, disposition, target.etag);
}

Task<Result<Answer<AddressDetails>>> make_address(Call call, NoParameters, WantedAddress body) {
  const Path& path = body.path.value.value;
  const auto item = co_await call.services.files.info(call.principal(), path);
  if (!item) co_return failure_of(item);
  if (item->entry.is_directory) co_return fail(ErrorCode::invalid, "This is a folder.");
  const std::chrono::seconds lifetime(body.expiresInSeconds ? body.expiresInSeconds->value
                                                            : kLongestLifetime);
  AddressDetails details;
  details.expiresAt = now() + lifetime;
  core::ContentAddresses::Target target;
  target.path = path;
  target.etag = etag_of(version_of(item->entry));
  target.is_shown = body.disposition == Disposition::inline_;
  const std::string text =
      call.services.content_addresses.make(call.principal(), target, details.expiresAt);
  details.address = "/api/v2/content/" + text;
  Answer<AddressDetails> answer;
  answer.headers.emplace_back("Location", details.address);
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

/// What the conditions of the request allow to be replaced. They hold when the file is shown, too.
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
  auto begun = co_await upload.begin_file(path.name(), std::move(options));
  if (!begun) co_return failure_of(std::move(begun));
  auto stored = co_await store_content(*call.request.body, upload);
  if (!stored) co_return failure_of(std::move(stored));
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
  auto is_whole = check_is_whole(call.request);
  if (!is_whole) co_return failure_of(std::move(is_whole));
  const Path& path = parameters.path.value.value;
  auto upload = co_await call.services.files.upload(call.principal(), path.parent(),
                                                    call.request.body->length());
  if (!upload) co_return failure_of(std::move(upload));
  auto options = co_await options_of(call, path);
  if (!options) co_return failure_of(std::move(options));
  const bool must_be_new = options->if_taken == storage::IfTaken::refuse;
  const auto published = co_await store(call, **upload, path, *std::move(options));
  if (!published && must_be_new && published.error().code == ErrorCode::exists) {
    co_return not_met();
  }
  if (!published) co_return failure_of(published);
  const auto version = co_await (*upload)->shown_version();
  co_return stored_answer(path, published->front().replaced, version);
}

}  // namespace

Task<Result<http::Response>> serve_file(const Call& call, const core::Principal& principal,
                                        const Path& path, Disposition disposition,
                                        std::string_view etag) {
  auto file = co_await call.services.files.open(principal, path);
  if (!file) co_return failure_of(std::move(file));
  if (!etag.empty() && etag_of(version_of(file->reader->entry())) != etag) {
    co_return fail(ErrorCode::not_found,
                   "The file is not the one any more that this address was made for.");
  }
  Pool& pool = call.services.pools.of(principal.account->id).brief;
  auto content = std::make_shared<FileContent>(*std::move(file), pool);
  http::ContentInfo info = info_of(content->entry());
  info.refuse = &http::problem_response;
  if (disposition == Disposition::inline_) {
    info.disposition = http::inline_disposition(content->entry().name);
  }
  http::Response response = http::serve_content(call.request, info, std::move(content));
  response.headers.emplace_back("Content-Security-Policy", kSandbox);
  co_return response;
}

std::vector<Route> content_routes() {
  using http::Method;
  Route read{Method::get, "/api/v2/files/content", "readContent", "Download a file",
             "Ranges, several of them too, and conditions work as RFC 9110 says. Whatever the file "
             "holds, a browser that shows it runs nothing of it."};
  read.rule = CallerRule::files;
  read.form = Form::download;
  read.errors = {404, 412, 416, 502, 504};
  Route write{
      Method::put, "/api/v2/files/content", "writeContent", "Store a file's new content",
      "The body is the file. It takes the old one's place in one step, or a free name: 201. "
      "With If-Match it replaces that state of the file alone, with If-None-Match: * it "
      "replaces none; otherwise 412, and nothing is stored. The ETag of what was stored is "
      "told where that is certain."};
  write.rule = CallerRule::files;
  write.form = Form::content;
  write.success = 204;
  write.errors = {404, 409, 412, 413, 502, 504, 507};
  Route by_address{
      Method::get, "/api/v2/content/{address}", "readContentByAddress",
      "Download a file by its signed address",
      "For players and programs that send no header. The address is worth no more than "
      "the right of who asked for it, and ends with that, and when the file has another "
      "content."};
  by_address.rule = CallerRule::anyone;
  by_address.form = Form::download;
  by_address.errors = {404, 412, 416, 502, 504};
  Route address{Method::post, "/api/v2/files/content-address", "makeContentAddress",
                "Make a signed address of a file's content",
                "Whoever has it can read that file, and nothing else, until it expires."};
  address.rule = CallerRule::files;
  address.success = 201;
  address.errors = {404, 502, 504};
  return {bytes_route(read, &read_content), bytes_route(write, &write_content),
          bytes_route(by_address, &read_by_address), json_route(address, &make_address)};
}

}  // namespace coffer::api::v2
