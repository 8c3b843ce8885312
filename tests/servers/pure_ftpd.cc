#include "servers/pure_ftpd.h"

#include <pwd.h>

#include <fstream>
#include <stdexcept>

#include "servers/system_account.h"

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

const fs::path kUnpacked = COFFER_UNPACKED_SERVERS;
constexpr std::string_view kHashOfSecret = "$1$coffer$wvkQLSd7Qq3wHqusNXhUZ0";

void make_account(const fs::path& top) {
  const fs::path files = top / "files";
  fs::create_directory(files);
  give_to_ftp(files);
  const passwd* account = ::getpwnam("ftp");
  fs::permissions(top, fs::perms::others_exec, fs::perm_options::add);
  const std::string tool = kUnpacked / "usr/bin/pure-pw";
  if (!fs::exists(tool)) throw std::runtime_error("no pure-ftpd: run script/setup first");
  const std::string accounts = top / "passwd";
  // Written by hand: the tool's own hashes take a second for each login.
  std::ofstream(accounts) << "tester:" << kHashOfSecret << ':' << account->pw_uid << ':'
                          << account->pw_gid << "::" << files.string() << "/./::::::::::::\n";
  run_program({tool, "mkdb", top / "accounts.pdb", "-f", accounts}, top / "pure-pw.log");
}

}  // namespace

PureFtpd::PureFtpd(bool tls) {
  need_root();
  make_account(scratch_.path());
  if (tls) certificate_ = std::make_unique<Certificate>(scratch_.path());
  process_ = std::make_unique<ServerProcess>([&](std::uint16_t port) { return command(port); },
                                             scratch_.path() / "pure-ftpd.log");
}

std::vector<std::string> PureFtpd::command(std::uint16_t port) const {
  // -E no anonymous users, -A everybody in a folder of his own, -H no names of hosts,
  // -c and -C how many clients, -u the least user number, -g where the process number goes.
  std::vector<std::string> words = {kUnpacked / "usr/sbin/pure-ftpd",
                                    "-S",
                                    "127.0.0.1," + std::to_string(port),
                                    "-l",
                                    "puredb:" + (scratch_.path() / "accounts.pdb").string(),
                                    "-E",
                                    "-A",
                                    "-H",
                                    "-c",
                                    "100",
                                    "-C",
                                    "100",
                                    "-u",
                                    "1",
                                    "-g",
                                    scratch_.path() / "pid"};
  if (certificate_) {
    // Both the commands and the data must be protected.
    words.insert(words.end(), {"-Y", "3", "-2", certificate_->both});
  }
  return words;
}

}  // namespace coffer::servers
