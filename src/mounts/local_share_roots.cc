#include "mounts/local_share_roots.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "storage/partial_name.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

/// Keeps a folder of millions of folders from taking the server's memory.
constexpr std::size_t kMostFolders = 100'000;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// Returns the path from the root to the folder, if it is beneath it; both are without links.
std::optional<std::string> relative_to(const std::string& root, const std::string& folder) {
  const std::string above = root == "/" ? root : root + '/';
  if (folder == root) return std::string();
  if (!folder.starts_with(above)) return std::nullopt;
  return folder.substr(above.size());
}

bool is_choice(const std::string& name) {
  const bool is_text = is_utf8(name) && !has_control_character(name);
  return is_text && name != "." && name != ".." && !storage::is_hidden_name(name);
}

std::unexpected<Error> refused(int code, const std::string& folder) {
  if (code == ENOENT) {
    return fail(ErrorCode::not_found, fmt::format("The folder {} is not there.", folder));
  }
  if (code == ENOTDIR) return fail(ErrorCode::invalid, fmt::format("{} is not a folder.", folder));
  if (code == EXDEV || code == ELOOP) {
    return fail(
        ErrorCode::forbidden,
        fmt::format("A symbolic link in {} leads out of the folders of the setting share_roots.",
                    folder));
  }
  if (code == EACCES || code == EPERM) {
    return fail(ErrorCode::forbidden, fmt::format("The server may not read {}.", folder));
  }
  if (const auto lack = lack_of(code)) return std::unexpected(*lack);
  return fail(ErrorCode::invalid,
              fmt::format("The folder {} cannot be used: {}.", folder, std::strerror(code)));
}

}  // namespace

LocalShareRoots::LocalShareRoots(std::vector<std::string> roots, fs::path data, Pool& pool)
    : data_(std::move(data)), pool_(pool) {
  set(std::move(roots));
}

void LocalShareRoots::set(std::vector<std::string> roots) {
  for (std::string& root : roots) {
    root = fs::path(root).lexically_normal().string();
    if (root.size() > 1 && root.ends_with('/')) root.pop_back();
  }
  std::ranges::sort(roots);
  const auto doubles = std::ranges::unique(roots);
  roots.erase(doubles.begin(), doubles.end());
  const std::lock_guard lock(mutex_);
  roots_ = std::move(roots);
}

Result<std::vector<std::string>> LocalShareRoots::roots() const {
  const std::lock_guard lock(mutex_);
  if (!roots_.empty()) return roots_;
  return fail(ErrorCode::forbidden,
              "The setting share_roots names no folder, so folders of the server can be shared on "
              "its command line alone: `coffer share add`.");
}

bool LocalShareRoots::is_own_data(const fs::path& folder) const {
  std::error_code error;
  const fs::path own = fs::weakly_canonical(data_, error);
  if (error) return true;
  const fs::path relative = folder.lexically_relative(own);
  return !relative.empty() && *relative.begin() != "..";
}

Result<LocalShareRoots::Found> LocalShareRoots::open(const std::string& folder) const {
  TRY(const auto all, roots());
  Error last{ErrorCode::forbidden,
             fmt::format("{} is not in a folder of the setting share_roots.", folder)};
  for (const std::string& root : all) {
    const auto relative = relative_to(root, folder);
    if (!relative) continue;
    const local::Handle top = local::open_whole(root, O_PATH, 0);
    local::Opened opened = top ? local::open_beneath(top.get(), *relative, O_RDONLY | O_DIRECTORY)
                               : std::unexpected(errno);
    if (!opened) {
      last = refused(opened.error(), folder).error();
      continue;
    }
    TRY(auto canonical, local::fd_path(opened->get()));
    if (is_own_data(canonical)) {
      return fail(ErrorCode::forbidden, "The server's own data folder cannot be shared.");
    }
    return Found{*std::move(opened), std::move(canonical)};
  }
  return std::unexpected(std::move(last));
}

bool LocalShareRoots::is_shown(const Found& found, const std::string& whole,
                               unsigned char type) const {
  if (type == DT_DIR) return !is_own_data(found.folder / fs::path(whole).filename());
  return (type == DT_LNK || type == DT_UNKNOWN) && open(whole).has_value();
}

Result<std::vector<std::string>> LocalShareRoots::list(const std::string& folder) const {
  TRY(auto found, open(folder));
  const int descriptor = ::fcntl(found.handle.get(), F_DUPFD_CLOEXEC, 0);
  const std::unique_ptr<DIR, CloseFolder> entries(::fdopendir(descriptor));
  if (!entries) {
    const int code = errno;
    if (descriptor >= 0) ::close(descriptor);
    return refused(code, folder);
  }
  const std::string above = folder == "/" ? folder : folder + '/';
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (!is_choice(name) || !is_shown(found, above + name, entry->d_type)) continue;
    names.push_back(name);
    if (names.size() > kMostFolders) {
      return fail(ErrorCode::invalid, "The folder has too many folders in it to list them.");
    }
  }
  std::ranges::sort(names);
  return names;
}

Task<Result<std::vector<std::string>>> LocalShareRoots::folders_in(std::string folder) {
  auto look = [this, &folder] { return list(folder); };
  co_return co_await pool_.run(std::move(look));
}

Task<Result<std::string>> LocalShareRoots::locate(std::string folder) {
  auto look = [this, &folder]() -> Result<std::string> {
    TRY(const auto found, open(folder));
    return found.folder.string();
  };
  co_return co_await pool_.run(std::move(look));
}

Task<Result<std::string>> LocalShareRoots::locate_any(std::string folder) {
  auto look = [&folder]() -> Result<std::string> {
    std::error_code error;
    const fs::path found = fs::canonical(folder, error);
    if (!error && !fs::is_directory(found, error)) {
      return fail(ErrorCode::invalid, fmt::format("The folder to share is a file: {}.", folder));
    }
    if (!error) return found.string();
    const bool is_missing = error == std::errc::no_such_file_or_directory;
    return fail(ErrorCode::invalid,
                is_missing ? fmt::format("The folder to share is not there: {}.", folder)
                           : fmt::format("The folder to share cannot be used: {}: {}.", folder,
                                         error.message()));
  };
  co_return co_await pool_.run(std::move(look));
}

}  // namespace coffer::mounts
