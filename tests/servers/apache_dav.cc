#include "servers/apache_dav.h"

#include <unistd.h>

#include <fstream>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAccount = "www-data";
constexpr std::string_view kModules[] = {"mpm_event",  "authz_core", "authz_user", "authn_core",
                                         "authn_file", "auth_basic", "dav",        "dav_fs"};
// Made by hand: a slow hash would be made again for each request.
constexpr std::string_view kUser = "tester:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n";
// Without a limit a body may have a GiB.
constexpr std::string_view kSettings = R"(ServerName 127.0.0.1
PidFile own/pid
ErrorLog own/errors
DefaultRuntimeDir own
DavLockDB own/locks
DocumentRoot files
LimitRequestBody 0
ThreadsPerChild 50
KeepAliveTimeout 60
MaxKeepAliveRequests 0
<Location />
Dav On
AuthType Basic
AuthName Coffer
AuthUserFile users
Require valid-user
</Location>
)";

bool has_account() {
  return ::geteuid() == 0;
}

void make_own_folder(const fs::path& folder) {
  fs::create_directory(folder);
  if (has_account()) give_to(folder, kAccount);
}

/// In one process, which could not be told to end with the test once it had changed its user.
std::vector<std::string> command(const std::string& settings) {
  std::vector<std::string> words;
  if (has_account()) {
    words = {"setpriv",        "--reuid",     kAccount, "--regid", kAccount,
             "--clear-groups", "--pdeathsig", "KILL",   "--"};
  }
  words.insert(words.end(), {"/usr/sbin/apache2", "-X", "-f", settings});
  return words;
}

}  // namespace

ApacheDav::ApacheDav() {
  const fs::path& top = scratch_.path();
  make_own_folder(top / "files");
  make_own_folder(top / "own");
  std::ofstream(top / "users") << kUser;
  process_ = std::make_unique<ServerProcess>(
      [&](std::uint16_t port) { return command(write_settings(port)); }, top / "apache.log");
}

std::string ApacheDav::url() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/";
}

std::string ApacheDav::make_folder() const {
  std::string name = random_hex(8);
  make_own_folder(files() / name);
  return name;
}

fs::path ApacheDav::write_settings(std::uint16_t port) const {
  const fs::path file = scratch_.path() / "apache.conf";
  std::ofstream settings(file);
  settings << "ServerRoot " << scratch_.path().string() << "\nListen 127.0.0.1:" << port << '\n';
  for (const auto module : kModules) {
    settings << "LoadModule " << module << "_module /usr/lib/apache2/modules/mod_" << module
             << ".so\n";
  }
  settings << kSettings;
  return file;
}

}  // namespace coffer::servers
