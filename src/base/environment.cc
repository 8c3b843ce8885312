#include "base/environment.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "base/sync_folder.h"

namespace coffer {

Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return {};
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0 && sync_new_folder(folder)) return {};
  if (errno == EEXIST && std::filesystem::is_directory(folder, error)) return {};
  if (errno == EEXIST) {
    return fail(ErrorCode::failed, fmt::format("{} is not a folder.", folder.string()));
  }
  return fail(ErrorCode::failed, fmt::format("The folder {} cannot be made: {}.", folder.string(),
                                             std::strerror(errno)));
}

std::optional<std::string> trusted_certificates() {
  const char* const file = std::getenv("SSL_CERT_FILE");
  if (file == nullptr) return std::nullopt;
  return file;
}

}  // namespace coffer
