#pragma once

#include <array>
#include <optional>

#include "api/parameter_schema.h"
#include "api/parameters.h"
#include "core/files/archive_service.h"

/// What the calls about archives take.
namespace coffer::api {

namespace v2 {

struct ArchiveParameters {
  Repeated<Path> path;
  std::optional<core::ArchiveFormat> format;
  std::optional<NewName> name;
};
BOOST_DESCRIBE_STRUCT(ArchiveParameters, (), (path, format, name))

}  // namespace v2

template <>
struct Words<core::ArchiveFormat> {
  using enum core::ArchiveFormat;
  static constexpr std::array all{zip, tar, tar_zst};
};

template <>
struct Docs<v2::ArchiveParameters> {
  static constexpr std::array<FieldDoc, 3> fields{{
      {"path", "A file or folder; given several times for several of them. Empty means the root.",
       R"(["holiday"])"},
      {"format", "zip, which is the default, tar or tar.zst.", R"("zip")"},
      {"name",
       "What the archive is called, 1 to 255 bytes: its extension is added where it is missing. "
       "Without it the only item's name, or `files`.",
       R"("holiday.zip")"},
  }};
};

}  // namespace coffer::api
