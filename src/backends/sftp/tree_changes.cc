#include "backends/sftp/tree_changes.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <vector>

#include "backends/sftp/lost_reply.h"
#include "base/log.h"

namespace coffer::sftp {
namespace {

bool is_missing(const Error& error) {
  return error.code == ErrorCode::not_found;
}

Result<void> make_one(const Lookup& lookup, const SftpRemote& remote, const Path& folder) {
  const auto found = lookup.find_name(remote, folder);
  if (!found) return failure_of(found);
  auto made = remote.make_folder(found->place);
  // The protocol has one code for all that went wrong.
  if (!made && remote.lstat(found->place)) return fail_taken();
  return made;
}

void rollback(const Lookup& lookup, const SftpRemote& remote, const std::vector<Path>& made) {
  for (const Path& folder : std::views::reverse(made)) {
    const auto found = lookup.find_name(remote, folder);
    if (!found || !remote.remove_folder(found->place)) return;
  }
}

/// True for a name that differs in case alone on a server for which that is the same name.
Result<bool> is_other_case(const SftpRemote& remote, const Found& from, const Found& to) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  if (!std::ranges::equal(from.place, to.place, {}, lower, lower)) return false;
  const auto listed = remote.list(to.place.substr(0, to.place.rfind('/') + 1));
  if (!listed) return failure_of(listed);
  return std::ranges::find(*listed, to.names.back(), &Listed::name) == listed->end();
}

/// In between it has a name that shows and that is never swept: should it come to stay so, its
/// owner finds it.
Result<void> rename_over_itself(Server& server, const SftpRemote& remote, const Found& from,
                                const Found& to) {
  const auto between = aside_beside(from.place);
  auto moved = rename_surely(server, remote, from.place, between);
  if (moved) moved = rename_what_is_there(server, between, to.place);
  if (moved) return {};
  if (!rename_what_is_there(server, between, from.place)) {
    spdlog::error("An item on a remote server may be named {} now.", between);
  }
  return moved;
}

Result<void> rename_to_free(Server& server, const SftpRemote& remote, const Found& from,
                            const Found& to) {
  if (remote.lstat(to.place)) {
    const auto same = is_other_case(remote, from, to);
    if (!same) return failure_of(same);
    return *same ? rename_over_itself(server, remote, from, to) : fail_taken();
  }
  auto moved = rename_surely(server, remote, from.place, to.place);
  if (!moved && remote.lstat(to.place)) return fail_taken();
  return moved;
}

}  // namespace

Result<void> make_folders(const Lookup& lookup, const SftpRemote& remote, const Path& folder) {
  if (folder.is_root()) {
    const auto root = lookup.find(remote, folder);
    if (!root) return failure_of(root);
    return fail_taken();
  }
  std::vector<Path> missing;
  Result<Found> found;
  for (Path at = folder;; at = at.parent()) {
    found = lookup.find(remote, at);
    if (found || !is_missing(found.error()) || at.is_root()) break;
    missing.push_back(at);
  }
  if (!found) return failure_of(found);
  if (missing.empty()) return fail_taken();
  if (!found->attributes.is_folder()) return fail_with(Status::not_a_folder);
  std::vector<Path> made;
  for (const Path& next : std::views::reverse(missing)) {
    const auto one = make_one(lookup, remote, next);
    // Another client may make the same folders on the way.
    if (!one && one.error().code == ErrorCode::exists && next != folder) continue;
    if (!one) {
      rollback(lookup, remote, made);
      return one;
    }
    made.push_back(next);
  }
  return {};
}

Result<void> rename_item(Server& server, const Lookup& lookup, const SftpRemote& remote,
                         const Path& from, const Path& to) {
  if (from.is_root() || to.is_root()) {
    return fail(ErrorCode::forbidden, "The root keeps its place and its name.");
  }
  const auto source = lookup.find_itself(remote, from);
  if (!source) return failure_of(source);
  const auto target = lookup.find_name(remote, to);
  if (!target) return failure_of(target);
  if (source->place == target->place) return {};
  if (is_beneath(*target, *source)) {
    return fail(ErrorCode::invalid, "A folder cannot be moved into itself.");
  }
  const auto held = server.hold({source->place, target->place});
  return rename_to_free(server, remote, *source, *target);
}

Result<Path> canonical_path(const Lookup& lookup, const SftpRemote& remote, const Path& path) {
  if (path.is_root()) return path;
  const auto base = lookup.find(remote, Path());
  if (!base) return failure_of(base);
  const auto found = lookup.find_name(remote, path);
  if (!found) return failure_of(found);
  std::string text;
  for (const auto& name : found->names | std::views::drop(base->names.size())) text += '/' + name;
  auto parsed = Path::parse(text);
  if (!parsed) return fail_with(Status::no_such_file);
  return parsed;
}

}  // namespace coffer::sftp
