#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/described.h"
#include "base/clock.h"
#include "core/files/files.h"
#include "core/keys/key_service.h"
#include "core/namespace/mounts.h"

/// The shapes of the answers' `data`, as the contract names them.
namespace coffer::api {

/// What a mount in a listing is.
struct MountKind {
  std::string_view word;

  constexpr MountKind(core::LocationKind kind = core::LocationKind::shared)
      : word(to_string(kind)) {
    // Not the word of a location's `kind`.
    if (kind == core::LocationKind(catalog::ConnectorKind::drive)) word = "clouddrive";
  }
};
constexpr std::string_view to_string(MountKind kind) {
  return kind.word;
}

/// Those of `first`, connectors, and those of `last`.
template <class Kind, std::size_t kFirst, std::size_t kLast = 0>
constexpr auto with_connectors(const std::array<Kind, kFirst>& first,
                               const std::array<Kind, kLast>& last = {}) {
  std::array<Kind, kFirst + catalog::kConnectorKinds.size() + kLast> all{};
  auto next = std::ranges::copy(first, all.begin()).out;
  for (const auto kind : catalog::kConnectorKinds) *next++ = core::LocationKind(kind);
  std::ranges::copy(last, next);
  return all;
}

template <>
struct Words<MountKind> {
  static constexpr auto all = with_connectors(std::array{MountKind(core::LocationKind::shared)});
};
template <>
struct Words<core::LocationKind> {
  using Kind = core::LocationKind;
  static constexpr auto all =
      with_connectors(std::array{Kind::own, Kind::shared}, std::array{Kind::scoped});
};
template <>
struct Words<catalog::Role> {
  static constexpr std::array all{catalog::Role::user, catalog::Role::admin};
};

struct LocationView {
  core::LocationKind kind = core::LocationKind::own;
  std::string name;
  std::string path;
  std::string target;
  bool readOnly = false;
};
BOOST_DESCRIBE_STRUCT(LocationView, (), (kind, name, path, target, readOnly))

struct FileEntryView {
  std::string name;
  std::string relativePath;
  bool isDirectory = false;
  std::uint64_t size = 0;
  std::string formattedSize;
  Timestamp createdAt;
  Timestamp modifiedAt;
  std::string extension;
  std::string description;
  std::optional<MountKind> mount;
  Omittable<std::string> mountTarget;
  bool readOnly = false;
};
BOOST_DESCRIBE_STRUCT(FileEntryView, (),
                      (name, relativePath, isDirectory, size, formattedSize, createdAt, modifiedAt,
                       extension, description, mount, mountTarget, readOnly))

struct FileInfoView {
  std::string name;
  std::string path;
  bool isDirectory = false;
  std::uint64_t size = 0;
  std::string formattedSize;
  Timestamp createdAt;
  Timestamp modifiedAt;
  std::string extension;
};
BOOST_DESCRIBE_STRUCT(FileInfoView, (),
                      (name, path, isDirectory, size, formattedSize, createdAt, modifiedAt,
                       extension))

struct AccountView {
  std::string username;
  std::string displayName;
  catalog::Role role = catalog::Role::user;
  std::uint64_t storageUsed = 0;
  std::string storageUsedFormatted;
  std::uint64_t storageLimit = 0;
  std::string storageLimitFormatted;
  std::string folderScope;
};
BOOST_DESCRIBE_STRUCT(AccountView, (),
                      (username, displayName, role, storageUsed, storageUsedFormatted, storageLimit,
                       storageLimitFormatted, folderScope))

struct KeyView {
  std::string id;
  std::string keyPreview;
  std::string name;
  std::string folderPath;
  std::string folderScope;
  Timestamp createdAt;
  std::optional<Timestamp> lastUsedAt;
};
BOOST_DESCRIBE_STRUCT(KeyView, (),
                      (id, keyPreview, name, folderPath, folderScope, createdAt, lastUsedAt))

struct CreatedKeyView {
  std::string id;
  std::string key;
  std::string name;
  std::string folderPath;
  std::string folderScope;
  Timestamp createdAt;
};
BOOST_DESCRIBE_STRUCT(CreatedKeyView, (), (id, key, name, folderPath, folderScope, createdAt))

struct UploadView {
  std::vector<std::string> uploaded;
  std::uint64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(UploadView, (), (uploaded, count))

struct MessageView {
  std::string message;
};
BOOST_DESCRIBE_STRUCT(MessageView, (), (message))

LocationView to_view(const core::Location& location);
FileEntryView to_view(const core::ListedItem& item);
FileInfoView to_info_view(const core::ListedItem& item);
KeyView to_view(const catalog::Key& key);
CreatedKeyView to_view(const core::CreatedKey& created);

/// The scope's folder, or the words for full access.
std::string scope_text(const std::optional<Path>& folder);

std::vector<std::string> ids_of(const std::vector<KeyId>& keys);

}  // namespace coffer::api
