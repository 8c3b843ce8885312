#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "base/clock.h"
#include "core/files/files.h"
#include "core/keys/key_service.h"
#include "core/namespace/mounts.h"

/// The types of the member `data` in answers of /api/v1.
namespace coffer::api {

/// The kind of a mount in a listing. A drive is `clouddrive` here, but `drive` in a Location.
struct MountKind {
  core::LocationKind kind = core::LocationKind::shared;

  constexpr bool operator==(const MountKind&) const = default;
};
constexpr auto words_of(MountKind) {
  constexpr auto kConnectors = words_of(catalog::ConnectorKind());
  std::array<EnumWord<MountKind>, kConnectors.size() + 1> all{};
  all[0] = {{core::LocationKind::shared}, core::LocationKind::shared.word()};
  for (std::size_t i = 0; i < kConnectors.size(); ++i) {
    const auto& [kind, word] = kConnectors[i];
    all[i + 1] = {{kind}, kind == catalog::ConnectorKind::drive ? "clouddrive" : word};
  }
  return all;
}

struct LocationView {
  static constexpr std::string_view kSchema = "Location";
  FIELD(core::LocationKind, kind,
        "One of own, shared, ftp, sftp and drive; scoped for a key that is limited to a folder.",
        R"("own")");
  FIELD(std::string, name, "Display name.", R"("Own files")");
  FIELD(std::string, path,
        "The prefix of paths in this location; empty for own files and for a scope.", R"("")");
  FIELD(std::string, target,
        "The storage that the location leads to, without secrets and paths of the server.",
        R"("Own files")");
  FIELD(bool, readOnly, "True if writes are refused.", "false");
};

struct FileEntryView {
  static constexpr std::string_view kSchema = "FileEntry";
  FIELD(std::string, name, "Name of the item.", R"("photo.jpg")");
  FIELD(std::string, relativePath, "Path from the key's root.", R"("holiday/photo.jpg")");
  FIELD(bool, isDirectory, "True for folders.", "false");
  FIELD(std::uint64_t, size, "Bytes; 0 for folders.", "1536");
  FIELD(std::string, formattedSize,
        "The size for people, 1024-based with one decimal; -- for folders.", R"("1.5 KB")");
  FIELD(Timestamp, createdAt, "UTC; the modification time if the creation time is not known.",
        R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, modifiedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::string, extension, "From the last dot, with the dot; empty for folders.", R"(".jpg")");
  FIELD(std::string, description, "The description of a mount; empty for ordinary items.", R"("")");
  FIELD(std::optional<MountKind>, mount,
        "shared, ftp, sftp or clouddrive for a mount; null for ordinary items.", "null");
  FIELD(Omittable<std::string>, mountTarget, "The storage that a mount leads to; on mounts only.",
        R"("sftp://ann@files.example:22/")");
  FIELD(bool, readOnly, "True if writes are refused here.", "false");
};

struct FileInfoView {
  static constexpr std::string_view kSchema = "FileInfo";
  FIELD(std::string, name, "Name of the item; empty for the root.", R"("photo.jpg")");
  FIELD(std::string, path, "Path from the key's root; empty for the root.",
        R"("holiday/photo.jpg")");
  FIELD(bool, isDirectory, "True for folders.", "false");
  FIELD(std::uint64_t, size, "Bytes; 0 for folders.", "1536");
  FIELD(std::string, formattedSize, "The size for people; -- for folders.", R"("1.5 KB")");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, modifiedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::string, extension, "From the last dot, with the dot; empty for folders.", R"(".jpg")");
};

struct AccountView {
  static constexpr std::string_view kSchema = "Account";
  FIELD(std::string, username, "Name of the account.", R"("ann")");
  FIELD(std::string, displayName, "Name shown to people.", R"("Ann")");
  FIELD(catalog::Role, role, "admin or user.", R"("user")");
  FIELD(std::uint64_t, storageUsed, "Bytes in the account's own files.", "1536");
  FIELD(std::string, storageUsedFormatted, "The used bytes, for people.", R"("1.5 KB")");
  FIELD(std::uint64_t, storageLimit, "The quota in bytes; 0 means unlimited.", "10737418240");
  FIELD(std::string, storageLimitFormatted, "The quota, for people; Unlimited for 0.",
        R"("10.0 GB")");
  FIELD(std::string, folderScope,
        "The folder that the calling key is limited to, from the account's root; Full access for "
        "an unlimited key.",
        R"("Full access")");
};

struct KeyView {
  static constexpr std::string_view kSchema = "ApiKey";
  FIELD(std::string, id, "Identifier, used to revoke the key.", R"("5f0c2a9d1b7e4c38")");
  FIELD(std::string, keyPreview, "The first characters of the secret.", R"("3f9a1c2e…")");
  FIELD(std::string, name, "Label.", R"("backup")");
  FIELD(std::string, folderPath, "The scope, from the account's root; empty for an unlimited key.",
        R"("documents")");
  FIELD(std::string, folderScope, "The scope, or Full access.", R"("documents")");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<Timestamp>, lastUsedAt,
        "UTC, up to a minute late; null before the first use.", "null");
};

struct CreatedKeyView {
  static constexpr std::string_view kSchema = "CreatedApiKey";
  FIELD(std::string, id, "Identifier, used to revoke the key.", R"("5f0c2a9d1b7e4c38")");
  FIELD(std::string, key, "The secret, a random UUID. No other answer shows it.",
        R"("00000000-0000-4000-8000-000000000000")");
  FIELD(std::string, name, "Label.", R"("backup")");
  FIELD(std::string, folderPath, "The scope, from the account's root; empty for an unlimited key.",
        R"("documents")");
  FIELD(std::string, folderScope, "The scope, or Full access.", R"("documents")");
  FIELD(Timestamp, createdAt, "UTC.", R"("2026-11-21T06:14:09")");
};

struct UploadView {
  static constexpr std::string_view kSchema = "Uploaded";
  FIELD(std::vector<std::string>, uploaded, "The names of the files, in the order of the request.",
        R"(["photo.jpg"])");
  FIELD(std::uint64_t, count, "The number of files stored.", "1");
};

struct MessageView {
  static constexpr std::string_view kSchema = "Message";
  FIELD(std::string, message, "The change that was made.", R"("The folder was created.")");
};

LocationView to_view(const core::Location& location);
FileEntryView to_view(const core::ListedItem& item);
FileInfoView to_info_view(const core::ListedItem& item);
KeyView to_view(const catalog::Key& key);
CreatedKeyView to_view(const core::CreatedKey& created);

/// Returns the path of the folder that a key is limited to; "Full access" if it is not limited.
std::string scope_text(const std::optional<Path>& folder);

std::vector<std::string> ids_of(const std::vector<KeyId>& keys);

}  // namespace coffer::api
