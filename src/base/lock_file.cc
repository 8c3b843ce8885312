#include "base/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/clock.h"

namespace coffer {
namespace {

std::unexpected<Error> failed(const std::filesystem::path& file) {
  return fail(ErrorCode::failed,
              "The file " + file.string() + " cannot be locked: " + std::strerror(errno) + ".");
}

}  // namespace

Result<std::optional<LockFile>> LockFile::take(const std::filesystem::path& file, Mode mode,
                                               const std::string& holder) {
  // A link may lead to a file that must not be changed, and opening a FIFO may wait.
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  LockFile lock(::open(file.c_str(), kFlags, 0600));
  if (lock.file_ < 0) return failed(file);
  if (::flock(lock.file_, (mode == Mode::alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return std::nullopt;
    return failed(file);
  }
  if (mode == Mode::shared) return lock;
  if (::ftruncate(lock.file_, 0) != 0) return failed(file);
  const std::string line = holder + ", since " + format_timestamp(now()) + " UTC\n";
  const auto written = ::pwrite(lock.file_, line.data(), line.size(), 0);
  if (!std::cmp_equal(written, line.size())) return failed(file);
  return lock;
}

std::string LockFile::holder_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

LockFile::~LockFile() {
  if (file_ >= 0) ::close(file_);
}

std::string lock_holder(std::string_view command) {
  std::array<char, 256> host{};
  const bool is_known = ::gethostname(host.data(), host.size() - 1) == 0;
  return std::string(command) + ", process " + std::to_string(::getpid()) + " on " +
         (is_known ? host.data() : "this host");
}

}  // namespace coffer
