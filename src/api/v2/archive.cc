#include "api/v2/archive.h"

#include <memory>
#include <string>
#include <utility>

#include "api/v2/stream_of.h"
#include "http/serve_content.h"

namespace coffer::api {

namespace v2 {
namespace {

std::string_view media_type_of(core::ArchiveFormat format) {
  switch (format) {
    case core::ArchiveFormat::zip:
      return "application/zip";
    case core::ArchiveFormat::tar:
      return "application/x-tar";
    case core::ArchiveFormat::tar_zst:
      return "application/zstd";
  }
  std::unreachable();
}

std::string file_name_of(std::string name, core::ArchiveFormat format) {
  const std::string extension = '.' + std::string(to_string(format));
  if (!name.ends_with(extension)) name += extension;
  return name;
}

}  // namespace

Task<Result<http::Response>> send_archive(Call call, ArchiveParameters parameters) {
  const core::ArchiveFormat format = parameters.format.value_or(core::ArchiveFormat::zip);
  auto archive = co_await call.services.archives.make(call.principal(),
                                                      std::move(parameters.path.values), format);
  if (!archive) co_return failure_of(std::move(archive));
  std::string name = std::move(archive->name);
  if (parameters.name) name = parameters.name->name->str();
  name = file_name_of(std::move(name), format);
  http::Response response;
  response.headers.emplace_back("Content-Type", media_type_of(format));
  response.headers.emplace_back("Content-Disposition", http::attachment_disposition(name));
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::make_shared<StreamOf<core::ArchiveStream>>(std::move(archive->stream));
  co_return response;
}

std::vector<Route> archive_routes() {
  Route archive{http::Method::get, "/api/v2/archive", "downloadArchive",
                "Download files and folders as one archive",
                "It is made on its way, so its size is not known before; an answer that breaks off "
                "is not whole. Two items with one name are numbered. What cannot be read, or not "
                "to its end, is told in a last entry, coffer-errors.txt: in a tar zeros stand for "
                "what is missing. Links to folders, and those that lead out of their place, are "
                "not followed."};
  archive.rule = CallerRule::files;
  archive.form = Form::archive;
  archive.errors = {404, 502, 504};
  return {bytes_route(archive, &send_archive)};
}

}  // namespace v2
}  // namespace coffer::api
