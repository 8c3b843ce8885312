#include "backends/sftp/metadata.h"

#include <algorithm>
#include <ranges>

#include "backends/sftp/sftp_adapter.h"

namespace coffer::sftp {

Result<storage::Entry> stat_item(const Lookup& lookup, const SftpRemote& remote, const Path& path) {
  const auto found = lookup.find(remote, path);
  if (!found) return failure_of(found);
  return entry_of(item_of(std::string(path.name()), found->attributes));
}

Result<std::vector<storage::Entry>> list_folder(const Lookup& lookup, const SftpRemote& remote,
                                                const Path& folder) {
  const auto found = lookup.find(remote, folder);
  if (!found) return failure_of(found);
  if (!found->attributes.is_folder()) return fail_with(Status::not_a_folder);
  auto listed = remote.list(found->place);
  if (!listed) return failure_of(listed);
  std::vector<storage::Entry> entries;
  entries.reserve(listed->size());
  for (auto& [name, attributes] : *listed) {
    if (!is_shown(name)) continue;
    const bool is_link = attributes.is_link();
    if (is_link) {
      const auto target = lookup.find(remote, folder / *Path::parse(name));
      if (target) attributes = target->attributes;
    }
    if (!attributes.is_file() && !attributes.is_folder()) continue;
    entries.push_back(entry_of(item_of(std::move(name), attributes)));
    entries.back().is_link = is_link;
  }
  return entries;
}

Result<bool> lists_all_of(const Lookup& lookup, const SftpRemote& remote, const Path& folder) {
  const auto found = lookup.find(remote, folder);
  if (!found) return failure_of(found);
  const auto listed = remote.list(found->place);
  if (!listed) return failure_of(listed);
  return std::ranges::all_of(*listed, [](const auto& item) {
    return is_shown(item.name) && (item.attributes.is_file() || item.attributes.is_folder());
  });
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
