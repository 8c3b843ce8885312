#include <string>
#include <utility>

#include "api/v2/guest.h"
#include "api/v2/paging.h"
#include "api/v2/tus.h"
#include "base/text.h"
#include "http/router.h"
#include "http/syntax.h"

namespace coffer::api::v2 {
namespace {

struct UploadPathParameters {
  FIELD(NonEmpty<std::string>, id, "The end of the upload's Location.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
};

struct GuestUpload : GuestToken, UploadPathParameters {
  FIELDS_OF(GuestToken, UploadPathParameters);
};

struct UploadDetails {
  static constexpr std::string_view kSchema = "Upload";
  FIELD(std::string, id, "Identifier; /api/v2/uploads and it are the upload's address.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::string, path, "Where the file is to be.", R"("holiday/film.mp4")");
  FIELD(std::uint64_t, size, "The bytes of the whole file.", "1048576");
  FIELD(std::uint64_t, received, "The bytes that are stored.", "65536");
  FIELD(std::uint64_t, held,
        "The bytes that it takes of the quota; to a shared folder or server, of what uploads may "
        "take on the server's own disk.",
        "1048576");
  FIELD(Timestamp, startedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, touchedAt, "When bytes last arrived, UTC.", R"("2026-11-21T06:15:10")");
  FIELD(Timestamp, expiresAt, "When it is removed, UTC.", R"("2026-11-28T06:15:10")");
  FIELD(std::optional<std::string>, linkId,
        "The share link, if a guest began it; null for an upload of the account.", "null");
  FIELD(std::optional<std::string>, keyId,
        "The key that it was begun with; null for a session or a guest.", "null");
  FIELD(std::string, address,
        "The address that it was begun from; of a guest's IPv6 address, the network.",
        R"("192.0.2.1")");
};

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

UploadDetails details_of(const core::UnfinishedUpload& upload) {
  const catalog::UploadRecord& record = upload.record;
  UploadDetails details;
  details.id = record.id.value;
  details.path = upload.folder.is_root() ? record.name : upload.folder.str() + "/" + record.name;
  details.size = record.length_bytes;
  details.received = record.received_bytes;
  details.held = record.quota_bytes + record.room_bytes;
  details.startedAt = record.created_at;
  details.touchedAt = record.touched_at;
  details.expiresAt = upload.expires_at;
  details.linkId = if_any(record.link);
  details.keyId = if_any(record.key);
  details.address = record.address;
  return details;
}

Task<Result<Answer<Page<UploadDetails>>>> list_uploads(Call call, ListPartParameters parameters,
                                                       NoBody) {
  std::optional<catalog::Uploads::Position> after;
  if (parameters.cursor) {
    CO_TRY(auto position, position_of(*parameters.cursor));
    after = {position.first, std::move(position.second)};
  }
  const std::size_t most = parameters.limit.value_or(ListLimit()).value;
  CO_TRY(const auto listing,
         co_await call.services.uploads.list(call.principal(), std::move(after), most));
  Page<UploadDetails> page;
  for (const core::UnfinishedUpload& upload : listing.uploads) {
    page.entries.push_back(details_of(upload));
  }
  if (listing.next) page.next = cursor_of(listing.next->at, listing.next->id);
  co_return Answer<Page<UploadDetails>>{std::move(page)};
}

using core::UploadAnswer;
using core::UploadRefusal;
using core::UploadStatus;
using http::problem_response;

constexpr std::string_view kUploads = "/api/v2/uploads";
constexpr std::string_view kUpload = "/api/v2/uploads/{id}";
constexpr std::string_view kGuestUploads = "/api/v2/guest/{token}/uploads";
constexpr std::string_view kGuestUpload = "/api/v2/guest/{token}/uploads/{id}";

class BodySource final : public core::UploadSource {
 public:
  explicit BodySource(http::Body& body) : body_(body) {}
  Task<Result<std::span<const std::byte>>> read() override { return body_.read(); }
  std::optional<std::uint64_t> length() const override { return body_.length(); }
  void interrupt() override { body_.interrupt(); }

