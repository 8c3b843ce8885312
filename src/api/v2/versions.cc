#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "api/content.h"
#include "api/v2/files.h"
#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "core/versions/version_service.h"
#include "http/conditional.h"
#include "http/syntax.h"

namespace coffer::api::v2 {
namespace {

using storage::PastVersion;
using storage::VersionId;

struct FileParameters {
  FIELD(NonEmpty<ItemPath>, path, "The file.", R"("holiday/notes.txt")");
};

struct ShownVersionParameters : EntryParameters {
  FIELD(std::optional<Disposition>, disposition,
        "attachment (default) makes a browser save the content; inline lets it show the content, "
        "without running scripts in it.",
        R"("inline")");
};

struct VersionDetails {
  static constexpr std::string_view kSchema = "Version";
  FIELD(std::string, id, "Identifier, used to open, restore or delete it.", R"("4711")");
  FIELD(std::uint64_t, size, "Bytes. They count as used.", "20480");
  FIELD(Timestamp, modifiedAt, "UTC; the file's modification time when it had this content.",
        R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, replacedAt, "UTC; when another content took its place.",
        R"("2026-11-22T09:30:00")");
  FIELD(std::string, by, "The name of the account that replaced it.", R"("ann")");
  FIELD(std::optional<std::string>, keyId,
        "The API key or share link that replaced it; null for none.", "null");
};

VersionDetails details_of(const PastVersion& version) {
  VersionDetails details;
  details.id = std::to_string(version.id.value);
  details.size = version.size_bytes;
  details.modifiedAt = version.modified_at;
  details.replacedAt = version.replaced_at;
  details.by = version.by.account;
  if (!version.by.key.empty()) details.keyId = version.by.key;
  return details;
}

/// A text that is no number is no version's.
Result<VersionId> id_in(const EntryParameters& parameters) {
  const auto number = http::parse_decimal(parameters.id.value);
  if (number && *number <= INT64_MAX) return VersionId{static_cast<std::int64_t>(*number)};
  return fail(ErrorCode::not_found, "There is no such version.");
}

Task<Result<Answer<Page<VersionDetails>>>> list_versions(Call call, FileParameters parameters,
                                                         NoBody) {
  CO_TRY(const auto versions,
         co_await call.services.versions.list(call.principal(), parameters.path.value.value));
  Page<VersionDetails> page;
  for (const PastVersion& version : versions) page.entries.push_back(details_of(version));
  co_return Answer<Page<VersionDetails>>{std::move(page)};
}

Task<Result<http::Response>> read_version(Call call, ShownVersionParameters parameters) {
  CO_TRY(const auto id, id_in(parameters));
  CO_TRY(auto file, co_await call.services.versions.open(call.principal(), id));
  const auto disposition = parameters.disposition.value_or(Disposition::attachment);
  co_return send_file(call, call.principal(), std::move(file), disposition);
}

Task<Result<Answer<Nothing>>> restore_version(Call call, EntryParameters parameters, NoBody) {
  CO_TRY(const auto id, id_in(parameters));
  core::VersionService::MayReplace may_replace;
  if (http::has_write_conditions(call.request)) {
    may_replace = [&request = call.request](const storage::Entry& file) -> Result<void> {
      const http::Validators current{etag_of(version_of(file)), file.modified_at};
      if (http::meets_write_conditions(request, current)) return {};
      return fail(ErrorCode::changed, "The file is not in the state that the request names.");
    };
  }
  CO_TRY(const auto file,
         co_await call.services.versions.restore(call.principal(), id, std::move(may_replace)));
  Answer<Nothing> answer;
  answer.headers.emplace_back("ETag", etag_of(version_of(file)));
  co_return answer;
}

Task<Result<void>> remove_version(Call call, EntryParameters parameters, NoBody) {
  CO_TRY(const auto id, id_in(parameters));
  co_return co_await call.services.versions.remove(call.principal(), id);
}

}  // namespace

std::vector<Route> version_routes() {
  using http::Method;
  return {
      json_route(
          Route(
              Method::get, "/api/v2/versions", "listVersions", "List the versions of a file",
              "The contents that others have replaced, the one that was replaced last first, all "
              "on one page. They are kept for the days of the setting version_days and at most "
              "versions_kept of each file, where own files lie in a store of objects (see "
              "hasVersions of a folder's page); elsewhere there are none. They count as used, and "
              "the oldest are deleted if space is needed, before items in the bin are. They go "
              "with their file; a copy has none.",
              CallerRule::files, 200, {404, 502, 504}),
          &list_versions),
      bytes_route(Route(Method::get, "/api/v2/versions/{id}/content", "readVersion",
                        "Download a version of a file",
                        "Ranges, also several, and conditional requests follow RFC 9110. A browser "
                        "that shows the content runs no script in it.",
                        CallerRule::files, 200, {404, 412, 416}, Form::download),
                  &read_version),
      json_route(
          Route(Method::post, "/api/v2/versions/{id}/restore", "restoreVersion",
                "Give a file the content of its version again",
                "The file's present content becomes a version in the same step, unless it is "
                "empty. With If-Match that happens only to that state of the file; otherwise "
                "412. The answer has the file's ETag.",
                CallerRule::files, 204, {404, 409, 412, 423, 507}),
          &restore_version),
      json_route(
          Route(Method::del, "/api/v2/versions/{id}", "removeVersion", "Delete a version for good",
                "It cannot be restored any more.", CallerRule::files, 204, {404, 409, 507}),
          &remove_version)};
}

}  // namespace coffer::api::v2
