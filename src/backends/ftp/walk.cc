#include "backends/ftp/walk.h"

#include <utility>

#include "storage/partial_name.h"

namespace coffer::ftp {
namespace {

class Sum {
 public:
  explicit Sum(Session session) : session_(session), walk_(session.server.options->walk) {}

  Result<void> add(const Path& folder, std::size_t depth) {
    auto items = walk_.list(session_, folder, depth);
    if (!items) return failure_of(items);
    ++size_.folders;
    for (const auto& item : *items) {
      if (!is_complete(item) || item.kind == Kind::folder) continue;
      ++size_.files;
      size_.bytes += item.size_bytes;
    }
    for (const auto& item : folders_of(std::move(*items))) {
      auto below = add(folder / Path::parse(item.name).value(), depth + 1);
      if (!below) return below;
    }
    return {};
  }
  const storage::TreeSize& size() const { return size_; }

 private:
  const Session session_;
  Walk walk_;
  storage::TreeSize size_;
};

class Deletion {
 public:
  Deletion(Session session, storage::TreeSize& size)
      : session_(session), walk_(session.server.options->walk), size_(size) {}

  Result<void> run(const Path& path, const FtpItem& item) {
    const auto is_folder = remove(path, item);
    if (!is_folder) return failure_of(is_folder);
    return *is_folder ? empty(path, 0) : Result<void>();
  }

  /// Removes a folder and all in it.
  Result<void> empty(const Path& folder, std::size_t depth) {
    auto below = remove_items(folder, depth);
    if (!below) return failure_of(below);
    for (const auto& name : *below) {
      auto emptied = empty(folder / Path::parse(name).value(), depth + 1);
      if (!emptied) return emptied;
    }
    auto& connection = session_.connection;
    const auto gone = connection.command("RMD " + connection.place(folder));
    if (!gone) return failure_of(gone);
    if (!gone->ok()) return std::unexpected(reply_error(*gone, refused_item()));
    if (!storage::is_hidden_name(folder.name())) ++size_.folders;
    return {};
  }

 private:
  /// Returns the names of the folders that are left.
  Result<std::vector<std::string>> remove_items(const Path& folder, std::size_t depth) {
    const auto items = walk_.list(session_, folder, depth);
    if (!items) return failure_of(items);
    std::vector<std::string> folders;
    for (const auto& item : *items) {
      if (auto on = go_on(session_.server.options->deadlines); !on) return failure_of(on);
      const auto is_folder = remove(folder / Path::parse(item.name).value(), item);
      if (!is_folder) return failure_of(is_folder);
      if (*is_folder) folders.push_back(item.name);
    }
    return folders;
  }

  /// Removes one item, unless it is a folder: true for that. A folder that can be deleted like a
  /// file is a link, whose target must stay.
  Result<bool> remove(const Path& path, const FtpItem& item) {
    auto& connection = session_.connection;
    const auto gone = connection.command("DELE " + connection.place(path));
    if (!gone) return failure_of(gone);
    if (!gone->ok() && item.kind == Kind::folder) return true;
    if (!gone->ok()) {
      const auto still = find(session_, path);
      if (!still || *still) return std::unexpected(reply_error(*gone, refused_item()));
    } else if (is_complete(item) && item.kind == Kind::file) {
      ++size_.files;
      size_.bytes += item.size_bytes;
    }
    return false;
  }

  const Session session_;
  Walk walk_;
  storage::TreeSize& size_;
};

}  // namespace

Result<std::vector<FtpItem>> Walk::list(Session session, const Path& folder, std::size_t depth) {
  if (auto entered = budget_.enter(depth); !entered) return failure_of(entered);
  if (auto on = go_on(session.server.options->deadlines); !on) return failure_of(on);
  auto items = list_all_items(session, folder);
  if (!items) return items;
  std::size_t name_bytes = 0;
  for (const auto& item : *items) name_bytes += item.name.size();
  if (auto spent = budget_.spend(items->size(), name_bytes); !spent) return failure_of(spent);
  return items;
}

std::vector<FtpItem> folders_of(std::vector<FtpItem> items) {
  std::erase_if(
      items, [](const FtpItem& item) { return item.kind != Kind::folder || !is_complete(item); });
  items.shrink_to_fit();
  return items;
}

Result<storage::TreeSize> measure_item(Session session, const Path& path) {
  const auto entry = stat_item(session, path);
  if (!entry) return failure_of(entry);
  if (!entry->is_directory) return storage::TreeSize{entry->size_bytes, 1, 0};
  Sum sum(session);
  if (auto added = sum.add(path, 0); !added) return failure_of(added);
  return sum.size();
}

Result<void> delete_tree(Session session, const Path& path, storage::TreeSize& size) {
  const auto item = find(session, path);
  if (!item) return failure_of(item);
  if (!*item) return {};
  return Deletion(session, size).run(path, **item);
}

Result<void> delete_folder(Session session, const Path& folder, storage::TreeSize& size) {
  return Deletion(session, size).empty(folder, 0);
}

}  // namespace coffer::ftp
