#include "core/move_copy_request.h"

#include <utility>

#include "core/listed_item.h"
#include "core/namespace/name_rules.h"

namespace coffer::core {
namespace {

Result<void> check_form(const Path& from, const Path& to) {
  if (!from.is_root() && to.is_within(from)) return into_itself();
  return {};
}

/// A mount's own top, which a copy takes under the mount's name.
bool is_mount_top(const Path& path) {
  return path.depth() == 1 && is_mount_name(path.front());
}

/// `forbidden` if one of the ends is, whatever else stands against the other. A copy may take a
/// mount.
Result<void> check_rights(const Result<ResolvedPath>& from, const Result<ResolvedPath>& to,
                          bool moves, bool takes_mount) {
  for (const auto* end : {&from, &to}) {
    if (!*end && end->error().code == ErrorCode::forbidden) return failure_of(*end);
  }
  if (from && moves && from->read_only) {
    return fail(ErrorCode::forbidden, "This location is read-only.");
  }
  if (from && from->is_top && (moves || !takes_mount)) {
    return fail(ErrorCode::forbidden, "A root itself cannot be moved, nor your own be copied.");
  }
  return {};
}

}  // namespace

Result<ResolvedPath> child_of(const Namespace& ns, const ResolvedPath& folder, const Name& name) {
  auto allowed = check_new_name(ns, folder, name.str());
  if (!allowed) return failure_of(std::move(allowed));
  ResolvedPath child = folder;
  child.path = folder.path / name;
  child.is_top = false;
  return child;
}

ResolvedPath sibling_of(const ResolvedPath& place, const Name& name) {
  ResolvedPath sibling = place;
  sibling.path = place.path.parent() / name;
  return sibling;
}

Task<Result<void>> require_folder(const ResolvedPath& place) {
  const auto entry = co_await stat(place);
  if (!entry && entry.error().code == ErrorCode::not_found) {
    co_return fail(ErrorCode::not_found, "The destination folder is not there.");
  }
  if (!entry) co_return failure_of(entry);
  if (!entry->is_directory) co_return fail(ErrorCode::invalid, "The destination is not a folder.");
  co_return Result<void>{};
}

std::unexpected<Error> into_itself() {
  return fail(ErrorCode::invalid, "A folder cannot be put into itself.");
}

Task<Result<MoveCopyRequest>> plan_move_copy(Namespace ns, MoveCopyCommand command) {
  auto formed = check_form(command.from, command.folder);
  if (!formed) co_return failure_of(std::move(formed));
  Result<ResolvedPath> source;
  if (command.from_bin) {
    source = co_await ns.resolve_in_bin(command.from);
  } else {
    source = co_await ns.resolve(command.from);
  }
  auto folder = co_await ns.resolve_for_writing(command.folder);
  Result<ResolvedPath> target;
  if (folder && !command.from.is_root() && (command.name || !is_mount_top(command.from))) {
    // What exists may bear a name that could not be made, such as one with a backslash.
    const auto name = command.name ? Result<Name>(*command.name) : Name::parse(command.from.name());
    if (!name) co_return failure_of(name);
    target = child_of(ns, *folder, *name);
    if (!target) co_return failure_of(std::move(target));
  }
  auto allowed = check_rights(source, folder, command.moves, is_mount_top(command.from));
  if (!allowed) co_return failure_of(std::move(allowed));
  if (!source) co_return failure_of(std::move(source));
  const auto there = co_await source->backend->stat(source->path);
  // A link that leads nowhere from the bin is taken along all the same.
  const bool may_be_link = command.from_bin && source->path.depth() == 2;
  if (!there && (!may_be_link || there.error().code != ErrorCode::not_found)) {
    co_return failure_of(there);
  }
  if (!folder) co_return failure_of(std::move(folder));
  if (is_mount_top(command.from) && !command.name) {
    const auto name = Name::parse(source->mount->name);
    if (!name) co_return failure_of(name);
    target = child_of(ns, *folder, *name);
    if (!target) co_return failure_of(std::move(target));
  }
  auto is_folder = co_await require_folder(*folder);
  if (!is_folder) co_return failure_of(std::move(is_folder));
  co_return MoveCopyRequest{std::move(ns), *std::move(source), *std::move(target),
                            there && there->is_directory};
}

}  // namespace coffer::core
