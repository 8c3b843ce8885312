#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/v2/files.h"
#include "http/message.h"
#include "http/serve_content.h"

namespace coffer::api::v2 {
namespace {

using Several = UpTo<Path, Repeated<Path>::kMost>;

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

struct ArchiveItems {
  FIELD(Several, path,
        "A file or folder. Give the parameter several times for several items. Empty means the "
        "root. For more items than an address may have, make a selection.",
        R"(["holiday"])");
  FIELD(std::optional<NonEmpty<std::string>>, selection,
        "In place of path: the id of a selection. It may be used again while it is kept. Items of "
        "it that are gone are listed in coffer-errors.txt.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
};

struct ArchiveParameters : ArchiveItems, ArchiveShape {
  FIELDS_OF(ArchiveItems, ArchiveShape);
};

http::Response response_of(core::Archive archive, const ArchiveShape& shape) {
  const core::ArchiveFormat format = shape.format.value_or(core::ArchiveFormat::zip);
  std::string name = shape.name ? shape.name->name->str() : std::move(archive.name);
  name = file_name_of(std::move(name), format);
  http::Response response;
  response.headers.emplace_back("Content-Type", media_type_of(format));
  response.headers.emplace_back("Content-Disposition", http::attachment_disposition(name));
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = std::make_shared<StreamOf<core::ArchiveStream>>(std::move(archive.stream));
  response.may_pause = true;
  return response;
}

Task<Result<http::Response>> send_selection(Call call, SelectionId id, ArchiveShape shape) {
  const core::ArchiveFormat format = shape.format.value_or(core::ArchiveFormat::zip);
  CO_TRY(auto archive,
         co_await call.services.archives.make_selected(call.principal(), std::move(id), format));
  co_return response_of(std::move(archive), shape);
}

Task<Result<http::Response>> send_wanted(Call call, ArchiveParameters parameters) {
  if (parameters.path.values.empty() != parameters.selection.has_value()) {
    co_return fail(ErrorCode::invalid, "Give either path or selection.");
  }
  ArchiveShape shape = parameters;
  if (!parameters.selection) {
    co_return co_await send_archive(std::move(call), std::move(parameters.path.values),
                                    std::move(shape));
  }
  SelectionId id{std::move(parameters.selection->value)};
  co_return co_await send_selection(std::move(call), std::move(id), std::move(shape));
}

}  // namespace

Task<Result<http::Response>> send_archive(Call call, std::vector<Path> paths, ArchiveShape shape) {
  const core::ArchiveFormat format = shape.format.value_or(core::ArchiveFormat::zip);
  CO_TRY(auto archive,
         co_await call.services.archives.make(call.principal(), std::move(paths), format));
  co_return response_of(std::move(archive), shape);
}

std::vector<Route> archive_routes() {
  return {bytes_route(
      Route(http::Method::get, "/api/v2/archive", "downloadArchive",
            "Download files and folders as one archive",
            "The archive is created while it is sent, so its size is not known; an "
            "answer that breaks off is incomplete. Items of the same name are "
            "numbered. Items that cannot be read completely are listed in a last "
            "entry, coffer-errors.txt; in a tar, zeros stand for up to 64 MB of "
            "missing bytes, and it breaks off where more are. Links to folders, and links "
            "out of their location, are not followed. A "
            "zip of more than some 900,000 items takes too much memory: take a tar.",
            CallerRule::files, 200, {404, 502, 504}, Form::archive),
      &send_wanted)};
}

}  // namespace coffer::api::v2
