#include "api/model.h"

#include "base/size_format.h"

namespace coffer::api {
namespace {

std::string size_text(const storage::Entry& entry) {
  return entry.is_directory ? "--" : format_size(entry.size_bytes);
}

std::string extension_text(const storage::Entry& entry) {
  return entry.is_directory ? std::string() : std::string(extension_of(entry.name));
}

std::string path_of(const core::ListedItem& item) {
  if (item.mount) return item.mount->prefix;
  const std::string& name = item.entry.name;
  return item.folder.is_root() ? name : item.folder.str() + '/' + name;
}

/// What both shapes of an item tell.
template <class View>
View described(const storage::Entry& entry) {
  View view;
  view.name = entry.name;
  view.isDirectory = entry.is_directory;
  view.size = entry.size_bytes;
  view.formattedSize = size_text(entry);
  view.createdAt = entry.created_at;
  view.modifiedAt = entry.modified_at;
  view.extension = extension_text(entry);
  return view;
}

}  // namespace

LocationView to_view(const core::Location& location) {
  return {location.kind, location.name, location.path, location.target, location.read_only};
}

FileEntryView to_view(const core::ListedItem& item) {
  auto view = described<FileEntryView>(item.entry);
  view.relativePath = path_of(item);
  view.readOnly = item.read_only;
  if (item.mount) {
    view.description = item.mount->description;
    view.mount = MountKind{item.mount->kind};
    view.mountTarget = item.mount->target;
  }
  return view;
}

FileInfoView to_info_view(const core::ListedItem& item) {
  auto view = described<FileInfoView>(item.entry);
  view.path = path_of(item);
  return view;
}

std::string scope_text(const std::optional<Path>& folder) {
  return folder ? folder->str() : "Full access";
}

std::vector<std::string> ids_of(const std::vector<KeyId>& keys) {
  std::vector<std::string> ids;
  for (const KeyId& key : keys) ids.push_back(key.value);
  return ids;
}

KeyView to_view(const catalog::Key& key) {
  KeyView view;
  view.id = key.id.value;
  view.keyPreview = key.preview;
  view.name = key.name;
  view.folderPath = key.folder ? key.folder->str() : "";
  view.folderScope = scope_text(key.folder);
  view.createdAt = key.created_at;
  view.lastUsedAt = key.last_used_at;
  return view;
}

CreatedKeyView to_view(const core::CreatedKey& created) {
  CreatedKeyView view;
  view.id = created.key.id.value;
  view.key = created.secret;
  view.name = created.key.name;
  view.folderPath = created.key.folder ? created.key.folder->str() : "";
  view.folderScope = scope_text(created.key.folder);
  view.createdAt = created.key.created_at;
  return view;
}

}  // namespace coffer::api
