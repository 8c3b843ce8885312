#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "api/file_parameters.h"
#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"
#include "api/store_content.h"
#include "http/multipart.h"

namespace coffer::api {
namespace {

/// A name that carries folders counts by its last component (RFC 7578, section 4.2).
std::string_view last_component(std::string_view file_name) {
  return file_name.substr(file_name.find_last_of("/\\") + 1);
}

bool is_file_part(const http::PartHead& part) {
  return (part.name == "file" || part.name == "files") && part.file_name &&
         !part.file_name->empty();
}

Task<Result<void>> store_part(http::MultipartReader& body, const http::PartHead& part,
                              core::Upload& upload) {
  auto begun = co_await upload.begin_file(last_component(*part.file_name));
  if (!begun) co_return begun;
  co_return co_await store_content(body, upload);
}

Task<Result<void>> store_parts(http::MultipartReader& body, core::Upload& upload) {
  while (true) {
    const auto part = co_await body.next_part();
    if (!part) co_return failure_of(part);
    if (!*part) co_return Result<void>{};
    if (!is_file_part(**part)) continue;
    auto stored = co_await store_part(body, **part, upload);
    if (!stored) co_return stored;
  }
}

Task<Result<UploadView>> receive(Services& services, core::Principal principal,
                                 http::Request& request) {
  const auto parameters = read_parameters<UploadParameters>(request, {});
  if (!parameters) co_return failure_of(parameters);
  auto boundary = http::MultipartReader::boundary_of(request.header("Content-Type").value_or(""));
  if (!boundary) co_return failure_of(std::move(boundary));
  const Path folder = parameters->path.value_or(Path());
  auto upload = co_await services.files.upload(principal, folder, request.body->length());
  if (!upload) co_return failure_of(std::move(upload));
  http::MultipartReader body(*request.body, *std::move(boundary));
  auto stored = co_await store_parts(body, **upload);
  if (!stored) co_return failure_of(std::move(stored));
  const auto published = co_await (*upload)->publish();
  if (!published) co_return failure_of(published);
  UploadView view;
  view.uploaded = (*upload)->names();
  view.count = view.uploaded.size();
  co_return view;
}

Task<http::Response> upload(Services& services, http::Request& request) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  const auto view = co_await receive(services, *std::move(principal), request);
  if (!view) co_return http::error_response(view.error());
  co_return http::json_response(200, success_json(*view));
}

}  // namespace

Endpoint upload_endpoint() {
  Endpoint endpoint;
  endpoint.method = http::Method::post;
  endpoint.pattern = "/api/v1/files/upload";
  endpoint.id = "uploadFiles";
  endpoint.summary = "Upload files into a folder";
  endpoint.description =
      "Parts named file and files are stored, others ignored. A file of the same name is replaced "
      "in one step: a reader sees the old bytes or the new. A request that fails leaves none of "
      "its files. FTP servers, and SFTP servers that cannot replace a file in one step, have the "
      "name free for a moment instead; if the connection breaks just then, the old file stays "
      "beside it under a name that ends in .replaced- and eight digits.";
  endpoint.errors = {403, 404, 409, 413, 502, 504, 507};
  endpoint.form = Form::upload;
  endpoint.parameters = describe_parameters<UploadParameters>(endpoint.pattern);
  endpoint.data_schema = [](Components& components) { return schema_of<UploadView>(components); };
  endpoint.serve = &upload;
  return endpoint;
}

}  // namespace coffer::api
