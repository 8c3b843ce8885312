#include <memory>
#include <utility>
#include <vector>

#include "api/content.h"
#include "api/endpoint.h"
#include "api/model.h"
#include "api/store_content.h"
#include "http/multipart.h"
#include "http/serve_content.h"

namespace coffer::api {
namespace {

struct InfoParameters {
  FIELD(Path, path, "The item, from the key's root; empty means the root.",
        R"("holiday/photo.jpg")");
};

struct ItemParameters {
  FIELD(ItemPath, path, "The item, from the key's root; not the root itself.",
        R"("holiday/photo.jpg")");
};

struct UploadParameters {
  FIELD(std::optional<Path>, path,
        "The existing folder to upload into; empty or missing means the root.", R"("holiday")");
};

struct CreateFolderParameters {
  FIELD(std::optional<FolderPathToMake>, path,
        "The folder to create it in, which is created too if it is missing: each part of its path "
        "must be a valid `name`. Empty means the root.",
        R"("holiday")");
  FIELD(NewName, name, kNewNameText, R"("beach")");
};

struct CreateFileParameters {
  FIELD(std::optional<Path>, path,
        "The existing folder to create it in; empty or missing means the root.", R"("holiday")");
  FIELD(NewName, name, kNewNameText, R"("notes.txt")");
};

struct TransferParameters {
  FIELD(NonEmpty<SourcePath>, from, "The item, not the root; its name must be a valid new name.",
        R"("holiday/photo.jpg")");
  FIELD(std::optional<Path>, to,
        "The existing folder to put it into, neither the item itself nor below it; empty or "
        "missing means the root.",
        R"("pictures")");
};

struct RenameParameters {
  FIELD(ItemPath, path, "The item; not the root.", R"("holiday/photo.jpg")");
  FIELD(NewName, newName, kNewNameText, R"("sunset.jpg")");
};

Task<Result<FileInfoView>> show_info(Services& services, core::Principal principal,
                                     InfoParameters parameters) {
  CO_TRY(const auto item, co_await services.files.info(principal, parameters.path));
  co_return to_info_view(item);
}

Task<Result<MessageView>> create_folder(Services& services, core::Principal principal,
                                        CreateFolderParameters parameters) {
  const Path parent = parameters.path.value_or(FolderPathToMake()).value;
  CO_TRY_VOID(co_await services.files.make_folder(principal, parent, *parameters.name.name));
  co_return MessageView{"The folder was created."};
}

Task<Result<MessageView>> create_file(Services& services, core::Principal principal,
                                      CreateFileParameters parameters) {
  const Path parent = parameters.path.value_or(Path());
  CO_TRY(const auto made,
         co_await services.files.make_file(principal, parent, *parameters.name.name));
  co_return MessageView{made ? "The file was created." : "The name is taken. Nothing was changed."};
}

Task<Result<MessageView>> move_item(Services& services, core::Principal principal,
                                    TransferParameters parameters) {
  const Path to = parameters.to.value_or(Path());
  CO_TRY_VOID(co_await services.files.move(principal, parameters.from.value.value, to));
  co_return MessageView{"The item was moved."};
}

Task<Result<MessageView>> copy_item(Services& services, core::Principal principal,
                                    TransferParameters parameters) {
  const Path to = parameters.to.value_or(Path());
  CO_TRY_VOID(co_await services.files.copy(principal, parameters.from.value.value, to));
  co_return MessageView{"The item was copied."};
}

Task<Result<MessageView>> rename_item(Services& services, core::Principal principal,
                                      RenameParameters parameters) {
  CO_TRY_VOID(
      co_await services.files.rename(principal, parameters.path.value, *parameters.newName.name));
  co_return MessageView{"The item was renamed."};
}

Task<Result<MessageView>> delete_item(Services& services, core::Principal principal,
                                      ItemParameters parameters) {
  CO_TRY_VOID(co_await services.files.remove(principal, parameters.path.value));
  co_return MessageView{"The item was deleted."};
}

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
  http::Response response = http::serve_content(request, info, std::move(content));
  auto held = hold_buffers(services.memory, core::holder_of(*principal), response);
  if (!held) co_return http::error_response(held.error());
  co_return response;
}

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
  storage::WriteOptions options;
  CO_TRY_VOID(co_await upload.begin_file(last_component(*part.file_name), std::move(options)));
  co_return co_await store_content(body, upload);
}

Task<Result<void>> store_parts(http::MultipartReader& body, core::Upload& upload) {
  while (true) {
    CO_TRY(const auto part, co_await body.next_part());
    if (!part) co_return Result<void>{};
    if (!is_file_part(*part)) continue;
    CO_TRY_VOID(co_await store_part(body, *part, upload));
  }
}

