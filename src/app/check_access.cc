#include "app/check_access.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>
#include <system_error>

#include "app/data_owner.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

bool may(const fs::path& item, int what) {
  return ::access(item.c_str(), what) == 0;
}

std::optional<std::string> fault_of(const fs::path& item, bool must_be_writable) {
  struct stat status{};
  if (::lstat(item.c_str(), &status) != 0) return std::nullopt;  // Gone, or below what is reported.
  const bool is_folder = S_ISDIR(status.st_mode);
  if (!is_folder && !S_ISREG(status.st_mode)) return std::nullopt;
  const std::string owner = user_name(status.st_uid);
  if (!may(item, is_folder ? R_OK | X_OK : R_OK)) {
    return fmt::format("belongs to {} and cannot be read", owner);
  }
  if (!must_be_writable && (!is_folder || status.st_uid == ::geteuid())) return std::nullopt;
  if (may(item, W_OK)) return std::nullopt;
  return fmt::format("belongs to {} and cannot be written to", owner);
}

void add_fault(std::vector<UnusableItem>& found, const fs::path& item, const fs::path& top,
               bool must_be_writable) {
  auto fault = fault_of(item, must_be_writable);
  if (!fault) return;
  const fs::path path = item == top ? fs::path() : item.lexically_relative(top);
  found.push_back({path, *std::move(fault)});
}

}  // namespace

std::vector<UnusableItem> unusable_in_home(const fs::path& home) {
  std::vector<UnusableItem> found;
  add_fault(found, home, home, true);
  std::error_code error;
  fs::recursive_directory_iterator item(home, fs::directory_options::skip_permission_denied, error);
  for (; !error && item != fs::recursive_directory_iterator(); item.increment(error)) {
    add_fault(found, item->path(), home, false);
  }
  return found;
}

std::vector<UnusableItem> unusable_in_folder(const fs::path& folder) {
  std::vector<UnusableItem> found;
  add_fault(found, folder, folder, true);
  std::error_code error;
  fs::directory_iterator item(folder, error);
  for (; !error && item != fs::directory_iterator(); item.increment(error)) {
    add_fault(found, item->path(), folder, true);
  }
  return found;
}

}  // namespace coffer::app
