#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/v2/files.h"
#include "http/message.h"
#include "http/serve_content.h"

namespace coffer::api::v2 {
namespace {

/// What makes bytes on its way, as the body of a response.
template <class Source>
class StreamOf final : public http::Stream {
 public:
  explicit StreamOf(std::unique_ptr<Source> source) : source_(std::move(source)) {}

  Task<Result<std::optional<std::string_view>>> next() override { return source_->next(); }

 private:
  const std::unique_ptr<Source> source_;
};

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
  const std::string extension = '.' + std::string(word_of(format));
  if (!name.ends_with(extension)) name += extension;
  return name;
}

}  // namespace

Task<Result<http::Response>> send_archive(Call call, ArchiveParameters parameters) {
  const core::ArchiveFormat format = parameters.format.value_or(core::ArchiveFormat::zip);
  CO_TRY(auto archive, co_await call.services.archives.make(
                           call.principal(), std::move(parameters.path.values), format));
  std::string name = std::move(archive.name);
  if (parameters.name) name = parameters.name->name->str();
  name = file_name_of(std::move(name), format);
  http::Response response;
  response.headers.emplace_back("Content-Type", media_type_of(format));
  response.headers.emplace_back("Content-Disposition", http::attachment_disposition(name));
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::make_shared<StreamOf<core::ArchiveStream>>(std::move(archive.stream));
  co_return response;
}

std::vector<Route> archive_routes() {
  return {
      bytes_route(Route(http::Method::get, "/api/v2/archive", "downloadArchive",
                        "Download files and folders as one archive",
                        "The archive is created while it is sent, so its size is not known; an "
                        "answer that breaks off is incomplete. Items of the same name are "
                        "numbered. Items that cannot be read completely are listed in a last "
                        "entry, coffer-errors.txt; in a tar, zeros stand for the missing bytes. "
                        "Links to folders, and links out of their location, are not followed.",
                        CallerRule::files, 200, {404, 502, 504}, Form::archive),
                  &send_archive)};
}

}  // namespace coffer::api::v2
