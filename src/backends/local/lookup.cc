#include "backends/local/lookup.h"

#include <fcntl.h>
#include <linux/openat2.h>

#include <algorithm>
#include <cerrno>
#include <ranges>
#include <string_view>

#include "backends/local/errno_error.h"
#include "storage/partial_name.h"

namespace coffer::local {
namespace {

bool has_own_name(std::string_view path) {
  return std::ranges::any_of(std::views::split(path, '/'), [](const auto& name) {
    return storage::is_hidden_name(std::string_view(name));
  });
}

bool has_short_name(std::string_view path) {
  return std::ranges::any_of(std::views::split(path, '/'), [](const auto& name) {
    return storage::is_short_hidden_name(std::string_view(name));
  });
}

/// Looks at the open item, so that no link that changes meanwhile is missed. An item whose path
/// cannot be told counts as the program's.
bool is_of_program(const Volume& volume, int item) {
  const auto path = path_from(volume.root.get(), item, {});
  if (!path || has_own_name(*path)) return true;
  return volume.may_have_short_names && has_short_name(*path);
}

}  // namespace

bool Volume::stands() const {
  if (top.empty()) return true;
  const auto path = fd_path(root.get());
  return path && *path == top;
}

Lookup Lookup::beneath(const Path& folder) const {
  Lookup view = *this;
  if (folder.is_root()) return view;
  view.bases_.push_back(folder);
  view.joined_ = joined_ / folder;
  return view;
}

bool Lookup::is_hidden(const Path& path) const {
  if (volume_->may_have_short_names &&
      (has_short_name(joined_.str()) || has_short_name(path.str()))) {
    return true;
  }
  if (volume_->hidden.empty()) return false;
  return (joined_.is_root() ? path : joined_).front() == volume_->hidden;
}

bool Lookup::hides_name(std::string_view name) const {
  return volume_->may_have_short_names && storage::is_short_hidden_name(name);
}

Opened Lookup::open(const Path& path, std::uint64_t flags) const {
  if (is_hidden(path)) return std::unexpected(ENOENT);
  Handle base;
  int top = volume_->root.get();
  for (const Path& folder : bases_) {
    Opened opened = open_beneath(top, folder.str(), O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
    if (!opened) return opened;
    base = std::move(*opened);
    top = base.get();
  }
  Opened straight = open_beneath(top, path.str(), flags, RESOLVE_NO_SYMLINKS);
  if (straight || straight.error() != ELOOP || has_own_name(path.str())) return straight;
  Opened followed = open_beneath(top, path.str(), flags);
  if (followed && is_of_program(*volume_, followed->get())) {
    return std::unexpected(ENOENT);
  }
  return followed;
}

Opened Lookup::open_cached(const Path& path, std::uint64_t flags) const {
  if (is_hidden(path)) return std::unexpected(ENOENT);
  constexpr std::uint64_t kResolve = RESOLVE_CACHED | RESOLVE_NO_SYMLINKS;
  const int top = volume_->root.get();
  if (joined_.is_root()) return open_beneath(top, path.str(), flags, kResolve);
  return open_beneath(top, from_root(path).str(), flags, kResolve);
}

Result<Handle> Lookup::open_folder(const Path& path, std::uint64_t flags) const {
  Opened opened = open(path, flags | O_DIRECTORY);
  if (opened) return std::move(*opened);
  if (opened.error() == ENOTDIR && find(path, kSizeMask)) {
    return fail(ErrorCode::invalid, "This is a file, not a folder.");
  }
  return fail_with(opened.error());
}

Result<void> Lookup::check_place(const Path& path) const {
  if (path.is_root()) {
    return fail(ErrorCode::forbidden, "The top folder itself cannot be changed.");
  }
  if (is_hidden(path) || !volume_->stands()) return fail_with(ENOENT);
  return {};
}

Result<EntryRef> Lookup::place(const Path& path) const {
  TRY_VOID(check_place(path));
  std::string name(path.name());
  // Without links on the way, one step from the volume's root is as contained as one for each base.
  Opened straight = open_beneath(volume_->root.get(), from_root(path.parent()).str(),
                                 O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
  if (straight) return EntryRef{std::move(*straight), std::move(name)};
  TRY(auto folder, open_folder(path.parent(), O_PATH));
  return EntryRef{std::move(folder), std::move(name)};
}

Result<EntryRef> Lookup::place_itself(const Path& path) const {
  TRY_VOID(check_place(path));
  Opened folder = open_beneath(volume_->root.get(), from_root(path.parent()).str(),
                               O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
  if (folder) return EntryRef{std::move(*folder), std::string(path.name())};
  if (folder.error() != ELOOP)
    return fail_with(folder.error() == ENOTDIR ? ENOENT : folder.error());
  return fail(ErrorCode::conflict, "A link on the way was changed meanwhile. Try again.");
}

Result<std::pair<Handle, Status>> Lookup::find(const Path& path, unsigned mask) const {
  Opened opened = open(path, O_PATH);
  if (!opened) return fail_with(opened.error());
  const auto status = status_of(opened->get(), mask | STATX_TYPE);
  if (!status) return fail_with(status.error());
  if (!is_file(*status) && !is_folder(*status)) return fail_with(ENOENT);
  return std::pair{std::move(*opened), *status};
}

}  // namespace coffer::local
