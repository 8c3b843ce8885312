#include "backends/local/whole_path.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/local/fd_path.h"

namespace coffer::local {

Handle open_whole(const std::filesystem::path& path, std::uint64_t resolve) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = resolve;
  return Handle(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
}

std::optional<std::string> resolve_now(const std::filesystem::path& path) {
  const Handle folder = open_whole(path, RESOLVE_CACHED);
  if (!folder) return std::nullopt;
  auto found = fd_path(folder.get());
  if (!found || !found->starts_with('/')) return std::nullopt;
  return *std::move(found);
}

}  // namespace coffer::local
