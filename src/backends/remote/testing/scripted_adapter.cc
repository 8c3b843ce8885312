#include "backends/remote/testing/scripted_adapter.h"

namespace coffer::remote {

void ScriptedAdapter::put(const ServerPath& place, Kind kind, std::uint64_t size_bytes) {
  items[place] = {.name = std::string(name_of(place)), .kind = kind, .size_bytes = size_bytes};
}

Result<void> ScriptedAdapter::change(std::string_view call, std::string_view on,
                                     const std::function<Result<void>()>& work) {
  const auto answer = script(call, on);
  is_unsure_ = answer && (answer->is_done || answer->code == ErrorCode::unavailable);
  if (!answer) return work();
  if (answer->is_done) static_cast<void>(work());
  return fail(answer->code, "As the script says.");
}

Task<Result<std::optional<Item>>> ScriptedAdapter::find(const ServerPath& place, Look /*look*/) {
  const auto answered = change("find", place, [] { return Result<void>(); });
  if (!answered) co_return failure_of(answered);
  const auto found = items.find(place);
  if (found == items.end()) co_return std::nullopt;
  co_return found->second;
}

Task<Result<std::vector<Item>>> ScriptedAdapter::list(const ServerPath& folder) {
  const auto answered = change("list", folder, [] { return Result<void>(); });
  if (!answered) co_return failure_of(answered);
  std::vector<Item> listed;
  for (const auto& [place, item] : items) {
    if (!place.empty() && parent_of(place) == folder) listed.push_back(item);
  }
  co_return listed;
}

Task<Result<void>> ScriptedAdapter::make_folder(const ServerPath& folder) {
  const auto work = [&]() -> Result<void> {
    put(folder, Kind::folder);
    return {};
  };
  co_return change("make_folder", folder, work);
}

Task<Result<void>> ScriptedAdapter::move(const ServerPath& from, const ServerPath& to,
                                         Kind /*kind*/) {
  const auto work = [&]() -> Result<void> {
    if (!items.contains(from)) return fail_missing();
    std::map<ServerPath, Item> moved;
    for (const auto& [place, item] : items) {
      if (place != from && !is_beneath(place, from)) continue;
      const ServerPath there = to + place.substr(from.size());
      moved[there] = item;
      moved[there].name = name_of(there);
    }
    std::erase_if(items, [&](const auto& item) {
      return item.first == from || is_beneath(item.first, from);
    });
    for (auto& [place, item] : moved) items.insert_or_assign(place, std::move(item));
    return {};
  };
  co_return change("move", from + ' ' + to, work);
}

Task<Result<void>> ScriptedAdapter::remove_file(const ServerPath& file, Kind /*shown_as*/) {
  const auto work = [&]() -> Result<void> {
    if (items.erase(file) == 0) return fail_missing();
    return {};
  };
  co_return change("remove_file", file, work);
}

Task<Result<void>> ScriptedAdapter::remove_tree(const ServerPath& top,
                                                const std::vector<TreeItem>& /*items*/) {
  const auto work = [&]() -> Result<void> {
    std::erase_if(
        items, [&](const auto& item) { return item.first == top || is_beneath(item.first, top); });
    return {};
  };
  co_return change("remove_tree", top, work);
}

}  // namespace coffer::remote
