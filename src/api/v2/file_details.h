#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "api/model.h"
#include "api/model_docs.h"
#include "core/files/listing.h"

namespace coffer::api::v2 {

/// An item as answers show it.
struct FileDetails {
  std::string name;
  std::string path;
  bool isDirectory = false;
  std::uint64_t size = 0;
  Timestamp createdAt;
  Timestamp modifiedAt;
  std::optional<MountKind> mount;
  bool readOnly = false;
};
BOOST_DESCRIBE_STRUCT(FileDetails, (),
                      (name, path, isDirectory, size, createdAt, modifiedAt, mount, readOnly))

FileDetails details_of(const core::ListedItem& item);

}  // namespace coffer::api::v2

namespace coffer::api {

template <>
struct Docs<v2::FileDetails> {
  static constexpr std::string_view name = "FileEntry";
  static constexpr std::array<FieldDoc, 8> fields{{
      {"name", "As people see it.", R"("photo.jpg")"},
      {"path", "To be sent where an item is named.", R"("holiday/photo.jpg")"},
      {"isDirectory", "Whether it is a folder.", "false"},
      {"size", "Bytes; 0 for a folder.", "20480"},
      {"createdAt", "UTC; the modification time where no other is known.",
       R"("2026-11-21T06:14:09")"},
      {"modifiedAt", "UTC.", R"("2026-11-21T06:14:09")"},
      {"mount", "What kind of mount it is the top of; null for none.", "null"},
      {"readOnly", "Whether nothing can be changed there.", "false"},
  }};
};

}  // namespace coffer::api
