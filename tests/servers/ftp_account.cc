#include "servers/ftp_account.h"

#include <pwd.h>
#include <unistd.h>

#include <stdexcept>

#include "base/random.h"

namespace coffer::servers {

void give_to_ftp(const std::filesystem::path& folder) {
  const passwd* account = ::getpwnam("ftp");
  if (account == nullptr) throw std::runtime_error("no account ftp: install the package vsftpd");
  if (::chown(folder.c_str(), account->pw_uid, account->pw_gid) != 0) {
    throw std::runtime_error("cannot give a folder to the account ftp");
  }
}

std::string make_folder_for_ftp(const std::filesystem::path& above) {
  std::string name = random_hex(8);
  std::filesystem::create_directory(above / name);
  give_to_ftp(above / name);
  return name;
}

}  // namespace coffer::servers
