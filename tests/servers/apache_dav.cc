#include "servers/apache_dav.h"

#include <unistd.h>

#include <fstream>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "servers/system_account.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAccount = "www-data";
constexpr const char* kSettings = COFFER_SERVER_SETTINGS "/apache_dav.conf";
// Made by hand: a slow hash would be made again for each request.
constexpr std::string_view kUser = "tester:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n";

bool has_account() {
  return ::geteuid() == 0;
}

void give(const fs::path& path) {
  if (has_account()) give_to(path, kAccount);
}

void make_own_folder(const fs::path& folder) {
  fs::create_directory(folder);
  give(folder);
}

/// Where it may read them: its account need not be able to see ours.
void make_settings(const fs::path& top) {
  fs::permissions(top, fs::perms::others_exec, fs::perm_options::add);
  fs::copy_file(kSettings, top / "settings");
  std::ofstream(top / "users") << kUser;
  give(top / "settings");
  give(top / "users");
}

/// In one process, which could not be made to end with the test once it had changed its user.
std::vector<std::string> command(const fs::path& top, std::uint16_t port) {
  std::vector<std::string> words;
  if (has_account()) {
    words = {"setpriv",        "--reuid",     kAccount, "--regid", kAccount,
             "--clear-groups", "--pdeathsig", "KILL",   "--"};
  }
  words.insert(words.end(), {"/usr/sbin/apache2", "-X", "-d", top, "-f", "settings", "-C",
                             "Listen 127.0.0.1:" + std::to_string(port)});
  return words;
}

}  // namespace

ApacheDav::ApacheDav() {
  const fs::path& top = scratch_.path();
  make_own_folder(top / "files");
  make_own_folder(top / "own");
  make_settings(top);
  process_ = std::make_unique<ServerProcess>([&](std::uint16_t port) { return command(top, port); },
                                             top / "apache.log");
}

std::string ApacheDav::url() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/";
}

std::string ApacheDav::make_folder() const {
  std::string name = random_hex(8);
  make_own_folder(files() / name);
  return name;
}

}  // namespace coffer::servers
