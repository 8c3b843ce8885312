#include "app/instance_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace coffer::app {

Result<InstanceLock> InstanceLock::take(const std::filesystem::path& data) {
  const auto path = data / "server.lock";
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return fail(ErrorCode::failed, fmt::format("The file {} cannot be opened: {}.", path.string(),
                                               std::strerror(errno)));
  }
  InstanceLock lock(file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::failed,
                fmt::format("Another server runs on the data folder {}.", data.string()));
  }
  return lock;
}

InstanceLock::~InstanceLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace coffer::app
