#include "api/content.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "api/answer_memory.h"
#include "api/dav/answers.h"
#include "api/dav/checksums.h"
#include "api/dav/conditions.h"
#include "api/dav/dead_properties.h"
#include "api/dav/handlers.h"
#include "api/store_content.h"
#include "base/log.h"
#include "base/text.h"
#include "core/files/files.h"
#include "core/files/item_locks.h"
#include "core/uploads/upload.h"
#include "http/conditional.h"
#include "http/serve_content.h"
#include "http/syntax.h"

namespace coffer::api::dav {
namespace {

/// As in /api/v2: a file's content is not trusted, and runs no script in a browser.
constexpr std::string_view kSandbox =
    "default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'unsafe-inline'; "
    "sandbox";

http::Response folder_answer() {
  http::Response response = answer(200);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = "This is a folder. Open its address in a WebDAV client.\n";
  return response;
}

Result<http::Response> send_file(const Call& call, core::OpenFile file) {
  Pool& pool = call.services.pools.of(call.principal.account->id).brief;
  auto content = std::make_shared<FileContent>(std::move(file), pool);
  http::ContentInfo info = info_of(content->entry());
  info.refuse = &error_answer;
  http::Response response = http::serve_content(call.request, info, std::move(content));
  TRY_VOID(hold_buffers(call.services.memory, core::holder_of(call.principal), response));
  response.headers.emplace_back("Content-Security-Policy", kSandbox);
  response.may_pause = true;
  return response;
}

/// A part of a file would pass for the whole (RFC 9110, section 14.5).
Result<void> check_is_whole(const http::Request& request) {
  for (const std::string_view name : {"Content-Range", "Content-Encoding"}) {
    if (!request.has(name)) continue;
    return fail(ErrorCode::invalid,
                "The header " + std::string(name) + " is not known here: send the whole file.");
  }
  return {};
}

/// The time that clients of ownCloud and Nextcloud send, in seconds since 1970.
Result<std::optional<Timestamp>> modified_at_in(const http::Request& request) {
  const auto text = request.header("X-OC-Mtime");
  if (!text) return std::nullopt;
  std::string_view whole = *text;
  const auto seconds = parse_number<std::int64_t>(http::cut_front(whole, '.'));
  if (!seconds) return fail(ErrorCode::invalid, "The header X-OC-Mtime is no number of seconds.");
  return known(timestamp_of(*seconds));
}

/// The conditions of the request become those of the write, which are checked again when the file
/// is published.
Task<Result<storage::WriteOptions>> options_of(const Call& call) {
  storage::WriteOptions options;
  options.size_bytes = call.request.body->length();
  CO_TRY(options.modified_at, modified_at_in(call.request));
  if (!http::has_write_conditions(call.request)) co_return options;
  CO_TRY(options.replaces, co_await check_write_conditions(call));
  if (!options.replaces) options.if_taken = storage::IfTaken::refuse;
  co_return options;
}

Task<bool> is_folder(const Call& call) {
  const auto item = co_await call.services.files.info(call.principal, call.path);
  co_return item && item->entry.is_directory;
}

/// The body of a request, of which a digest is made while it is read.
struct DigestedBody {
  http::Body& body;
  std::optional<core::ContentDigest> digest = {};