Task<Result<UploadView>> receive(Services& services, core::Principal principal,
                                 http::Request& request) {
  CO_TRY(const auto parameters, read_parameters<UploadParameters>(request, {}));
  CO_TRY(auto boundary,
         http::MultipartReader::boundary_of(request.header("Content-Type").value_or("")));
  const Path folder = parameters.path.value_or(Path());
  CO_TRY(auto upload, co_await services.files.upload(principal, folder, request.body->length()));
  http::MultipartReader body(*request.body, std::move(boundary));
  CO_TRY_VOID(co_await store_parts(body, *upload));
  CO_TRY(const auto published, co_await upload->publish());
  UploadView view;
  view.uploaded = upload->names();
  view.count = published.size();
  co_return view;
}

Task<http::Response> upload(Services& services, http::Request& request) {
  auto principal = co_await authenticate(services, request);
  if (!principal) co_return http::error_response(principal.error());
  const auto view = co_await receive(services, *std::move(principal), request);
  if (!view) co_return http::error_response(view.error());
  co_return http::json_response(200, success_json(*view));
}

Endpoint download_endpoint() {
  Endpoint endpoint(http::Method::get, "/api/v1/files/download", "downloadFile", "Download a file",
                    "The bytes themselves, as an attachment. Ranges, several of them too, and "
                    "conditional requests work as RFC 9110 says, so that downloads can be resumed.",
                    {403, 404, 502, 504}, Form::download);
  endpoint.parameters = describe_parameters<ItemParameters>(endpoint.pattern);
  endpoint.serve = &download;
  return endpoint;
}

Endpoint upload_endpoint() {
  Endpoint endpoint(
      http::Method::post, "/api/v1/files/upload", "uploadFiles", "Upload files into a folder",
      "Parts named file and files are stored, others ignored. A file of the same name is replaced "
      "in one step: a reader sees the old bytes or the new. A request that fails leaves none of "
      "its files. FTP servers, and SFTP servers that cannot replace a file in one step, have the "
      "name free for a moment instead; if the connection breaks just then, the old file stays "
      "beside it under a name that ends in .replaced- and eight digits.",
      {403, 404, 409, 413, 423, 502, 504, 507}, Form::upload);
  endpoint.parameters = describe_parameters<UploadParameters>(endpoint.pattern);
  endpoint.data_schema = &schema_of<UploadView>;
  endpoint.serve = &upload;
  return endpoint;
}

}  // namespace

std::vector<Endpoint> file_endpoints() {
  using http::Method;
  return {
      json_endpoint(
          Endpoint(
              Method::get, "/api/v1/files/info", "showInfo", "Show one item",
              "Name, size, times and whether it is a folder. The root has an empty name and path.",
              {403, 404, 502, 504}),
          &show_info),
      json_endpoint(
          Endpoint(Method::post, "/api/v1/files/folder", "createFolder", "Create a folder",
                   "Missing parents are created too.", {403, 404, 409, 423, 502, 504, 507}),
          &create_folder),
      json_endpoint(
          Endpoint(Method::post, "/api/v1/files/file", "createFile", "Create an empty file",
                   "Changes nothing if the name is taken.", {403, 404, 423, 502, 504, 507}),
          &create_file),
      json_endpoint(
          Endpoint(Method::put, "/api/v1/files/move", "moveItem", "Move an item into a folder",
                   "Keys limited to a folder follow it.", {403, 404, 409, 413, 423, 502, 504, 507}),
          &move_item),
      json_endpoint(
          Endpoint(Method::put, "/api/v1/files/copy", "copyItem", "Copy an item into a folder",
                   "Folders are copied with all in them; the copy appears when it is whole.",
                   {403, 404, 409, 413, 423, 502, 504, 507}),
          &copy_item),
      json_endpoint(
          Endpoint(Method::put, "/api/v1/files/rename", "renameItem", "Rename an item where it is",
                   "Keys limited to a folder follow it. The same name changes nothing.",
                   {403, 404, 409, 423, 502, 504, 507}),
          &rename_item),
      json_endpoint(Endpoint(Method::del, "/api/v1/files", "deleteItem",
                             "Delete a file, or a folder with all in it",
                             "Cannot be undone. The quota is free at once. Keys limited to the "
                             "folder or below are revoked. 409 while a move is about to end that "
                             "concerns the folder, one above it or one below it.",
                             {403, 404, 409, 423, 502, 504, 507}),
                    &delete_item),
      download_endpoint(),
      upload_endpoint()};
}

}  // namespace coffer::api
