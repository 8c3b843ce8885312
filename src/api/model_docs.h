#pragma once

#include <array>

#include "api/described.h"
#include "api/model.h"

/// What the API description says of each field of the answers.
namespace coffer::api {

template <>
struct Docs<LocationView> {
  static constexpr std::string_view name = "Location";
  static constexpr std::array<FieldDoc, 5> fields{{
      {"kind",
       "One of own, shared, ftp, sftp and drive; scoped for a key that is limited to a folder.",
       R"("own")"},
      {"name", "Display name.", R"("Own files")"},
      {"path", "The prefix of paths in this location; empty for own files and for a scope.",
       R"("")"},
      {"target", "Where the location points; never a secret or a path of the server.",
       R"("Own files")"},
      {"readOnly", "Whether writes are refused.", "false"},
  }};
};

template <>
struct Docs<FileEntryView> {
  static constexpr std::string_view name = "FileEntry";
  static constexpr std::array<FieldDoc, 12> fields{{
      {"name", "Name of the item.", R"("photo.jpg")"},
      {"relativePath", "Path from the key's root.", R"("holiday/photo.jpg")"},
      {"isDirectory", "True for folders.", "false"},
      {"size", "Bytes; 0 for folders.", "1536"},
      {"formattedSize", "The size for people, 1024-based with one decimal; -- for folders.",
       R"("1.5 KB")"},
      {"createdAt", "UTC. The modification time where the place knows no better.",
       R"("2026-11-21T06:14:09")"},
      {"modifiedAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"extension", "From the last dot, with the dot; empty for folders.", R"(".jpg")"},
      {"description", "What the maker of a mount wrote about it; empty for ordinary items.",
       R"("")"},
      {"mount", "shared, ftp, sftp or clouddrive for a mount; null for ordinary items.", "null"},
      {"mountTarget", "Where a mount points; on mounts only.", R"("sftp://ann@files.example:22/")"},
      {"readOnly", "Whether writes are refused here.", "false"},
  }};
};

template <>
struct Docs<FileInfoView> {
  static constexpr std::string_view name = "FileInfo";
  static constexpr std::array<FieldDoc, 8> fields{{
      {"name", "Name of the item; empty for the root.", R"("photo.jpg")"},
      {"path", "Path from the key's root; empty for the root.", R"("holiday/photo.jpg")"},
      {"isDirectory", "True for folders.", "false"},
      {"size", "Bytes; 0 for folders.", "1536"},
      {"formattedSize", "The size for people; -- for folders.", R"("1.5 KB")"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"modifiedAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"extension", "From the last dot, with the dot; empty for folders.", R"(".jpg")"},
  }};
};

template <>
struct Docs<AccountView> {
  static constexpr std::string_view name = "Account";
  static constexpr std::array<FieldDoc, 8> fields{{
      {"username", "Name of the account.", R"("ann")"},
      {"displayName", "Name shown to people.", R"("Ann")"},
      {"role", "admin or user.", R"("user")"},
      {"storageUsed", "Bytes in the account's own files.", "1536"},
      {"storageUsedFormatted", "The same for people.", R"("1.5 KB")"},
      {"storageLimit", "The quota in bytes; 0 means unlimited.", "10737418240"},
      {"storageLimitFormatted", "The same for people; Unlimited for 0.", R"("10.0 GB")"},
      {"folderScope",
       "The folder that the calling key is limited to, from the account's root; Full access for an "
       "unlimited key.",
       R"("Full access")"},
  }};
};

template <>
struct Docs<KeyView> {
  static constexpr std::string_view name = "ApiKey";
  static constexpr std::array<FieldDoc, 7> fields{{
      {"id", "Identifier, used to revoke the key.", R"("5f0c2a9d1b7e4c38")"},
      {"keyPreview", "The first characters of the secret.", R"("3f9a1c2e…")"},
      {"name", "Label.", R"("backup")"},
      {"folderPath", "The scope, from the account's root; empty for an unlimited key.",
       R"("documents")"},
      {"folderScope", "The scope, or Full access.", R"("documents")"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"lastUsedAt", "UTC, up to a minute late; null before the first use.", "null"},
  }};
};

template <>
struct Docs<CreatedKeyView> {
  static constexpr std::string_view name = "CreatedApiKey";
  static constexpr std::array<FieldDoc, 6> fields{{
      {"id", "Identifier, used to revoke the key.", R"("5f0c2a9d1b7e4c38")"},
      {"key", "The secret: a random UUID, told this once.",
       R"("00000000-0000-4000-8000-000000000000")"},
      {"name", "Label.", R"("backup")"},
      {"folderPath", "The scope, from the account's root; empty for an unlimited key.",
       R"("documents")"},
      {"folderScope", "The scope, or Full access.", R"("documents")"},
      {"createdAt", "UTC.", R"("2026-11-21T06:14:09")"},
  }};
};

template <>
struct Docs<UploadView> {
  static constexpr std::string_view name = "Uploaded";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"uploaded", "Names of the files, in the order they came.", R"(["photo.jpg"])"},
      {"count", "How many files were stored.", "1"},
  }};
};

template <>
struct Docs<MessageView> {
  static constexpr std::string_view name = "Message";
  static constexpr std::array<FieldDoc, 1> fields{{
      {"message", "What was done.", R"("The folder was created.")"},
  }};
};

}  // namespace coffer::api