  Task<Result<std::span<const std::byte>>> read() {
    auto data = co_await body.read();
    if (data && digest) digest->add(*data);
    co_return data;
  }
};

std::string hex_of(core::ContentDigest& digest) {
  const std::string bytes = digest.finish();
  return to_hex(std::as_bytes(std::span(bytes)));
}

Task<Result<bool>> store(const Call& call, core::Upload& upload, storage::WriteOptions options,
                         const std::optional<Checksum>& checksum) {
  CO_TRY_VOID(co_await upload.begin_file(call.path.name(), std::move(options)));
  DigestedBody body{*call.request.body};
  if (checksum) body.digest.emplace(checksum->kind);
  CO_TRY_VOID(co_await store_content(body, upload));
  if (checksum && hex_of(*body.digest) != checksum->hex) {
    co_return fail(ErrorCode::invalid, "The content does not have the checksum of OC-Checksum.");
  }
  CO_TRY(const auto published, co_await upload.publish());
  co_return published.front().replaced;
}

/// Remembers the checksum of a file that was stored in this state, where that can be.
Task<Result<void>> remember(const Call& call, const Checksum& checksum,
                            const storage::FileVersion& version) {
  core::Files& files = call.services.files;
  std::vector<std::string> self = {"."};
  CO_TRY(const auto stored, co_await files.properties(call.principal, call.path, std::move(self)));
  DeadProperties all = read_properties(stored.front());
  set_property(all, stored_checksum(checksum, etag_of(version)));
  co_return co_await files.set_properties(call.principal, call.path, store_properties(all));
}

http::Response stored_answer(bool replaced, const std::optional<storage::FileVersion>& version,
                             bool has_time) {
  http::Response response = answer(replaced ? 204 : 201);
  if (version) {
    response.headers.emplace_back("ETag", etag_of(*version));
    response.headers.emplace_back("OC-ETag", etag_of(*version));
  }
  if (has_time) response.headers.emplace_back("X-OC-MTime", "accepted");
  return response;
}

/// A folder above the item that is missing is a conflict (RFC 4918, section 9.7.1).
template <class T>
Result<T> as_conflict_if_missing(Result<T> result) {
  if (!result && result.error().code == ErrorCode::not_found) {
    result.error().code = ErrorCode::conflict;
  }
  return result;
}

}  // namespace

Task<Result<http::Response>> get(const Call& call) {
  auto file = co_await call.services.files.open(call.principal, call.path);
  if (file) co_return send_file(call, *std::move(file));
  if (file.error().code != ErrorCode::invalid) co_return failure_of(std::move(file));
  CO_TRY(const auto item, co_await call.services.files.info(call.principal, call.path));
  if (item.entry.is_directory) co_return folder_answer();
  co_return failure_of(std::move(file));
}

Task<Result<http::Response>> put(const Call& call) {
  CO_TRY_VOID(check_is_whole(call.request));
  CO_TRY_VOID(check_new_name(call, call.path));
  if (call.path.is_root() || call.names_folder) {
    co_return error_answer(405, "A folder has no content; MKCOL makes one.");
  }
  CO_TRY_VOID(as_conflict_if_missing(co_await call.services.item_locks.check(
      call.principal, call.path, core::PlaceChange::Kind::write)));
  CO_TRY(auto upload, as_conflict_if_missing(co_await call.services.files.upload_one(
                          call.principal, call.path, call.request.body->length())));
  CO_TRY(auto options, co_await options_of(call));
  const bool has_time = options.modified_at.has_value();
  CO_TRY(const auto checksum, checksum_in(call.request));
  // Most names are free, or a file's: whether it is a folder is looked at when storing has failed.
  const auto stored = co_await store(call, *upload, std::move(options), checksum);
  if (!stored && co_await is_folder(call)) co_return error_answer(405, "A folder has this name.");
  CO_TRY(const bool replaced, stored);
  const auto version = co_await upload->shown_version();
  if (checksum && version) {
    // The file is stored, whether its checksum can be kept or not.
    const auto kept = co_await remember(call, *checksum, *version);
    if (!kept) spdlog::debug("a checksum is not kept: {}", kept.error().message);
  }
  // Finder and the Explorer make an empty file, lock it, and store its content then.
  if (!replaced && version && call.request.body->length() == 0) {
    const auto noted =
        co_await call.services.item_locks.note_made(call.principal, call.path, *version);
    if (!noted) spdlog::debug("a new file cannot be completed: {}", noted.error().message);
  }
  co_return stored_answer(replaced, version, has_time);
}

}  // namespace coffer::api::dav
