#include "backends/rclone/look.h"

#include <boost/json.hpp>
#include <chrono>
#include <utility>

#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

constexpr auto kPartialIsOldAfter = std::chrono::days(2);

std::unexpected<Error> not_a_folder() {
  return fail(ErrorCode::invalid, "A file is where a folder is needed.");
}

bool is_not_found(const Error& error) {
  return error.code == ErrorCode::not_found;
}

json::object brief() {
  return {{"noMimeType", true}};
}

std::string_view text_in(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string())
                                                : std::string_view();
}

Item item_from(const json::object& object) {
  Item item{.path = std::string(text_in(object, "Path"))};
  const json::value* is_folder = object.if_contains("IsDir");
  item.is_folder = is_folder != nullptr && is_folder->is_bool() && is_folder->get_bool();
  const json::value* size = object.if_contains("Size");
  if (size != nullptr && size->is_int64() && size->get_int64() >= 0) {
    item.size_bytes = static_cast<std::uint64_t>(size->get_int64());
  }
  item.modified_at = parse_rfc3339(text_in(object, "ModTime")).value_or(Timestamp());
  return item;
}

/// A listing that is empty, or not to be had, leaves open what the path is.
Task<Result<void>> check_folder(Remote& remote, const Path& folder) {
  if (folder.is_root() && remote.place(folder).empty()) co_return Result<void>{};
  co_return co_await need_folder(remote, folder);
}

void sweep(Remote& remote, const Path& folder, const Item& item) {
  const auto since = storage::partial_since(item.name());
  if (since && now() - *since > kPartialIsOldAfter) {
    remote.discard(folder / Path::parse(item.name()).value());
  }
}

/// Adds up items of a tree as they are told.
class Adder {
 public:
  Adder(TreeLook& tree, std::string top) : tree_(tree), top_(std::move(top)) {}

  void add(const Item& item) {
    const std::string_view path = item.path;
    const bool is_beneath =
        top_.empty() || (path.starts_with(top_) && path.substr(top_.size()).starts_with('/'));
    const auto parsed = Path::parse(path);
    const std::string_view above = path.substr(0, path.size() - item.name().size());
    // What a listing leaves out, a move would lose.
    const bool is_listed = is_sane(item, above.substr(0, above.rfind('/')));
    if (!is_beneath || !is_listed || !parsed || parsed->str() != path) {
      tree_.is_plain = false;
      return;
    }
    if (hides(path.substr(top_.size()), item.size_bytes == 0)) return;
    if (item.is_folder) {
      ++tree_.size.folders;
      return;
    }
    ++tree_.size.files;
    tree_.size.bytes += item.size_bytes.value_or(0);
    if (!item.size_bytes) tree_.is_plain = false;
  }

 private:
  /// True if the item or a folder on the way has a hidden name. A marker is nothing that a copy
  /// would have to take along, unless there is something in it.
  bool hides(std::string_view below, bool is_empty) {
    const auto rest = Path::parse(below);
    for (const std::string_view name : rest->components()) {
      if (!storage::is_hidden_name(name)) continue;
      if (name != storage::kFolderMarker || !is_empty) tree_.is_plain = false;
      return true;
    }
    return false;
  }

  TreeLook& tree_;
  const std::string top_;
};

}  // namespace

Error no_such_item() {
  return {ErrorCode::not_found, "There is no such file or folder."};
}

Error name_taken() {
  return {ErrorCode::exists, "The name is taken."};
}

namespace {

/// What operations/stat tells, of files or of folders alone: for a folder it lists what is beside.
Task<Result<std::optional<Item>>> stat_as(Remote& remote, const Path& path, std::string_view only) {
  json::object how = brief();
  how[only] = true;
  json::object parameters{
      {"fs", remote.fs()}, {"remote", remote.place(path)}, {"opt", std::move(how)}};
  const auto answer = co_await remote.call("operations/stat", std::move(parameters));
  if (!answer && is_not_found(answer.error())) co_return std::nullopt;
  if (!answer) co_return failure_of(answer);
  const json::value* item = answer->if_contains("item");
  if (item == nullptr || !item->is_object()) co_return std::nullopt;
  co_return item_from(item->get_object());
}

/// False if there is certainly no such folder: most names that are asked for are new, and a listing
/// of nothing costs less than one of all that is beside it.
Task<Result<bool>> may_be_folder(Remote& remote, const Path& path) {
  if (remote.knows_folder(path)) co_return true;
  bool has_items = false;
  auto look_at_one = [&](const Item& /*item*/) -> Result<void> {
    has_items = true;
    return std::unexpected(no_such_item());
  };
  auto listed = co_await remote.list(path, brief(), std::move(look_at_one));
  if (has_items || listed) co_return true;
  if (is_not_found(listed.error())) co_return false;
  co_return failure_of(std::move(listed));
}

/// Some servers have no word for what is below a file: then what is above tells.
Task<bool> is_below_file(Remote& remote, const Path& path) {
  if (path.parent().is_root()) co_return false;
  const auto above = co_await look(remote, path.parent());
  if (above) co_return !above->is_folder;
  co_return is_not_found(above.error());
}

Task<Result<Item>> look_at(Remote& remote, const Path& path) {
  auto file = co_await stat_as(remote, path, "filesOnly");
  if (!file) co_return failure_of(std::move(file));
  if (*file) co_return **std::move(file);
  const auto may_be = co_await may_be_folder(remote, path);
  if (!may_be) co_return failure_of(may_be);
  if (!*may_be) co_return std::unexpected(no_such_item());
  auto folder = co_await stat_as(remote, path, "dirsOnly");
  if (!folder) co_return failure_of(std::move(folder));
  if (!*folder) co_return std::unexpected(no_such_item());
  remote.note_folder(path);
  co_return **std::move(folder);
}

}  // namespace

