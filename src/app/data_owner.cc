#include "app/data_owner.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace coffer::app {
namespace {

bool take_groups(const SystemUser& owner) {
  const passwd* const entry = ::getpwuid(owner.user);
  if (entry == nullptr) return ::setgroups(0, nullptr) == 0 && ::setgid(owner.group) == 0;
  const gid_t group = entry->pw_gid;
  return ::initgroups(entry->pw_name, group) == 0 && ::setgid(group) == 0;
}

bool become(const SystemUser& owner) {
  return take_groups(owner) && ::setuid(owner.user) == 0;
}

}  // namespace

/// Of the folder, or if that is root's, of what the server made in it: a volume may be root's and
/// open to its group.
std::optional<SystemUser> owner_of(const std::filesystem::path& data) {
  struct stat status{};
  if (::stat(data.c_str(), &status) != 0) return std::nullopt;
  if (status.st_uid != 0) return SystemUser{status.st_uid, status.st_gid};
  struct stat files{};  // Of a link, its maker: the folder that it leads to may be anybody's.
  if (::lstat((data / "files").c_str(), &files) == 0) return SystemUser{files.st_uid, files.st_gid};
  // Root can use any folder, and gives empty ones to others.
  const bool is_usable = ::access(data.c_str(), R_OK | W_OK | X_OK) == 0;
  if (is_usable) return std::nullopt;
  return SystemUser{status.st_uid, status.st_gid};
}

std::string user_name(uid_t user) {
  const passwd* const entry = ::getpwuid(user);
  return entry != nullptr ? entry->pw_name : fmt::format("the id {}", user);
}

std::optional<std::string> foreign_owner_of(const std::filesystem::path& data) {
  const auto owner = owner_of(data);
  if (!owner || owner->user == ::geteuid()) return std::nullopt;
  return user_name(owner->user);
}

Result<void> become_owner_of(const std::filesystem::path& data) {
  const auto owner = owner_of(data);
  if (!owner || owner->user == ::geteuid()) return {};
  const std::string name = user_name(owner->user);
  if (::geteuid() != 0) {
    return fail(ErrorCode::forbidden,
                fmt::format("The data folder {} belongs to {}: run this as that user, or as root.",
                            data.string(), name));
  }
  if (become(*owner)) return {};
  return fail(ErrorCode::failed, fmt::format("The data folder {} belongs to {}, and this process "
                                             "cannot become that user: {}.",
                                             data.string(), name, std::strerror(errno)));
}

}  // namespace coffer::app
