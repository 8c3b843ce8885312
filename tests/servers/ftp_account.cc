#include "servers/ftp_account.h"

#include "base/random.h"
#include "servers/system_account.h"

namespace coffer::servers {

void give_to_ftp(const std::filesystem::path& folder) {
  give_to(folder, "ftp");
}

std::string make_folder_for_ftp(const std::filesystem::path& above) {
  std::string name = random_hex(8);
  std::filesystem::create_directory(above / name);
  give_to_ftp(above / name);
  return name;
}

}  // namespace coffer::servers