Task<Result<Item>> look(Remote& remote, const Path& path) {
  const std::string place = remote.place(path);
  if (place == remote.place({})) co_return Item{.path = place, .is_folder = true};
  auto item = co_await look_at(remote, path);
  if (item || item.error().code != ErrorCode::refused) co_return item;
  const bool is_missing = co_await is_below_file(remote, path);
  if (is_missing) co_return std::unexpected(no_such_item());
  co_return item;
}

Task<Result<std::optional<Item>>> find(Remote& remote, const Path& path) {
  auto item = co_await look(remote, path);
  if (item) co_return *std::move(item);
  if (is_not_found(item.error())) co_return std::nullopt;
  co_return failure_of(std::move(item));
}

Task<Result<void>> need_folder(Remote& remote, const Path& folder) {
  if (remote.knows_folder(folder)) co_return Result<void>{};
  const auto item = co_await look(remote, folder);
  if (!item) co_return failure_of(item);
  if (!item->is_folder) co_return not_a_folder();
  co_return Result<void>{};
}

Task<Result<void>> need_free_name(Remote& remote, const Path& path) {
  const auto item = co_await find(remote, path);
  if (!item) co_return failure_of(item);
  if (*item) co_return std::unexpected(name_taken());
  co_return co_await need_folder(remote, path.parent());
}

Task<Result<std::vector<Item>>> list_items(Remote& remote, const Path& folder) {
  std::vector<Item> items;
  const std::string place = remote.place(folder);
  auto take = [&](Item item) -> Result<void> {
    if (is_sane(item, place)) items.push_back(std::move(item));
    return {};
  };
  auto listed = co_await remote.list(folder, brief(), std::move(take));
  const bool is_clear =
      listed || is_not_found(listed.error()) || listed.error().code == ErrorCode::refused;
  if (!is_clear) co_return failure_of(std::move(listed));
  if (listed && !items.empty()) co_return items;
  auto checked = co_await check_folder(remote, folder);
  if (!checked) co_return failure_of(std::move(checked));
  if (!listed) co_return failure_of(std::move(listed));
  co_return items;
}

Task<Result<std::vector<storage::Entry>>> list_folder(Remote& remote, const Path& folder) {
  const auto items = co_await list_items(remote, folder);
  if (!items) co_return failure_of(items);
  std::vector<storage::Entry> entries;
  entries.reserve(items->size());
  for (const Item& item : *items) {
    if (storage::is_hidden_name(item.name())) {
      sweep(remote, folder, item);
    } else {
      entries.push_back(entry_of(item));
    }
  }
  co_return entries;
}

Task<Result<TreeLook>> look_through(Remote& remote, const Path& path) {
  const auto item = co_await look(remote, path);
  if (!item) co_return failure_of(item);
  TreeLook tree;
  if (!item->is_folder) {
    tree.size = {item->size_bytes.value_or(0), 1, 0};
    tree.is_plain = item->size_bytes.has_value();
    co_return tree;
  }
  tree.size.folders = 1;
  Adder adder(tree, remote.place(path));
  auto take = [&](const Item& one) -> Result<void> {
    adder.add(one);
    return storage::go_on(remote.options.deadlines);
  };
  json::object all{{"noMimeType", true}, {"recurse", true}};
  auto listed = co_await remote.list(path, std::move(all), std::move(take));
  // A provider that knows only files tells nothing of a folder without any.
  if (!listed && !is_not_found(listed.error())) co_return failure_of(std::move(listed));
  co_return tree;
}

}  // namespace coffer::rclone
