#include "servers/rclone_dav.h"

#include <vector>

#include "base/random.h"

namespace coffer::servers {

RcloneDav::RcloneDav(const Certificate* certificate) : has_tls_(certificate != nullptr) {
  std::filesystem::create_directory(files());
  const auto command = [&](std::uint16_t port) {
    std::vector<std::string> words{"rclone",           "serve",
                                   "webdav",           files(),
                                   "--addr",           "127.0.0.1:" + std::to_string(port),
                                   "--user",           "tester",
                                   "--pass",           "secret",
                                   "--config",         "",
                                   "--vfs-cache-mode", "off",
                                   "--dir-cache-time", "0"};
    if (certificate != nullptr) {
      words.insert(words.end(), {"--cert", certificate->certificate, "--key", certificate->key});
    }
    return words;
  };
  process_ = std::make_unique<ServerProcess>(command, scratch_.path() / "rclone.log");
}

std::string RcloneDav::url() const {
  return (has_tls_ ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(port()) + "/";
}

std::string RcloneDav::make_folder() const {
  std::string name = random_hex(8);
  std::filesystem::create_directory(files() / name);
  return name;
}

}  // namespace coffer::servers
