#include "base/sync_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace coffer {

bool sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_synced = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return is_synced;
}

bool sync_new_folder(const std::filesystem::path& folder) {
  const auto above = folder.has_parent_path() ? folder.parent_path() : std::filesystem::path(".");
  return sync_folder(folder) && sync_folder(above);
}

}  // namespace coffer
