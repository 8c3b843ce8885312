#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coffer::remote {

/// A whole path as the server knows it: what an adapter made of a Path, and names of listings below
/// it, which need not be such as a Path can hold.
using ServerPath = std::string;
using ServerPaths = std::vector<ServerPath>;

std::string_view name_of(const ServerPath& place);
/// The folder that it is in; empty, or `/`, for what is at the top.
ServerPath parent_of(const ServerPath& place);
ServerPath in_folder(const ServerPath& folder, std::string_view name);
/// True for what lies below the folder, not for itself.
bool is_beneath(const ServerPath& place, const ServerPath& folder);

/// New names beside a place; see storage::partial_name and storage::backup_name.
ServerPath partial_beside(const ServerPath& place);
ServerPath backup_beside(const ServerPath& place);

}  // namespace coffer::remote
