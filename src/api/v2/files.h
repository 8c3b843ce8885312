#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/model.h"
#include "api/v2/route.h"
#include "core/files/archive_service.h"
#include "core/files/folder_pages.h"
#include "core/files/listing.h"
#include "http/message.h"
#include "http/serve_content.h"

/// Folder listings in pages, and the handlers that serve both accounts and guests of share links.
namespace coffer::api::v2 {

enum class SortOrder : std::uint8_t { asc, desc };
enum class Disposition : std::uint8_t { attachment, inline_ };

constexpr auto words_of(SortOrder) {
  return enum_words<SortOrder>({{SortOrder::asc, "asc"}, {SortOrder::desc, "desc"}});
}
constexpr auto words_of(Disposition) {
  using enum Disposition;
  return enum_words<Disposition>({{attachment, "attachment"}, {inline_, "inline"}});
}

/// The maximum number of items on a page: 1 to 10,000.
struct PageLimit {
  std::size_t value = 0;
  static boost::json::object schema();
};

/// The position where a page begins: the value of `next` in the previous page.
struct Cursor {
  std::string value;
  static boost::json::object schema();
};

/// The order of names of one of NameOrder::languages().
struct Language {
  std::string_view tag;
  static boost::json::object schema();
};

Result<void> parse_value(std::string_view text, PageLimit& out);
Result<void> parse_value(std::string_view text, Cursor& out);
Result<void> parse_value(std::string_view text, Language& out);

struct PageParameters {
  FIELD(std::optional<Path>, path, "The folder; empty or missing means the root.", R"("holiday")");
  FIELD(std::optional<core::SortKey>, sort,
        "The order of the items: name (default; numbers by their value, ignoring case), size or "
        "modified. Folders come first, then mounts, then files, each group in this order.",
        R"("name")");
  FIELD(std::optional<SortOrder>, order, "asc (default; smallest or oldest first) or desc.",
        R"("asc")");
  FIELD(
      std::optional<Language>, language,
      "The language in whose order names stand, such as sv, in which \u00E4 follows z. By default "
      "the order that most languages have in common.",
      R"("sv")");
  FIELD(
      std::optional<PageLimit>, limit,
      "The maximum number of items of a page: 1 to 10,000; 200 by default. A page may have fewer; "
      "`next` tells whether there are more.",
      "200");
  FIELD(std::optional<Cursor>, cursor,
        "The `next` of the previous page, requested with equal sort, order and language.",
        R"("bmFtZQphc2MKZm9sZGVyCjAKYmVhY2g")");
};

struct ContentParameters {
  FIELD(ItemPath, path, "The file.", R"("holiday/photo.jpg")");
  FIELD(std::optional<Disposition>, disposition,
        "attachment (default) makes a browser save the file; inline lets it show the file, without "
        "running scripts in it.",
        R"("inline")");
};

struct ArchivePaths {
  FIELD(
      Repeated<Path>, path,
      "A file or folder. Give the parameter several times for several items. Empty means the root.",
      R"(["holiday"])");
};

struct ArchiveShape {
  FIELD(std::optional<core::ArchiveFormat>, format, "zip (default), tar or tar.zst.", R"("zip")");
  FIELD(std::optional<NewName>, name,
        "The name of the archive, 1 to 255 bytes; a missing extension is added. By default the "
        "name of the only item, or `files`.",
        R"("holiday.zip")");
};

/// A file, folder or mount in answers of /api/v2.
struct FileDetails {
  static constexpr std::string_view kSchema = "FileEntry";
  FIELD(std::string, name, "The name for people.", R"("photo.jpg")");
  FIELD(std::string, path, "The path to send in requests.", R"("holiday/photo.jpg")");
  FIELD(bool, isDirectory, "True if it is a folder.", "false");
  FIELD(std::uint64_t, size, "Bytes; 0 for a folder.", "20480");
  FIELD(Timestamp, createdAt, "UTC; the modification time if the creation time is not known.",
        R"("2026-11-21T06:14:09")");
  FIELD(Timestamp, modifiedAt, "UTC.", R"("2026-11-21T06:14:09")");
  FIELD(std::optional<MountKind>, mount,
        "The kind of mount if the item is the top folder of a mount; otherwise null.", "null");
  FIELD(bool, readOnly, "True if nothing can be changed there.", "false");
};

FileDetails details_of(const core::ListedItem& item);

/// Answers with one page of the items in a folder. Uses the rights of `call.principal()`.
Task<Result<http::Response>> list_page(Call call, PageParameters parameters);

boost::json::value page_schema(Components& components);

/// Answers with the content of the file at `path`. Uses the rights of `principal`. `not_found` if
/// there is no file, or if `etag` is not empty and the file has another ETag. With `wrap`, sends
/// what that makes of the content.
using WrapContent = std::function<std::shared_ptr<http::Content>(std::shared_ptr<http::Content>,
                                                                 const http::ContentInfo&)>;
Task<Result<http::Response>> serve_file(const Call& call, const core::Principal& principal,
                                        const Path& path, Disposition disposition,
                                        std::string_view etag = {}, WrapContent wrap = {});

/// Answers with the content of an open file. Uses no rights of `principal`, who takes the memory.
Result<http::Response> send_file(const Call& call, const core::Principal& principal,
                                 core::OpenFile file, Disposition disposition,
                                 const WrapContent& wrap = {});

/// Answers with an archive of the items at `paths`. Uses the rights of `call.principal()`.
Task<Result<http::Response>> send_archive(Call call, std::vector<Path> paths, ArchiveShape shape);

}  // namespace coffer::api::v2
