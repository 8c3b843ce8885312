#include "backends/remote/testing/scripted_adapter.h"

#include <algorithm>

#include "base/text.h"

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
  const auto is_asked_for = [&](const auto& item) {
    return item.first == place || (folds_case && equal_ignoring_case(item.first, place));
  };
  const auto found = std::ranges::find_if(items, is_asked_for);
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

Result<void> ScriptedAdapter::move_now(const ServerPath& from, const ServerPath& to) {
  if (!items.contains(from)) return fail_missing();
  std::map<ServerPath, Item> moved;
  for (const auto& [place, item] : items) {
    if (place != from && !is_beneath(place, from)) continue;
    const ServerPath there = to + place.substr(from.size());
    moved[there] = item;
    moved[there].name = name_of(there);
  }
  std::erase_if(
      items, [&](const auto& item) { return item.first == from || is_beneath(item.first, from); });
  for (auto& [place, item] : moved) items.insert_or_assign(place, std::move(item));
  return {};
}

Task<Result<void>> ScriptedAdapter::move(const ServerPath& from, const ServerPath& to,
                                         Kind /*kind*/) {
  co_return change("move", from + ' ' + to, [&] { return move_now(from, to); });
}

Task<Result<void>> ScriptedAdapter::replace(const ServerPath& from, const ServerPath& to,
                                            const Item* /*old*/) {
  const auto work = [&]() -> Result<void> {
    if (items.contains(to) && can.replaces != Replaces::surely) return fail_taken();
    return move_now(from, to);
  };
  co_return change("replace", from + ' ' + to, work);
}

Task<Result<void>> ScriptedAdapter::link(const ServerPath& from, const ServerPath& to) {
  const auto work = [&]() -> Result<void> {
    if (!items.contains(from)) return fail_missing();
    if (items.contains(to)) return fail_taken();
    put(to, Kind::file, size_of(from));
    return {};
  };
  co_return change("link", from + ' ' + to, work);
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

Task<Result<std::uint64_t>> ScriptedAdapter::copy_file(const ServerPath& from, const ServerPath& to,
                                                       const Item& item,
                                                       std::uint64_t /*limit_bytes*/,
                                                       storage::CopyWatch& /*watch*/) {
  const auto work = [&]() -> Result<void> {
    put(to, Kind::file, item.size_bytes);
    return {};
  };
  CO_TRY_VOID(change("copy_file", from + ' ' + to, work));
  co_return item.size_bytes;
}

Task<Result<void>> ScriptedAdapter::set_time(const ServerPath& folder, Timestamp time) {
  const auto work = [&]() -> Result<void> {
    items.at(folder).modified_at = time;
    return {};
  };
  co_return change("set_time", folder, work);
}

FinishedWriter::FinishedWriter(ScriptedAdapter& adapter, const std::string& name,
                               std::uint64_t size_bytes)
    : PartialWriter(Path::parse(name).value(), partial_beside(name), {}) {
  written_bytes_ = size_bytes;
  adapter.put(staged(), Kind::file, size_bytes);
}

Task<Result<void>> FinishedWriter::write(std::span<const std::byte> /*data*/) {
  co_return Result<void>();
}

Task<Result<void>> FinishedWriter::finish() {
  co_return Result<void>();
}

}  // namespace coffer::remote
