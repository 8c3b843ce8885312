#include "servers/scratch.h"

#include <unistd.h>

#include <stdexcept>
#include <system_error>

#include "base/random.h"

namespace coffer::servers {

namespace fs = std::filesystem;

Scratch::Scratch() : path_(fs::temp_directory_path() / ("coffer-server-" + random_hex(8))) {
  fs::create_directory(path_);
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void need_root() {
  if (::geteuid() != 0) {
    throw std::runtime_error("this test starts a server that needs root: run it as root");
  }
}

}  // namespace coffer::servers
