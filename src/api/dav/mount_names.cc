#include "api/dav/mount_names.h"

#include <fmt/format.h>

#include "base/path.h"

namespace coffer::api::dav {
namespace {

std::string claimed_by(const core::Mount& mount) {
  return mount.given ? fmt::format("{} ({})", mount.name, mount.given->owner->name) : mount.name;
}

bool can_be_component(const std::string& name) {
  const auto path = Path::parse(name);
  return path && path->depth() == 1 && path->front() == name && !core::is_mount_name(name);
}

}  // namespace

MountNames::MountNames(std::span<const core::Mount> mounts) {
  for (const core::Mount& mount : mounts) {
    if (!mount.given) add(mount);
  }
  for (const core::Mount& mount : mounts) {
    if (mount.given) add(mount);
  }
}

void MountNames::add(const core::Mount& mount) {
  const std::string name = claimed_by(mount);
  if (!can_be_component(name)) return;
  const bool is_given = mount.given != nullptr;
  const auto [holder, is_new] = holders_.try_emplace(name, Holder{mount.prefix, is_given});
  if (!is_new && holder->second.is_given == is_given) holder->second.prefix.clear();
}

std::string_view MountNames::prefix_of(const std::string& name) const {
  const auto holder = holders_.find(name);
  return holder == holders_.end() ? std::string_view() : holder->second.prefix;
}

std::string MountNames::of(const core::Mount& mount) const {
  std::string name = claimed_by(mount);
  return prefix_of(name) == mount.prefix ? name : mount.prefix;
}

}  // namespace coffer::api::dav
