#include "backends/sftp/lookup.h"

#include <optional>
#include <ranges>

#include "backends/remote/adapter.h"

namespace coffer::sftp {
namespace {

/// The limit of links in a path, as Linux has it.
constexpr int kMaxLinks = 40;
/// The number of components that are looked at in one batch.
constexpr std::size_t kLooksAhead = 16;

using Names = std::deque<std::string>;

/// A walk from a folder along names, with `..` among them if a link said so.
class Walk {
 public:
  /// The names up to `start` are the way's floor.
  Walk(const SftpRemote& remote, const std::vector<std::string>& start, Names ahead)
      : remote_(remote), floor_(start.size()), at_(start), ahead_(std::move(ahead)) {}

  Result<Found> run(bool follow_last);

 private:
  Result<void> step(bool follow_last);
  std::vector<std::string> next_places() const;
  Result<bool> take(const Attributes& item, bool follow_last);
  Result<void> follow(const std::string& link);
  Result<void> go_up();
  std::string place() const;

  const SftpRemote& remote_;
  const std::size_t floor_;
  std::vector<std::string> at_;
  Names ahead_;
  std::optional<Attributes> here_;
  int links_ = 0;
};

std::string Walk::place() const {
  std::string place = remote_.connection().root();
  for (const auto& name : at_) place += '/' + name;
  return place.empty() ? "/" : place;
}

Result<Found> Walk::run(bool follow_last) {
  while (!ahead_.empty()) {
    TRY_VOID(step(follow_last));
  }
  if (!here_) {
    TRY(here_, remote_.lstat(place()));
  }
  return Found{place(), at_, *here_};
}

Result<void> Walk::step(bool follow_last) {
  if (ahead_.front() == "..") return go_up();
  for (const auto& item : remote_.lstat(next_places())) {
    if (!item) return failure_of(item);
    TRY(const auto goes_on, take(*item, follow_last));
    if (!goes_on) break;
  }
  return {};
}

std::vector<std::string> Walk::next_places() const {
  std::vector<std::string> places;
  std::string next = place();
  for (const auto& name : ahead_) {
    if (name == ".." || places.size() == kLooksAhead) break;
    next = remote::in_folder(next, name);
    places.push_back(next);
  }
  return places;
}

/// Takes the next name; false if the places that were asked for are not those of the walk any more.
Result<bool> Walk::take(const Attributes& item, bool follow_last) {
  const bool is_last = ahead_.size() == 1;
  if (item.is_link() && (!is_last || follow_last)) {
    TRY_VOID(follow(remote::in_folder(place(), ahead_.front())));
    return false;
  }
  if (!is_last && item.is_file()) return fail_with(Status::not_a_folder);
  if (!is_last && !item.is_folder()) return remote::fail_missing();
  at_.push_back(std::move(ahead_.front()));
  ahead_.pop_front();
  here_ = item;
  return true;
}

Result<void> Walk::follow(const std::string& link) {
  if (++links_ > kMaxLinks) return remote::fail_missing();
  TRY(const auto target, remote_.readlink(link));
  if (target.empty() || target.starts_with('/')) return remote::fail_missing();
  ahead_.pop_front();
  Names inserted;
  for (const auto part : std::views::split(std::string_view(target), '/')) {
    const std::string name(part.begin(), part.end());
    if (!name.empty() && name != ".") inserted.push_back(name);
  }
  ahead_.insert(ahead_.begin(), inserted.begin(), inserted.end());
  // A link to `.` alone leads to the folder it is in.
  here_.reset();
  return {};
}

Result<void> Walk::go_up() {
  if (at_.size() == floor_) return remote::fail_missing();
  at_.pop_back();
  ahead_.pop_front();
  here_.reset();
  return {};
}

Names names_of(const Path& path) {
  Names names;
  for (const auto name : path.components()) names.emplace_back(name);
  return names;
}

}  // namespace

Result<Found> Lookup::start(const SftpRemote& remote) const {
  return Walk(remote, {}, names_of(base_)).run(true);
}

Result<Found> Lookup::find(const SftpRemote& remote, const Path& path) const {
  Result<Found> base;
  if (!base_.is_root()) base = start(remote);
  if (!base) return base;
  auto found = Walk(remote, base->names, names_of(path)).run(true);
  if (found && !found->attributes.is_file() && !found->attributes.is_folder()) {
    return remote::fail_missing();
  }
  return found;
}

Result<Found> Lookup::find_name(const SftpRemote& remote, const Path& path) const {
  auto folder = find(remote, path.parent());
  if (!folder || path.is_root()) return folder;
  if (!folder->attributes.is_folder()) return fail_with(Status::not_a_folder);
  folder->place = remote::in_folder(folder->place, path.name());
  folder->names.emplace_back(path.name());
  return folder;
}

Result<Path> Lookup::canonical(const SftpRemote& remote, const Path& path) const {
  if (path.is_root()) return path;
  TRY(const auto base, find(remote, Path()));
  TRY(const auto found, find_name(remote, path));
  std::string text;
  for (const auto& name : found.names | std::views::drop(base.names.size())) text += '/' + name;
  auto parsed = Path::parse(text);
  if (!parsed) return remote::fail_missing();
  return parsed;
}

bool is_shown(std::string_view name) {
  return Path::parse(name).has_value();
}

}  // namespace coffer::sftp
