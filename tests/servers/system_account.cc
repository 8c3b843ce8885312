#include "servers/system_account.h"

#include <pwd.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace coffer::servers {

namespace fs = std::filesystem;

void give_to(const fs::path& path, const char* account) {
  const passwd* found = ::getpwnam(account);
  if (found == nullptr) throw std::runtime_error(std::string("no account ") + account);
  if (::chown(path.c_str(), found->pw_uid, found->pw_gid) != 0) {
    throw std::runtime_error(std::string("cannot give a file to the account ") + account);
  }
}

void need_root() {
  if (::geteuid() != 0) {
    throw std::runtime_error("this test starts a server that needs root: run it as root");
  }
}

}  // namespace coffer::servers
