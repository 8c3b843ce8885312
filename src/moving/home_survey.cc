#include "moving/home_survey.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "backends/local/handle.h"
#include "backends/local/tree_walk.h"
#include "base/path.h"
#include "base/text.h"
#include "storage/depth.h"
#include "storage/partial_name.h"

namespace coffer::moving {
namespace {

/// A name for people, with the bytes escaped that are no text.
std::string shown(std::string_view name) {
  if (is_utf8(name) && !has_control_character(name)) return std::string(name);
  std::string text;
  for (const char byte : name) {
    const auto value = static_cast<unsigned char>(byte);
    text += value < 0x20 || value >= 0x7f ? fmt::format("\\x{:02x}", value) : std::string(1, byte);
  }
  return text;
}

std::string_view fault_of_type(mode_t mode) {
  if (S_ISREG(mode) || S_ISDIR(mode)) return {};
  if (S_ISLNK(mode)) return "is a symbolic link";
  return "is neither a file nor a folder";
}

bool can_be_named(std::string_view name) {
  const auto path = Path::parse(name);
  return path && path->str() == name;
}

class Surveyor {
 public:
  explicit Surveyor(int top) : top_(top) {}

  /// Returns true if the content of the item is to be looked at.
  bool look_at(const local::WalkedItem& item) {
    const bool is_staging = item.name == storage::kStagingFolder && is_at_top(item.folder);
    if (is_staging) return false;
    struct stat status{};
    if (::fstatat(item.folder, item.name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
      // It may be gone since it was listed.
      if (errno != ENOENT) report(item, std::generic_category().message(errno));
      return false;
    }
    const auto fault = fault_of(item, status);
    if (!fault.empty()) report(item, fault);
    if (S_ISDIR(status.st_mode)) ++survey_.folders;
    if (!S_ISREG(status.st_mode)) return S_ISDIR(status.st_mode);
    ++survey_.files;
    survey_.bytes += static_cast<std::uint64_t>(status.st_size);
    return false;
  }

  Result<Survey> finish() {
    const auto is_deep = local::has_folder_below(top_, storage::kDeepestFolder);
    if (!is_deep) {
      return fail(ErrorCode::failed, fmt::format("The folder cannot be read: {}.",
                                                 std::generic_category().message(is_deep.error())));
    }
    if (*is_deep) add(fmt::format("folders lie more than {} deep", storage::kDeepestFolder));
    return std::move(survey_);
  }

 private:
  bool is_at_top(int folder) const {
    struct stat one{};
    struct stat top{};
    return ::fstat(folder, &one) == 0 && ::fstat(top_, &top) == 0 && one.st_ino == top.st_ino &&
           one.st_dev == top.st_dev;
  }

  std::string_view fault_of(const local::WalkedItem& item, const struct stat& status) {
    if (!can_be_named(item.name)) return "has a name that no request can give";
    if (const auto fault = fault_of_type(status.st_mode); !fault.empty()) return fault;
    const int wanted = S_ISDIR(status.st_mode) ? R_OK | X_OK : R_OK;
    if (::faccessat(item.folder, item.name, wanted, 0) != 0) return "cannot be read";
    const bool is_linked = S_ISREG(status.st_mode) && status.st_nlink > 1;
    if (is_linked && !linked_.insert({status.st_dev, status.st_ino}).second) {
      return "is another name of a file that has one already (a hard link)";
    }
    return {};
  }

  void report(const local::WalkedItem& item, std::string_view fault) {
    const auto path = local::path_from(top_, item.folder, item.name);
    add(fmt::format("\"{}\" {}", shown(path ? *path : item.name), fault));
  }

  void add(std::string problem) {
    ++survey_.problem_count;
    if (survey_.problems.size() < Survey::kMostProblems) {
      survey_.problems.push_back(std::move(problem));
    }
  }

  const int top_;
  Survey survey_;
  std::set<std::pair<dev_t, ino_t>> linked_;  ///< The files with several names that were met.
};

}  // namespace

Result<Survey> survey_files(const std::filesystem::path& folder) {
  const local::Handle top(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top) {
    return fail(ErrorCode::failed, fmt::format("The folder {} cannot be read: {}.", folder.string(),
                                               std::generic_category().message(errno)));
  }
  Surveyor surveyor(top.get());
  local::walk_tree(top.get(),
                   [&](const local::WalkedItem& item) { return surveyor.look_at(item); });
  return surveyor.finish();
}

}  // namespace coffer::moving
