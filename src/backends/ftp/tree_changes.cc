#include "backends/ftp/tree_changes.h"

#include <algorithm>

#include "backends/ftp/names.h"
#include "backends/ftp/walk.h"
#include "base/ascii.h"
#include "storage/partial_name.h"

namespace coffer::ftp {
namespace {

bool is_not_found(const Error& error) {
  return error.code == ErrorCode::not_found;
}

/// On a server that does not tell case, the new name shows the item itself: the listing tells.
Result<bool> is_same_item(Session session, const Path& from, const Path& to) {
  if (from == to) return true;
  if (!equal_ignoring_case(from.str(), to.str())) return false;
  const auto items = list_all_items(session, to.parent());
  if (!items) return failure_of(items);
  return std::ranges::find(*items, to.name(), &FtpItem::name) == items->end();
}

Result<void> make_one(Session session, const Path& folder) {
  auto& connection = session.connection;
  const auto made = connection.command("MKD " + connection.place(folder));
  if (!made && is_still_there(session, folder).value_or(false)) return {};
  if (!made) return failure_of(made);
  if (made->ok()) return {};
  return std::unexpected(explain(session, folder, *made));
}

/// What is left of a removal that failed must not stay hidden. It gets its name again, or one that
/// shows where that is taken. Once over a new connection, if need be.
bool show_again(Session session, const Path& hidden, const Path& folder) {
  if (!session.connection.ready()) return false;
  if (move_verified(session, hidden, folder)) return true;
  return session.connection.connected() &&
         move_verified(session, hidden, storage::backup_of(folder));
}

Error unknown(Error error) {
  return {error.code, "The FTP server was lost during the removal: the folder may be removed."};
}

/// Out of sight in one step, which also decides between two that remove it; then bit by bit.
Result<storage::TreeSize> remove_folder(Session session, const Path& folder) {
  const Path hidden = storage::partial_beside(folder);
  if (auto moved = move_verified(session, folder, hidden); !moved) {
    return std::unexpected(session.connection.connected() ? moved.error() : unknown(moved.error()));
  }
  storage::TreeSize size{.folders = 1};
  const auto deleted = delete_folder(session, hidden, size);
  if (deleted) return size;
  if (show_again(session, hidden, folder)) return failure_of(deleted);
  // Where it cannot be shown again it is as good as removed, and the rest of it goes behind.
  session.server.discard(hidden);
  return size;
}

Result<void> make_missing(Session session, const Path& folder, std::vector<Path>& made) {
  const auto item = metadata_of(session, folder);
  if (item && item->kind == Kind::folder) return {};
  if (item) return fail(ErrorCode::invalid, "A file is where a folder is needed.");
  if (!is_not_found(item.error())) return failure_of(item);
  if (auto above = make_missing(session, folder.parent(), made); !above) return above;
  if (auto one = make_one(session, folder); !one) return one;
  made.push_back(folder);
  return {};
}

}  // namespace

Result<void> make_folders(Session session, const Path& folder) {
  if (folder.is_root()) return std::unexpected(name_taken());
  const std::lock_guard lock(session.server.names);
  if (auto free = need_free_name(session, folder); !free) return free;
  std::vector<Path> made;
  auto done = make_missing(session, folder.parent(), made);
  if (done) done = make_one(session, folder);
  if (done) return {};
  if (!session.connection.ready()) return done;
  for (; !made.empty(); made.pop_back()) {
    // Another may have put something into it meanwhile: then it stays, and so do those above.
    auto& connection = session.connection;
    const auto gone = connection.command("RMD " + connection.place(made.back()));
    if (!gone || !gone->ok()) break;
  }
  return done;
}

Result<void> rename_item(Session session, const Path& from, const Path& to) {
  const std::lock_guard lock(session.server.names);
  const auto item = metadata_of(session, from);
  if (!item) return failure_of(item);
  if (is_hidden(*item)) return std::unexpected(no_such_item());
  if (to != from && to.is_within(from)) {
    return fail(ErrorCode::invalid, "A folder cannot go into itself.");
  }
  const auto same = is_same_item(session, from, to);
  if (!same) return failure_of(same);
  if (!*same) {
    if (auto free = need_free_name(session, to); !free) return free;
  }
  if (from == to) return {};
  return move_verified(session, from, to);
}

Result<storage::TreeSize> remove_item(Session session, const Path& path) {
  const auto item = metadata_of(session, path);
  if (!item) return failure_of(item);
  if (is_hidden(*item)) return std::unexpected(no_such_item());
  auto& connection = session.connection;
  // A folder that can be deleted like a file is a link, whose target must stay.
  const auto gone = connection.command("DELE " + connection.place(path));
  // Where the answer was lost, the server tells whether it was done.
  if (!gone && is_still_there(session, path).value_or(true)) return failure_of(gone);
  if (!gone || gone->ok()) {
    if (item->kind == Kind::folder) return storage::TreeSize();
    return storage::TreeSize{item->size_bytes, 1, 0};
  }
  if (item->kind == Kind::folder) return remove_folder(session, path);
  const auto still = metadata_of(session, path);
  if (!still) return failure_of(still);
  return std::unexpected(reply_error(*gone, refused_item()));
}

}  // namespace coffer::ftp
