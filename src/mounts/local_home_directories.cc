#include "mounts/local_home_directories.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "backends/local/handle.h"
#include "backends/local/staging.h"
#include "backends/local/tree_removal.h"
#include "base/disk.h"
#include "storage/partial_name.h"

namespace coffer::mounts {
namespace {

namespace fs = std::filesystem;

int remove_errno(local::NameRef top) {
  // What is no folder, such as a link, is not looked into.
  if (::unlinkat(top.folder, top.name, 0) == 0 || errno == ENOENT) return 0;
  ::fchmodat(top.folder, top.name, S_IRWXU, 0);  // It may be closed to its owner.
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const local::Handle folder(::openat(top.folder, top.name, kFlags));
  if (!folder) return errno;
  if (const int error = local::empty_tree(folder.get())) return error;
  return ::unlinkat(top.folder, top.name, AT_REMOVEDIR) == 0 ? 0 : errno;
}

/// Work of the account that is still under way may make items meanwhile; it ends within moments,
/// since its account is gone.
int remove_in_the_end(local::NameRef top) {
  constexpr int kTries = 50;
  constexpr std::chrono::milliseconds kPause{100};
  int error = remove_errno(top);
  for (int tried = 1; error == ENOTEMPTY && tried < kTries; ++tried) {
    std::this_thread::sleep_for(kPause);
    error = remove_errno(top);
  }
  return error;
}

/// A folder that cannot be looked at counts as present, so that its use gives the error.
bool is_missing(const fs::path& folder) {
  std::error_code error;
  return fs::status(folder, error).type() == fs::file_type::not_found;
}

}  // namespace

bool LocalHomeDirectories::has_folder(const catalog::Account& account) const {
  return !is_missing(folder_of(account));
}

Result<std::shared_ptr<storage::Backend>> LocalHomeDirectories::of(
    const catalog::Account& account) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = open_.find(account.id);
    if (found != open_.end()) return found->second;
  }
  return open(account);
}

Result<std::shared_ptr<storage::Backend>> LocalHomeDirectories::open(
    const catalog::Account& account) {
  const std::unique_lock lock(mutex_);
  const auto found = open_.find(account.id);
  if (found != open_.end()) return found->second;
  local::LocalOptions options;
  options.collects = local::Collects::in_data;
  options.durable = durable_;
  const fs::path folder = folder_of(account);
  if (is_missing(folder)) {
    return fail(ErrorCode::not_found,
                fmt::format("The folder {} is missing although files were stored in it: mount or "
                            "restore it, or make it by hand if they are gone for good.",
                            folder.string()));
  }
  core::WorkPool& pool = pools_.of(account.id);
  TRY(const int root, open_trusted_folder(folder));
  auto backend =
      local::LocalBackend::open(local::Handle(root), options, store_, pool.brief, pool.lengthy);
  if (!backend) return failure_of(std::move(backend));
  std::shared_ptr<local::LocalBackend> shared = *std::move(backend);
  open_.emplace(account.id, shared);
  return shared;
}

Task<Result<void>> LocalHomeDirectories::make(const catalog::Account& account) {
  std::error_code error;
  const bool is_new = fs::create_directory(folder_of(account), error);
  // A crash of the machine must not take the folder with the files that are stored in it later.
  if (is_new && durable_ && !sync_new_folder(folder_of(account)))
    error.assign(errno, std::generic_category());
  if (!error) co_return Result<void>();
  co_return fail(ErrorCode::failed, fmt::format("The folder of the account {} cannot be made: {}.",
                                                account.name, error.message()));
}

Result<void> LocalHomeDirectories::purge(const catalog::Account& account) {
  auto removed = remove_aside(folder_of(account));
  decltype(open_)::node_type opened;  // Ends when the mutex is free again.
  const std::unique_lock lock(mutex_);
  opened = open_.extract(account.id);
  return removed;
}

/// First moves the folder to where the next start removes what this run has left. A folder of
/// another disk cannot be moved, and is removed where it is.
Result<void> LocalHomeDirectories::remove_aside(const fs::path& home) {
  const auto staging = store_.shared_staging();
  const std::string name = storage::partial_name();
  const bool is_aside =
      staging && ::renameat(AT_FDCWD, home.c_str(), (*staging)->folder(), name.c_str()) == 0;
  const int error =
      remove_in_the_end(is_aside ? (*staging)->ref(name) : local::NameRef{AT_FDCWD, home.c_str()});
  if (error != 0 && is_aside) (*staging)->reclaim(name);
  if (error != 0) {
    return fail(
        ErrorCode::failed,
        fmt::format("{} cannot be removed{}: {}.", home.string(),
                    is_aside ? " whole, and what is left of it lies in the staging folder" : "",
                    std::generic_category().message(error)));
  }
  if (!durable_ || sync_folder(home.parent_path())) return {};
  return fail(ErrorCode::failed,
              fmt::format("{} may come back after a power failure.", home.string()));
}

}  // namespace coffer::mounts
