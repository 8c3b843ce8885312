#include "servers/rclone_dav.h"

#include <vector>

#include "base/random.h"

namespace coffer::servers {

RcloneDav::RcloneDav() {
  std::filesystem::create_directory(files());
  process_ = std::make_unique<ServerProcess>(
      [this](std::uint16_t port) {
        return std::vector<std::string>{"rclone",           "serve",
                                        "webdav",           files(),
                                        "--addr",           "127.0.0.1:" + std::to_string(port),
                                        "--user",           "tester",
                                        "--pass",           "secret",
                                        "--config",         "",
                                        "--vfs-cache-mode", "off",
                                        "--dir-cache-time", "0"};
      },
      scratch_.path() / "rclone.log");
}

std::string RcloneDav::url() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/";
}

std::string RcloneDav::make_folder() const {
  std::string name = random_hex(8);
  std::filesystem::create_directory(files() / name);
  return name;
}

}  // namespace coffer::servers