 private:
  http::Body& body_;
};

http::Response refusal_response(UploadRefusal refusal) {
  switch (refusal) {
    case UploadRefusal::busy: {
      auto response = problem_response(423, "Another request uses the upload.");
      response.headers.emplace_back("Retry-After", "1");
      return response;
    }
    case UploadRefusal::gone:
      return problem_response(410, "The upload has expired: begin again.");
    case UploadRefusal::differs:
      return problem_response(460, "The bytes do not match Upload-Checksum; none were stored.");
    case UploadRefusal::too_long:
      return problem_response(413, "There are more bytes than the upload has left.");
    case UploadRefusal::none:
      break;
  }
  std::unreachable();
}

void add_header(http::Response& response, std::string name, std::string value) {
  response.headers.emplace_back(std::move(name), std::move(value));
}

void add_status(http::Response& response, const UploadStatus& status) {
  add_header(response, "Upload-Offset", std::to_string(status.offset));
  add_header(response, "Upload-Expires", format_http_date(status.expires_at));
}

UploadId id_of(const http::Request& request) {
  return UploadId{std::string(request.captures.back())};
}

bool has_body(const http::Request& request) {
  const auto length = request.body->length();
  return !length || *length > 0;
}

bool is_bytes(const http::Request& request) {
  const auto type = request.header("Content-Type");
  return type && equal_ignoring_case(*type, kTusMediaType);
}

http::Response wrong_media_type() {
  return problem_response(415, "Bytes are sent as application/offset+octet-stream.");
}

/// What the creation itself brought along.
Task<Result<UploadAnswer>> append_first(Call& call, const UploadId& id) {
  CO_TRY(auto checksum, wanted_checksum(call.request));
  BodySource source(*call.request.body);
  co_return co_await call.services.uploads.append(call.principal(), id, 0, std::move(checksum),
                                                  source);
}

/// True if the same request cannot do better, so that nobody will send it again with its key.
bool is_final(const Result<UploadAnswer>& answer) {
  if (answer) return answer->refusal != UploadRefusal::busy;
  const ErrorCode code = answer.error().code;
  return code == ErrorCode::exists || code == ErrorCode::over_quota || code == ErrorCode::forbidden;
}

/// A creation that fails leaves nothing, unless its client can find the upload by its key.
Task<http::Response> create_with_bytes(Call& call, UploadStatus status, bool has_key) {
  const UploadId id = status.id;
  const auto answer = co_await append_first(call, id);
  const bool is_taken = answer && answer->refusal == UploadRefusal::none;
  const bool stays = is_taken || (has_key && !is_final(answer));
  if (!stays) (void)co_await call.services.uploads.remove(call.principal(), id);
  if (!answer) co_return problem_response(answer.error());
  if (!is_taken) co_return refusal_response(answer->refusal);
  http::Response response;
  add_status(response, answer->status);
  co_return response;
}

Task<http::Response> create_wanted(Call& call, core::NewUpload wanted) {
  const bool brings_bytes = has_body(call.request);
  if (brings_bytes && !is_bytes(call.request)) co_return wrong_media_type();
  const bool has_key = !wanted.idempotency_key.empty();
  const auto made = co_await call.services.uploads.create(call.principal(), std::move(wanted));
  if (!made) co_return problem_response(made.error());
  http::Response response;
  if (brings_bytes && made->offset == 0) {
    response = co_await create_with_bytes(call, *made, has_key);
    if (response.status != 200) co_return response;
  } else if (brings_bytes || has_key) {
    add_status(response, *made);  // An earlier request with the key brought them.
  } else {
    add_header(response, "Upload-Expires", format_http_date(made->expires_at));
  }
  response.status = 201;
  add_header(response, "Location", std::string(call.request.path) + '/' + made->id.value);
  co_return response;
}

Task<http::Response> create_upload(Call& call) {
  auto wanted = wanted_upload(call.request);
  if (!wanted) co_return problem_response(wanted.error());
  co_return co_await create_wanted(call, *std::move(wanted));
}

/// Guests replace nothing, and do not learn what is there.
Task<http::Response> create_guest_upload(Call& call) {
  auto wanted = wanted_upload(call.request);
  if (!wanted) co_return problem_response(wanted.error());
  if (!wanted->folder.is_root()) {
    co_return problem_response(400, "Uploads by a link go into its folder: name no other.");
  }
  wanted->on_conflict = catalog::OnConflict::keep_both;
  wanted->is_of_guest = true;
  co_return co_await create_wanted(call, *std::move(wanted));
}

Task<http::Response> show_upload(Call& call) {
  const auto answer = co_await call.services.uploads.status(call.principal(), id_of(call.request));
  if (!answer) co_return problem_response(answer.error());
  if (answer->refusal != UploadRefusal::none) co_return refusal_response(answer->refusal);
  http::Response response;
  add_status(response, answer->status);
  add_header(response, "Upload-Length", std::to_string(answer->status.length_bytes));
  const std::string& metadata = answer->status.metadata;
  if (!metadata.empty()) add_header(response, "Upload-Metadata", metadata);
  add_header(response, "Cache-Control", "no-store");
  co_return response;
}

Task<http::Response> append_bytes(Call& call) {
  if (!is_bytes(call.request)) co_return wrong_media_type();
  const auto offset = parse_byte_count("Upload-Offset", call.request.header("Upload-Offset"));
  if (!offset) co_return problem_response(offset.error());
  auto checksum = wanted_checksum(call.request);
  if (!checksum) co_return problem_response(checksum.error());
  BodySource source(*call.request.body);
  const auto answer = co_await call.services.uploads.append(call.principal(), id_of(call.request),
                                                            *offset, *std::move(checksum), source);
  if (!answer) co_return problem_response(answer.error());
  if (answer->refusal != UploadRefusal::none) co_return refusal_response(answer->refusal);
  http::Response response;
  response.status = 204;
  add_status(response, answer->status);
  co_return response;
}

Task<http::Response> end_upload(Call& call) {
  const auto answer = co_await call.services.uploads.remove(call.principal(), id_of(call.request));
  if (!answer) co_return problem_response(answer.error());
  if (answer->refusal != UploadRefusal::none) co_return refusal_response(answer->refusal);
  http::Response response;
  response.status = 204;
  co_return response;
}

/// For clients whose surroundings let only GET and POST through.
Task<http::Response> overridden(Call& call) {
  const std::string_view method = call.request.header("X-HTTP-Method-Override").value_or("");
  if (method == "PATCH") co_return co_await append_bytes(call);
  if (method == "DELETE") co_return co_await end_upload(call);
  co_return problem_response(400, "X-HTTP-Method-Override must be PATCH or DELETE.");
}

using TusHandler = Task<http::Response> (*)(Call&);

/// Who may send the request: those who reach the files, or guests who came by a link.
enum class UploadCaller : std::uint8_t { account, guest };

Task<Result<Call>> admit_as(UploadCaller caller, Services& services, http::Request& request) {
  if (caller == UploadCaller::guest) {
    return admit_guest(services, request, catalog::LinkMode::upload);
  }
  return admit(services, request, CallerRule::files);
}

Task<http::Response> answer_tus(Services& services, http::Request& request, UploadCaller caller,
                                TusHandler handle) {
  auto call = co_await admit_as(caller, services, request);
  if (!call) co_return problem_response(call.error());
  if (request.header("Tus-Resumable") == kTusVersion) co_return co_await handle(*call);
  http::Response response =
      problem_response(412, "The request must have the header \"Tus-Resumable: 1.0.0\".");
  add_header(response, "Tus-Version", std::string(kTusVersion));
  co_return response;
}

Task<http::Response> serve_tus(Services& services, http::Request& request, UploadCaller caller,
                               TusHandler handle) {
  http::Response response = co_await answer_tus(services, request, caller, handle);
  add_header(response, "Tus-Resumable", std::string(kTusVersion));
  co_return response;
}

HeaderDescription header_of(std::string_view name, bool required, std::string_view text,
                            boost::json::object schema, std::string_view example) {
  return {name, required, text, std::move(schema), example};
}

boost::json::object count_schema() {
  return {{"type", "integer"}, {"minimum", 0}, {"maximum", core::ResumableUploads::kLongestBytes}};
}

HeaderDescription version_header() {
  return header_of("Tus-Resumable", true, "The version of tus.",
                   {{"type", "string"}, {"enum", {kTusVersion}}}, "1.0.0");
}

HeaderDescription checksum_header() {
  return header_of("Upload-Checksum", false,
                   "sha1 or sha256 of the body, a space, and the digest in Base64.",
                   {{"type", "string"}, {"pattern", "^(sha1|sha256) [A-Za-z0-9+/]+={0,2}$"}},
                   "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=");
}

HeaderDescription metadata_header() {
  return header_of("Upload-Metadata", true,
                   "Names and values in Base64: filename; folder, an existing one, the root by "
                   "default; onConflict, what to do where the name is taken: fail (by default), "
                   "replace or keepBoth, which stores it as \"a (2).txt\"; modified, a time in UTC "
                   "such as 2027-01-31T00:00:00Z, ignored if it cannot be kept. At most 32, "
                   "others are kept and told again.",
                   {{"type", "string"}, {"maxLength", kLongestMetadataBytes}},
                   "filename YS50eHQ=,folder ZG9jcw==");
}

HeaderDescription idempotency_header() {
  return header_of("Idempotency-Key", false,
                   "16 to 128 printable characters that the client draws for this file. If the "
                   "answer is lost, the same request with the same key makes no second upload: it "
                   "answers with the first, whose Upload-Offset says where to go on, for as long "
                   "as that is kept.",
                   {{"type", "string"},
                    {"minLength", kShortestIdempotencyKey},
                    {"maxLength", kLongestIdempotencyKey}},
                   "0f8fad5b-d9cb-469f-a165-70867728950e");
}

Route tus_route(Route route, TusHandler handle) {
  route.rule = CallerRule::files;
  route.errors.insert(route.errors.end(), {404, 412, 502, 504, 507});
  route.headers.insert(route.headers.begin(), version_header());
  if (route.pattern == kUpload) {
    route.parameters = describe_parameters<UploadPathParameters>(route.pattern);
    route.errors.insert(route.errors.end(), {410, 423});
  }
  route.serve = [handle](Services& services, http::Request& request) {
    return serve_tus(services, request, UploadCaller::account, handle);
  };
  return route;
}

/// The same for guests.
Route guest_tus_route(Route route, std::string_view id, TusHandler handle) {
  const bool is_one = route.pattern == kUpload;
  route.id = id;
  route.rule = CallerRule::anyone;
  route.pattern = is_one ? kGuestUpload : kGuestUploads;
  route.parameters = is_one ? describe_parameters<GuestUpload>(kGuestUpload)
                            : describe_parameters<GuestToken>(kGuestUploads);
  route.serve = [handle](Services& services, http::Request& request) {
    return serve_tus(services, request, UploadCaller::guest, handle);
  };
  return route;
}

Route create_route() {
  Route route{
      http::Method::post, kUploads, "createUpload", "Begin a resumable upload",
      "tus 1.0.0 with creation, creation-with-upload, checksum, expiration and "
      "termination. The quota is reserved at once. What waits here for shared folders and "
      "servers is bounded for each account. The answer's Location is the address of the "
      "upload; a body is its first bytes. An upload that is not continued for a week is "
      "removed. A creation that fails leaves nothing, but for one with an Idempotency-Key that may "
      "be asked again."};
  route.success = 201;
  route.errors = {409, 413, 415, 460};
  route.headers = {
      header_of("Upload-Length", true, "The size of the file in bytes.", count_schema(), "1048576"),
      metadata_header(), checksum_header(), idempotency_header()};
  route.bytes_type = kTusMediaType;
  return tus_route(std::move(route), &create_upload);
}

Route append_route() {
  Route route{
      http::Method::patch, kUpload, "appendToUpload", "Continue an upload",
      "The bytes from Upload-Offset on, which must be the offset of the upload: otherwise 409. The "
      "bytes that arrived before a broken connection are kept; with a checksum, only a complete "
      "body is. With the last byte the file appears; if that fails, the upload waits for its last "
      "byte again. The request stops an earlier one for the same upload."};
  route.success = 204;
  route.errors = {409, 413, 415, 460};
  route.headers = {
      header_of("Upload-Offset", true, "The number of bytes sent before.", count_schema(), "0"),
      checksum_header()};
  route.bytes_type = kTusMediaType;
  return tus_route(std::move(route), &append_bytes);
}

Route override_route() {
  Route route{http::Method::post, kUpload, "overrideUploadMethod",
              "Continue an upload, for clients that cannot send PATCH",
              "Does and answers the same as the method in X-HTTP-Method-Override."};
  route.success = 204;
  route.errors = {409, 413, 415, 460};
  route.headers = {header_of("X-HTTP-Method-Override", true, "The method to carry out.",
                             {{"type", "string"}, {"enum", {"PATCH", "DELETE"}}}, "PATCH")};
  return tus_route(std::move(route), &overridden);
}

Route show_route() {
  Route route{http::Method::head, kUpload, "showUpload", "Show the progress of an upload",
              "Upload-Offset is the number of bytes stored. After the file has appeared, the "
              "upload is shown as complete for a day."};
  return tus_route(std::move(route), &show_upload);
}

Route end_route() {
  Route route{http::Method::del, kUpload, "endUpload", "Cancel an upload",
              "Frees its bytes and its quota. A file that has appeared stays."};
  route.success = 204;
  return tus_route(std::move(route), &end_upload);
}

}  // namespace

std::vector<Route> upload_routes() {
  return {json_route(Route(http::Method::get, kUploads, "listUploads", "List unfinished uploads",
                           "The account's uploads that are not finished, also those of guests of "
                           "its share links, the last begun first. Each can be ended. It needs no "
                           "Tus-Resumable.",
                           CallerRule::files),
                     &list_uploads),
          create_route(),
          show_route(),
          append_route(),
          end_route(),
          override_route()};
}

std::vector<Route> guest_upload_routes() {
  Route create = create_route();
  create.summary = "Begin a resumable upload by a share link";
  create.description =
      "As /api/v2/uploads, into the link's folder. A name that is taken gets a number, so that "
      "guests neither replace nor discover existing files. Quota is reserved as bytes come. An "
      "upload that has none is removed after an hour, one that is not continued after a day.";
  return {guest_tus_route(std::move(create), "createGuestUpload", &create_guest_upload),
          guest_tus_route(show_route(), "showGuestUpload", &show_upload),
          guest_tus_route(append_route(), "appendToGuestUpload", &append_bytes),
          guest_tus_route(end_route(), "endGuestUpload", &end_upload),
          guest_tus_route(override_route(), "overrideGuestUploadMethod", &overridden)};
}

void add_tus_options(http::Router& router) {
  const http::Router::Headers headers = {
      {"Tus-Resumable", std::string(kTusVersion)},
      {"Tus-Version", std::string(kTusVersion)},
      {"Tus-Extension", std::string(kTusExtensions)},
      {"Tus-Max-Size", std::to_string(core::ResumableUploads::kLongestBytes)},
      {"Tus-Checksum-Algorithm", std::string(kTusChecksums)}};
  for (const std::string_view pattern : {kUploads, kUpload, kGuestUploads, kGuestUpload})
    router.set_options(pattern, headers);
}

}  // namespace coffer::api::v2
