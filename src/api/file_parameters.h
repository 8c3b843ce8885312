#pragma once

#include <array>
#include <optional>

#include "api/described.h"
#include "api/parameters.h"
#include "base/path.h"

/// What the file endpoints take, each parameter with its documentation.
namespace coffer::api {

struct ListParameters {
  std::optional<Path> path;
};
BOOST_DESCRIBE_STRUCT(ListParameters, (), (path))

struct InfoParameters {
  Path path;
};
BOOST_DESCRIBE_STRUCT(InfoParameters, (), (path))

struct ItemParameters {
  ItemPath path;
};
BOOST_DESCRIBE_STRUCT(ItemParameters, (), (path))

struct UploadParameters {
  std::optional<Path> path;
};
BOOST_DESCRIBE_STRUCT(UploadParameters, (), (path))

struct CreateFolderParameters {
  std::optional<FolderPathToMake> path;
  NewName name;
};
BOOST_DESCRIBE_STRUCT(CreateFolderParameters, (), (path, name))

struct CreateFileParameters {
  std::optional<Path> path;
  NewName name;
};
BOOST_DESCRIBE_STRUCT(CreateFileParameters, (), (path, name))

struct TransferParameters {
  NonEmpty<SourcePath> from;
  std::optional<Path> to;
};
BOOST_DESCRIBE_STRUCT(TransferParameters, (), (from, to))

struct RenameParameters {
  ItemPath path;
  NewName newName;
};
BOOST_DESCRIBE_STRUCT(RenameParameters, (), (path, newName))

inline constexpr std::string_view kNewNameText =
    "1 to 255 bytes of UTF-8 without slashes, backslashes and control characters; not . or ..; at "
    "the root not beginning with __adm_ or __conn_.";

template <>
struct Docs<ListParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path", "The folder; empty or missing means the root.", R"("holiday")"},
  }};
};

template <>
struct Docs<InfoParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path", "The item, from the key's root; empty means the root.", R"("holiday/photo.jpg")"},
  }};
};

template <>
struct Docs<ItemParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path", "The item, from the key's root; not the root itself.", R"("holiday/photo.jpg")"},
  }};
};

template <>
struct Docs<UploadParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"path", "The existing folder to upload into; empty or missing means the root.",
       R"("holiday")"},
  }};
};

template <>
struct Docs<CreateFolderParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path",
       "The folder to create it in; made too if missing, so that each part of the path must be a "
       "name as `name` must. Empty means the root.",
       R"("holiday")"},
      {"name", kNewNameText, R"("beach")"},
  }};
};

template <>
struct Docs<CreateFileParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path", "The existing folder to create it in; empty or missing means the root.",
       R"("holiday")"},
      {"name", kNewNameText, R"("notes.txt")"},
  }};
};

template <>
struct Docs<TransferParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"from", "The item, not the root; its name must be one that can be made.",
       R"("holiday/photo.jpg")"},
      {"to",
       "The existing folder that it goes into, not the item itself or below it; empty or missing "
       "means the root.",
       R"("pictures")"},
  }};
};

template <>
struct Docs<RenameParameters> {
  static constexpr std::array<FieldDoc, 2> fields{{
      {"path", "The item; not the root.", R"("holiday/photo.jpg")"},
      {"newName", kNewNameText, R"("sunset.jpg")"},
  }};
};

}  // namespace coffer::api
