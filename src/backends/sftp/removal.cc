#include "backends/sftp/removal.h"

#include <algorithm>

#include "backends/sftp/lost_reply.h"
#include "base/log.h"

namespace coffer::sftp {
namespace {

constexpr std::size_t kRemovedAtOnce = 64;
/// Times that a tree is read if others take it apart at the same time.
constexpr int kReadings = 3;

using Refusal = std::optional<Error>;

std::unexpected<Error> fail_changing() {
  return fail(ErrorCode::refused, "The folder is being changed by somebody else.");
}

/// Deletes some items of the tree, the last first. One that is gone already needs nothing.
Result<Refusal> remove_some(const SftpRemote& remote, const Tree& tree, const std::string& top,
                            std::size_t begin, std::size_t end) {
  auto& connection = remote.connection();
  Connection::Batch batch(connection);
  for (; end > begin; --end) {
    const bool is_folder = tree.items()[end - 1].attributes.is_folder();
    const auto type = is_folder ? PacketType::rmdir : PacketType::remove;
    batch.begin(type).text(tree.place_of(end - 1, top));
  }
  const auto asked = batch.send();
  if (!asked) return failure_of(asked);
  Refusal refusal;
  for (const auto& each : *asked) {
    const auto reply = connection.wait(each, connection.deadlines().reply);
    if (!reply) return failure_of(reply);
    const auto status = status_of(*reply);
    if (status || status.error().code == ErrorCode::not_found) continue;
    if (!refusal) refusal = status.error();
  }
  return refusal;
}

Result<storage::TreeSize> remove_file(Server& server, const SftpRemote& remote,
                                      const std::string& place, const Attributes& item) {
  auto removed = remote.remove_file(place);
  // Whether a request whose answer was lost was done, shows on the server.
  if (!removed && !remote.connection().is_alive()) {
    const auto look = [&](const SftpRemote& other) { return other.lstat(place); };
    const auto left = server.retry_on_new_connection(look);
    if (!left && left.error().code == ErrorCode::not_found) removed = {};
  }
  if (!removed) return failure_of(removed);
  if (!item.is_file()) return storage::TreeSize();
  return storage::TreeSize{.bytes = item.size_bytes.value_or(0), .files = 1};
}

/// While others may change it; `not_found` only if it is gone itself.
Result<Tree> read_changing(const SftpRemote& remote, const std::string& place,
                           const Attributes& item) {
  for (int readings = 0; readings < kReadings; ++readings) {
    auto tree = Tree::read(remote, place, item);
    if (tree || tree.error().code != ErrorCode::not_found) return tree;
    if (const auto left = remote.lstat(place); !left) return failure_of(left);
  }
  return fail_changing();
}

/// In sight again, under another name where its own was taken meanwhile.
void bring_back(Server& server, const std::string& hidden, const std::string& place) {
  if (rename_what_is_there(server, hidden, place)) return;
  if (rename_what_is_there(server, hidden, aside_beside(place))) return;
  spdlog::error("A part of a folder that was to be deleted stays on a remote server: {}", hidden);
}

/// Takes apart what is hidden.
Result<void> finish_removal(Server& server, const Tree& tree, const std::string& hidden,
                            const std::string& place) {
  const auto removed = remove_tree(server, tree, hidden);
  if (!removed) spdlog::warn("Deleted items stay on a remote server for a while: {}", hidden);
  if (!removed || !*removed) return {};
  // Something may have been put into it after it was read.
  const auto rest = remove_at(server, hidden);
  if (rest && !*rest) return {};
  bring_back(server, hidden, place);
  return fail((*removed)->code, "The remote server refused to delete a part of the folder.");
}

Result<void> hide(Server& server, const SftpRemote& remote, const std::string& place,
                  const std::string& hidden) {
  const auto held = server.hold({place});
  const auto item = remote.lstat(place);
  if (!item) return failure_of(item);
  if (!item->is_folder()) return fail_changing();
  const auto moved = rename_surely(server, remote, place, hidden);
  if (!moved && is_outage(moved.error())) {
    spdlog::error("A folder on a remote server may be named {} now.", hidden);
  }
  return moved;
}

Result<storage::TreeSize> remove_folder(Server& server, const SftpRemote& remote,
                                        const std::string& place, const Tree& tree) {
  const auto hidden = partial_beside(place);
  if (const auto moved = hide(server, remote, place, hidden); !moved) return failure_of(moved);
  if (const auto done = finish_removal(server, tree, hidden, place); !done) return failure_of(done);
  return tree.size();
}

}  // namespace

Result<storage::TreeSize> remove_item(Server& server, const Lookup& lookup,
                                      const SftpRemote& remote, const Path& path) {
  if (path.is_root()) return fail(ErrorCode::forbidden, "The root cannot be deleted.");
  const auto found = lookup.find_itself(remote, path);
  if (!found) return failure_of(found);
  const auto& place = found->place;
  if (!found->attributes.is_folder()) {
    const auto held = server.hold({place});
    const auto item = remote.lstat(place);
    if (!item) return failure_of(item);
    if (!item->is_folder()) return remove_file(server, remote, place, *item);
  }
  // Nothing is begun with a folder that cannot be read.
  const auto tree = read_changing(remote, place, found->attributes);
  if (!tree) return failure_of(tree);
  return remove_folder(server, remote, place, *tree);
}

Result<Refusal> remove_tree(Server& server, const Tree& tree, const std::string& top) {
  Refusal refusal;
  auto end = tree.items().size();
  const auto work = [&](const SftpRemote& remote) -> Result<void> {
    while (end > 0) {
      // What is in a folder stands behind it, and the server takes requests in their order.
      if (auto on = go_on(remote.connection().deadlines()); !on) return on;
      const auto begin = end - std::min(end, kRemovedAtOnce);
      const auto removed = remove_some(remote, tree, top, begin, end);
      if (!removed) return failure_of(removed);
      if (!refusal) refusal = *removed;
      end = begin;
    }
    return {};
  };
  if (const auto done = server.retry_on_new_connection(work); !done) return failure_of(done);
  return refusal;
}

Result<Refusal> remove_at(Server& server, const std::string& top) {
  const auto look = [&](const SftpRemote& remote) -> Result<Tree> {
    const auto item = remote.lstat(top);
    if (!item) return failure_of(item);
    return Tree::read(remote, top, *item);
  };
  const auto tree = server.retry_on_new_connection(look);
  if (tree) return remove_tree(server, *tree, top);
  if (tree.error().code == ErrorCode::not_found) return Refusal();
  if (is_outage(tree.error())) return failure_of(tree);
  return Refusal(tree.error());
}

}  // namespace coffer::sftp
