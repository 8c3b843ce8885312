#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace coffer {

/// A folder whose Unix sockets can be bound and connected to however long its path is: the address
/// of one has at most 107 bytes (unix(7)), so that it goes by the folder's descriptor.
class SocketFolder {
 public:
  explicit SocketFolder(const std::filesystem::path& folder)
      : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~SocketFolder() {
    if (is_open()) ::close(folder_);
  }
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  /// False if the folder could not be opened; errno says why, right after the constructor.
  bool is_open() const { return folder_ >= 0; }
  /// The address of the socket of this name, as long as the object lives.
  std::string address_of(const std::string& name) const {
    return fmt::format("/proc/self/fd/{}/{}", folder_, name);
  }

 private:
  const int folder_;
};

}  // namespace coffer
