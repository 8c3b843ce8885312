#include "backends/local/errno_error.h"

#include <cerrno>
#include <system_error>
#include <utility>

namespace coffer::local {

Error errno_error(int code) {
  if (auto lack = lack_of(code)) return *std::move(lack);
  switch (code) {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:  // Too many links, or one where none may be.
    case EXDEV:  // A link that leaves the root, as openat2(2) tells it.
    case ENXIO:  // A socket, or a device without a driver.
    case ENODEV:
    case ESTALE:
    case ENAMETOOLONG:  // Nothing can have such a name.
      return {ErrorCode::not_found, "There is no such file or folder."};
    case EEXIST:
    case ENOTEMPTY:
      return {ErrorCode::exists, "The name is taken."};
    case EISDIR:
      return {ErrorCode::invalid, "This is a folder."};
    case EINVAL:
      return {ErrorCode::invalid, "The file system does not allow this."};
    case EACCES:
    case EPERM:
      return {ErrorCode::forbidden, "The server may not access this."};
    case EBUSY:
      return {ErrorCode::conflict, "The system uses this, as where a disk is mounted."};
    case EROFS:
      return {ErrorCode::forbidden, "The file system is read-only."};
    case EFBIG:
      return {ErrorCode::disk_full,
              "The file is larger than the file system or the server allows."};
    default:
      return {ErrorCode::failed, "The file system failed: " +
                                     std::error_code(code, std::generic_category()).message() +
                                     "."};
  }
}

Error creation_error(int code) {
  if (code == ENAMETOOLONG) {
    return {ErrorCode::invalid, "The name is longer than the file system allows."};
  }
  if (code == EINVAL) return {ErrorCode::invalid, "The file system does not allow this name."};
  return errno_error(code);
}

}  // namespace coffer::local
