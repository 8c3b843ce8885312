#include <memory>
#include <utility>

#include "api/content.h"
#include "api/file_parameters.h"
#include "api/resources.h"
#include "http/serve_content.h"

namespace coffer::api {
namespace {

Task<http::Response> download(Services& services, http::Request& request) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  auto parameters = read_parameters<ItemParameters>(request, {});
  if (!parameters) co_return http::error_response(parameters.error());
  auto file = co_await services.files.open(*principal, parameters->path.value);
  if (!file) co_return http::error_response(file.error());
  Pool& pool = services.pools.of(principal->account->id).brief;
  auto content = std::make_shared<FileContent>(*std::move(file), pool);
  const http::ContentInfo info = info_of(content->entry());
  co_return http::serve_content(request, info, std::move(content));
}

}  // namespace

Endpoint download_endpoint() {
  Endpoint endpoint;
  endpoint.method = http::Method::get;
  endpoint.pattern = "/api/v1/files/download";
  endpoint.id = "downloadFile";
  endpoint.summary = "Download a file";
  endpoint.description =
      "The bytes themselves, as an attachment. Ranges, several of them too, and conditional "
      "requests "
      "work as RFC 9110 says, so that downloads can be resumed.";
  endpoint.errors = {403, 404, 502, 504};
  endpoint.form = Form::download;
  endpoint.parameters = describe_parameters<ItemParameters>(endpoint.pattern);
  endpoint.serve = &download;
  return endpoint;
}

}  // namespace coffer::api
