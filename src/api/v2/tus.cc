#include "api/v2/tus.h"

#include <algorithm>
#include <boost/json.hpp>

#include "api/v2/body.h"
#include "base/encoding.h"
#include "base/text.h"
#include "http/syntax.h"

namespace coffer::api::v2 {

namespace {

constexpr std::size_t kLongestKeyBytes = 64;

bool is_key_char(char c) {
  return c > ' ' && c < 0x7F && c != ',';
}

Result<std::pair<std::string, std::string>> parse_pair(std::string_view text) {
  std::string_view value = text;
  const std::string_view key = http::cut_front(value, ' ');
  if (key.empty() || key.size() > kLongestKeyBytes || !std::ranges::all_of(key, is_key_char)) {
    return fail(ErrorCode::invalid, "A name in Upload-Metadata is empty, too long or malformed.");
  }
  auto decoded = from_base64(http::trim(value));
  if (!decoded) {
    return fail(ErrorCode::invalid,
                "The value of " + std::string(key) + " in Upload-Metadata is not Base64.");
  }
  return std::pair(std::string(key), *std::move(decoded));
}

const std::string* value_of(const TusMetadata& metadata, std::string_view key) {
  const auto found = std::ranges::find(metadata, key, &TusMetadata::value_type::first);
  return found == metadata.end() ? nullptr : &found->second;
}

Result<catalog::OnConflict> conflict_of(const std::string& word) {
  const auto choice = enum_from<catalog::OnConflict>(word);
  if (!choice) {
    return fail(ErrorCode::invalid, "onConflict must be one of fail, replace, keepBoth.");
  }
  if (*choice != catalog::OnConflict::skip) return *choice;
  return fail(ErrorCode::invalid,
              "onConflict cannot be skip for one upload: nothing would be stored. Use fail.");
}

Result<void> read_metadata(const TusMetadata& metadata, core::NewUpload& upload) {
  const std::string* name = value_of(metadata, "filename");
  if (!name || name->empty()) {
    return fail(ErrorCode::invalid, "Upload-Metadata has no filename.");
  }
  upload.name = *name;
  if (const std::string* folder = value_of(metadata, "folder")) {
    TRY(auto path, Path::parse(*folder));
    upload.folder = std::move(path);
  }
  if (const std::string* word = value_of(metadata, "onConflict")) {
    TRY(const auto conflict, conflict_of(*word));
    upload.on_conflict = conflict;
  }
  if (const std::string* text = value_of(metadata, "modified")) {
    Timestamp time;
    if (v2::from_json(boost::json::value(*text), time)) upload.modified_at = known(time);
  }
  return {};
}

Result<void> refuse_other_extensions(const http::Request& request) {
  for (const std::string_view name : {"Upload-Defer-Length", "Upload-Concat"}) {
    if (request.header(name)) {
      return fail(ErrorCode::invalid, std::string(name) + " is not supported.");
    }
  }
  return {};
}

/// The header of draft-ietf-httpapi-idempotency-key-header, as most clients send it: without
/// quotes.
Result<std::string> idempotency_key_of(const http::Request& request) {
  if (!request.has("Idempotency-Key")) return std::string();
  const std::string_view key = request.header("Idempotency-Key").value_or("");
  const bool is_plain =
      std::ranges::all_of(key, [](unsigned char c) { return c > ' ' && c < 127; });
  const bool has_length =
      key.size() >= kShortestIdempotencyKey && key.size() <= kLongestIdempotencyKey;
  if (is_plain && has_length) return std::string(key);
  return fail(ErrorCode::invalid,
              "Idempotency-Key must be given once, and have 16 to 128 printable characters.");
}

}  // namespace

Result<TusMetadata> parse_upload_metadata(std::string_view header) {
  if (header.size() > kLongestMetadataBytes) {
    return fail(ErrorCode::invalid, "Upload-Metadata must have at most 8 KB.");
  }
  TusMetadata metadata;
  std::string_view rest = http::trim(header);
  while (!rest.empty()) {
    const bool has_more = rest.find(',') != std::string_view::npos;
    TRY(auto pair, parse_pair(http::trim(http::cut_front(rest, ','))));
    if (has_more && http::trim(rest).empty()) {
      return fail(ErrorCode::invalid, "Upload-Metadata ends in a comma.");
    }
    if (value_of(metadata, pair.first)) {
      return fail(ErrorCode::invalid, "Upload-Metadata has " + pair.first + " twice.");
    }
    if (metadata.size() == kMostMetadata) {
      return fail(ErrorCode::invalid, "Upload-Metadata must have at most 32 values.");
    }
    metadata.push_back(std::move(pair));
  }
  return metadata;
}

Result<core::WantedChecksum> parse_upload_checksum(std::string_view header) {
  const std::string_view kind = http::cut_front(header, ' ');
  if (kind != "sha1" && kind != "sha256") {
    return fail(ErrorCode::invalid, "Upload-Checksum must begin with sha1 or sha256.");
  }
  core::WantedChecksum checksum;
  checksum.kind = kind == "sha1" ? core::DigestKind::sha1 : core::DigestKind::sha256;
  auto bytes = from_base64(header);
  if (!bytes || bytes->size() != core::digest_bytes(checksum.kind)) {
    return fail(ErrorCode::invalid,
                "Upload-Checksum is not a " + std::string(kind) + " in Base64.");
  }
  checksum.bytes = *std::move(bytes);
  return checksum;
}

Result<std::uint64_t> parse_byte_count(std::string_view name,
                                       std::optional<std::string_view> text) {
  const auto count = text ? http::parse_decimal(*text) : std::nullopt;
  if (count) return *count;
  return fail(ErrorCode::invalid, std::string(name) + " must be given once, as a whole number.");
}

Result<core::NewUpload> wanted_upload(const http::Request& request) {
  TRY_VOID(refuse_other_extensions(request));
  core::NewUpload upload;
  TRY(const auto length, parse_byte_count("Upload-Length", request.header("Upload-Length")));
  upload.length_bytes = length;
  upload.metadata = request.header("Upload-Metadata").value_or("");
  TRY(const auto metadata, parse_upload_metadata(upload.metadata));
  TRY_VOID(read_metadata(metadata, upload));
  TRY(upload.idempotency_key, idempotency_key_of(request));
  if (upload.length_bytes <= core::ResumableUploads::kLongestBytes) return upload;
  return fail(ErrorCode::over_quota, "Upload-Length is larger than Tus-Max-Size.");
}

Result<std::optional<core::WantedChecksum>> wanted_checksum(const http::Request& request) {
  if (!request.has("Upload-Checksum")) return std::nullopt;
  TRY(auto checksum, parse_upload_checksum(request.header("Upload-Checksum").value_or("")));
  return checksum;
}

}  // namespace coffer::api::v2
