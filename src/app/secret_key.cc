#include "app/secret_key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/disk.h"
#include "base/random.h"

namespace coffer::app {
namespace {

std::unexpected<Error> cannot(std::string_view what, const std::filesystem::path& file) {
  return fail(ErrorCode::failed, fmt::format("The key file {} cannot be {}: {}.", file.string(),
                                             what, std::strerror(errno)));
}

/// Written beside it and linked, so that it is never seen half-written; another process may be
/// first.
Result<void> make(const std::filesystem::path& file) {
  const auto key = core::Sealer::make_key();
  const std::string part = file.string() + '.' + random_hex(8);
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return cannot("made", file);
  const bool is_written = ::write(descriptor, key.data(), key.size()) == ssize_t(key.size()) &&
                          ::fsync(descriptor) == 0;
  ::close(descriptor);
  const bool is_linked = is_written && (::link(part.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const bool is_made = is_linked && sync_folder(file.parent_path());
  const int error = errno;
  ::unlink(part.c_str());
  errno = error;
  if (!is_made) return cannot("made", file);
  return {};
}

}  // namespace

Result<core::Sealer::Key> make_secret_key(const std::filesystem::path& file) {
  if (auto made = make(file); !made) return failure_of(made);
  return read_secret_key(file);
}

Result<core::Sealer::Key> read_secret_key(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) {
    return fail(ErrorCode::not_found, fmt::format("The key file {} is missing.", file.string()));
  }
  if (descriptor < 0) return cannot("read", file);
  struct stat status{};
  core::Sealer::Key key{};
  const bool is_known = ::fstat(descriptor, &status) == 0;
  const auto count = ::read(descriptor, key.data(), key.size());
  ::close(descriptor);
  if (!is_known || count < 0) return cannot("read", file);
  if (status.st_size != off_t(key.size()) || count != ssize_t(key.size())) {
    return fail(ErrorCode::failed, fmt::format("The key file {} is damaged: it must have {} "
                                               "bytes and has {}.",
                                               file.string(), key.size(), status.st_size));
  }
  if ((status.st_mode & 077) != 0) {
    return fail(
        ErrorCode::failed,
        fmt::format("The key file {} must not be open to others: chmod 600 it.", file.string()));
  }
  return key;
}

}  // namespace coffer::app
