#include "backends/rclone/spool.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "storage/partial_name.h"

namespace coffer::rclone {
namespace {

constexpr int kFlags = O_RDWR | O_CLOEXEC;
constexpr mode_t kForUsAlone = S_IRUSR | S_IWUSR;

int open_and_unlink(const std::filesystem::path& folder) {
  const auto file = folder / storage::partial_name();
  const int descriptor = ::open(file.c_str(), kFlags | O_CREAT | O_EXCL, kForUsAlone);
  if (descriptor >= 0) ::unlink(file.c_str());
  return descriptor;
}

/// Not every file system has files without a name: NFS has none.
int open_nameless(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), kFlags | O_TMPFILE, kForUsAlone);
  if (descriptor >= 0 || errno != EOPNOTSUPP) return descriptor;
  return open_and_unlink(folder);
}

}  // namespace

Result<std::shared_ptr<Spool>> Spool::open(const std::filesystem::path& folder) {
  const int descriptor = open_nameless(folder);
  if (descriptor < 0) {
    return fail(ErrorCode::failed, "The server has no place to collect the content.");
  }
  return std::shared_ptr<Spool>(new Spool(descriptor));
}

Spool::~Spool() {
  ::close(descriptor_);
}

Result<void> Spool::write(std::span<const std::byte> data) {
  while (!data.empty()) {
    const auto written = ::write(descriptor_, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return fail(ErrorCode::failed, "The server's disk takes no more.");
    data = data.subspan(static_cast<std::size_t>(written));
    size_bytes_ += static_cast<std::uint64_t>(written);
  }
  return {};
}

}  // namespace coffer::rclone
