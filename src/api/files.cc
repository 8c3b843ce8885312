#include "api/file_parameters.h"
#include "api/model.h"
#include "api/model_docs.h"
#include "api/resources.h"

namespace coffer::api {
namespace {

Task<Result<FileInfoView>> show_info(Services& services, core::Principal principal,
                                     InfoParameters parameters) {
  const auto item = co_await services.files.info(principal, parameters.path);
  if (!item) co_return failure_of(item);
  co_return to_info_view(*item);
}

Task<Result<MessageView>> create_folder(Services& services, core::Principal principal,
                                        CreateFolderParameters parameters) {
  const Path parent = parameters.path.value_or(FolderPathToMake()).value;
  const auto made = co_await services.files.make_folder(principal, parent, *parameters.name.name);
  if (!made) co_return failure_of(made);
  co_return MessageView{"The folder was created."};
}

Task<Result<MessageView>> create_file(Services& services, core::Principal principal,
                                      CreateFileParameters parameters) {
  const Path parent = parameters.path.value_or(Path());
  const auto made = co_await services.files.make_file(principal, parent, *parameters.name.name);
  if (!made) co_return failure_of(made);
  co_return MessageView{*made ? "The file was created."
                              : "The name is taken already; nothing was changed."};
}

Task<Result<MessageView>> move_item(Services& services, core::Principal principal,
                                    TransferParameters parameters) {
  const Path to = parameters.to.value_or(Path());
  const auto moved = co_await services.files.move(principal, parameters.from.value.value, to);
  if (!moved) co_return failure_of(moved);
  co_return MessageView{"The item was moved."};
}

Task<Result<MessageView>> copy_item(Services& services, core::Principal principal,
                                    TransferParameters parameters) {
  const Path to = parameters.to.value_or(Path());
  const auto copied = co_await services.files.copy(principal, parameters.from.value.value, to);
  if (!copied) co_return failure_of(copied);
  co_return MessageView{"The item was copied."};
}

Task<Result<MessageView>> rename_item(Services& services, core::Principal principal,
                                      RenameParameters parameters) {
  const auto renamed =
      co_await services.files.rename(principal, parameters.path.value, *parameters.newName.name);
  if (!renamed) co_return failure_of(renamed);
  co_return MessageView{"The item was renamed."};
}

Task<Result<MessageView>> delete_item(Services& services, core::Principal principal,
                                      ItemParameters parameters) {
  const auto removed = co_await services.files.remove(principal, parameters.path.value);
  if (!removed) co_return failure_of(removed);
  co_return MessageView{"The item was deleted."};
}

Endpoint row(http::Method method, std::string_view pattern, std::string_view id,
             std::string_view summary, std::string_view description, std::vector<unsigned> errors) {
  Endpoint endpoint;
  endpoint.method = method;
  endpoint.pattern = pattern;
  endpoint.id = id;
  endpoint.summary = summary;
  endpoint.description = description;
  endpoint.errors = std::move(errors);
  return endpoint;
}

std::vector<Endpoint> reading_endpoints() {
  using http::Method;
  return {
      listing_endpoint(),
      json_endpoint(row(Method::get, "/api/v1/files/info", "showInfo", "Show one item",
                        "Name, size, times and whether it is a folder. The root has an empty name "
                        "and path.",
                        {403, 404, 502, 504}),
                    &show_info),
  };
}

std::vector<Endpoint> writing_endpoints() {
  using http::Method;
  return {
      json_endpoint(row(Method::post, "/api/v1/files/folder", "createFolder", "Create a folder",
                        "Missing parents are created too.", {403, 404, 409, 502, 504, 507}),
                    &create_folder),
      json_endpoint(row(Method::post, "/api/v1/files/file", "createFile", "Create an empty file",
                        "Changes nothing if the name is taken.", {403, 404, 502, 504, 507}),
                    &create_file),
      json_endpoint(row(Method::put, "/api/v1/files/move", "moveItem", "Move an item into a folder",
                        "Keys limited to a folder follow it.", {403, 404, 409, 413, 502, 504, 507}),
                    &move_item),
      json_endpoint(row(Method::put, "/api/v1/files/copy", "copyItem", "Copy an item into a folder",
                        "Folders are copied with all in them; the copy appears when it is whole.",
                        {403, 404, 409, 413, 502, 504, 507}),
                    &copy_item),
      json_endpoint(
          row(Method::put, "/api/v1/files/rename", "renameItem", "Rename an item where it is",
              "Keys limited to a folder follow it. The same name changes nothing.",
              {403, 404, 409, 502, 504, 507}),
          &rename_item),
      json_endpoint(
          row(Method::del, "/api/v1/files", "deleteItem",
              "Delete a file, or a folder with all in it",
              "Cannot be undone. The quota is free at once. Keys limited to the folder or "
              "below are revoked.",
              {403, 404, 502, 504, 507}),
          &delete_item),
  };
}

}  // namespace

std::vector<Endpoint> file_endpoints() {
  auto all = reading_endpoints();
  for (Endpoint& endpoint : writing_endpoints()) all.push_back(std::move(endpoint));
  return all;
}

}  // namespace coffer::api
