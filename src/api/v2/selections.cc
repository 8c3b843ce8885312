#include "catalog/selections.h"

#include <string>
#include <utility>
#include <vector>

#include "api/v2/route.h"
#include "core/files/selected_items.h"

namespace coffer::api::v2 {
namespace {

using SelectedPaths = ListOf<NonEmpty<SourcePath>, 10'000>;

struct WantedSelection {
  static constexpr std::size_t kBodyBytes = 1024 * 1024;
  FIELD(std::optional<Path>, folder,
        "The folder that the items are in; by default the root. Their paths are relative to it.",
        R"("holiday")");
  FIELD(SelectedPaths, items,
        "The next items, 1 to 10,000 in a request: paths, or for restore identifiers in the bin. "
        "The whole body has at most 1 MB.",
        R"(["photo.jpg", "film.mp4"])");
};

struct SelectionDetails {
  static constexpr std::string_view kSchema = "Selection";
  FIELD(std::string, id, "Identifier, used by archives and tasks.",
        R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")");
  FIELD(std::uint64_t, count, "The number of its items.", "1200");
  FIELD(Timestamp, expiresAt, "When it is gone, if it is not used or added to. UTC.",
        R"("2026-11-21T06:29:09")");
};

Task<Result<Answer<SelectionDetails>>> add(Call call, std::optional<SelectionId> to,
                                           WantedSelection wanted) {
  const core::Principal& principal = call.principal();
  if (to && principal.scope) {
    // One that was made by a wider key is none of its own.
    core::SelectedItems present(call.services.selections, principal, *to);
    CO_TRY(const auto first, co_await present.next());
    if (!first) co_return core::no_such_selection();
  }
  const std::string folder = principal.whole(wanted.folder.value_or(Path())).str();
  std::vector<std::string> items;
  for (auto& item : wanted.items.items) items.push_back(item.value.value.str());
  CO_TRY(const auto made, co_await call.services.selections.add(
                              principal.account->id, std::move(to), folder, std::move(items)));
  co_return Answer<SelectionDetails>{{made.id.value, made.count, made.expires_at}};
}

Task<Result<Answer<SelectionDetails>>> make_selection(Call call, NoParameters,
                                                      WantedSelection body) {
  co_return co_await add(std::move(call), std::nullopt, std::move(body));
}

Task<Result<Answer<SelectionDetails>>> add_to_selection(Call call, EntryParameters parameters,
                                                        WantedSelection body) {
  std::optional<SelectionId> id = SelectionId{std::move(parameters.id.value)};
  co_return co_await add(std::move(call), std::move(id), std::move(body));
}

}  // namespace

std::vector<Route> selection_routes() {
  using http::Method;
  return {
      json_route(
          Route(Method::post, "/api/v2/selections", "makeSelection",
                "Name items that one request cannot carry",
                "A selection has up to 100,000 items, sent in several requests. An archive or a "
                "task then takes its id in place of paths. It is kept for 15 minutes after the "
                "last request; a task takes it over. An account has at most 8 that wait: the "
                "oldest goes for a new one. The items are looked at when they are used.",
                CallerRule::files, 201, {507}),
          &make_selection),
      json_route(Route(Method::post, "/api/v2/selections/{id}", "addToSelection",
                       "Add items to a selection",
                       "They come behind those that it has. 404: it has expired, or a task has it.",
                       CallerRule::files, 200, {404, 507}),
                 &add_to_selection)};
}

}  // namespace coffer::api::v2
