#include "app/setup_link.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <system_error>

#include "base/disk.h"

namespace coffer::app {

Result<void> SetupLink::write(std::string_view link) const {
  remove();  // What another user may have put there is not written to.
  const int file = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const std::string line = std::string(link) + '\n';
  const int error = file < 0 ? errno : write_all(file, std::as_bytes(std::span(line)));
  if (file >= 0) ::close(file);
  if (error == 0) return {};
  return fail(ErrorCode::failed, fmt::format("The file {} cannot be written: {}.", file_.string(),
                                             std::strerror(error)));
}

void SetupLink::remove() const {
  std::error_code ignored;  // It may not be there, and opens nothing once set-up is closed.
  std::filesystem::remove(file_, ignored);
}

std::string SetupLink::at(const ListenAddress& listen, std::string_view token) {
  ListenAddress shown = listen;
  if (shown.address == "0.0.0.0") shown.address = "127.0.0.1";
  if (shown.address == "::") shown.address = "::1";
  return fmt::format("http://{}/set-up#{}", shown.str(), token);
}

}  // namespace coffer::app
