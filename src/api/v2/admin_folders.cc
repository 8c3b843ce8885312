#include "api/v2/paging.h"
#include "api/v2/resources.h"
#include "api/v2/server_folder.h"
#include "core/connectors/share_service.h"

namespace coffer::api {

namespace v2 {

struct FolderChoice {
  std::string name;
  std::string path;
};
BOOST_DESCRIBE_STRUCT(FolderChoice, (), (name, path))

struct FolderParameters {
  std::optional<ServerFolder> path;
  std::optional<ListLimit> limit;
  std::optional<ListCursor> cursor;
};
BOOST_DESCRIBE_STRUCT(FolderParameters, (), (path, limit, cursor))

}  // namespace v2

template <>
struct Docs<v2::FolderChoice> {
  static constexpr std::string_view name = "FolderChoice";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"name", "Its name; of one of share_roots its whole path.", R"("team")"},
      {"path", "Its absolute path on the server.", R"("/srv/team")"},
  }};
};

template <>
struct Docs<v2::FolderParameters> {
  static constexpr auto fields =
      joined(std::array<FieldDoc, 1>{{
                 {"path",
                  "A folder by its absolute path, beneath the setting share_roots; without it, the "
                  "folders of that setting are listed.",
                  R"("/srv")"},
             }},
             kPageFields);
};

namespace v2 {
namespace {

Task<Result<std::vector<FolderChoice>>> choices_in(core::ShareRoots& share_roots,
                                                   std::optional<ServerFolder> folder) {
  std::vector<FolderChoice> choices;
  if (!folder) {
    const auto roots = share_roots.roots();
    if (!roots) co_return failure_of(roots);
    for (const std::string& root : *roots) choices.push_back({root, root});
    co_return choices;
  }
  const auto names = co_await share_roots.folders_in(folder->value);
  if (!names) co_return failure_of(names);
  const std::string above = folder->value == "/" ? "" : folder->value;
  for (const std::string& name : *names) choices.push_back({name, above + '/' + name});
  co_return choices;
}

Task<Result<Answer<Page<FolderChoice>>>> list_folder_choices(Call call, FolderParameters parameters,
                                                             NoBody) {
  auto choices = co_await choices_in(call.services.share_roots, std::move(parameters.path));
  if (!choices) co_return failure_of(std::move(choices));
  co_return Answer<Page<FolderChoice>>{
      page_of(*std::move(choices), parameters.limit, parameters.cursor,
              [](const FolderChoice& choice) { return choice.name; })};
}

}  // namespace

std::vector<Route> admin_folder_routes() {
  Route list{http::Method::get, "/api/v2/admin/folders", "listServerFolders",
             "List folders of the server that can be shared",
             "By name, in parts. Only beneath the setting share_roots: 403 where that names none, "
             "and for other folders. Links that lead out of them are not followed."};
  list.rule = CallerRule::administrator;
  list.errors = {404};
  return {json_route(list, &list_folder_choices)};
}

}  // namespace v2
}  // namespace coffer::api
