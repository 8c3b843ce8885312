#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace coffer::app {

/// An item that this process's user cannot use as the server has to.
struct UnusableItem {
  std::filesystem::path path;  ///< Below the folder that was looked through; empty for itself.
  std::string fault;           ///< "belongs to root and cannot be written to"
};

/// Those in an account's folder, at all depths. A folder that the user itself made read-only is as
/// it should be.
std::vector<UnusableItem> unusable_in_home(const std::filesystem::path& home);

/// Those of the server's own items, without what lies in them: all of them have to be written to.
std::vector<UnusableItem> unusable_in_folder(const std::filesystem::path& folder);

}  // namespace coffer::app
