#include "servers/own_pam.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace coffer::servers {
namespace {

namespace fs = std::filesystem;

const fs::path kWrapper = COFFER_PAM_WRAPPER;
const fs::path kModule = COFFER_PAM_MODULES "/pam_matrix.so";

std::string rules_for(const fs::path& accounts) {
  std::string rules;
  for (const auto* kind : {"auth", "account", "session"}) {
    rules.append(kind).append(" required ").append(kModule.string());
    rules.append(" passdb=").append(accounts.string()).append("\n");
  }
  return rules;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

OwnPam::OwnPam(const fs::path& folder, const Login& login)
    : services_(folder / "services"),
      service_(login.service),
      rules_(rules_for(folder / "accounts")) {
  if (!fs::exists(kWrapper) || !fs::exists(kModule)) {
    throw std::runtime_error(
        "The tests of passwords need the package libpam-wrapper, and the build to be configured "
        "when it is there.");
  }
  fs::create_directories(services_);
  std::ofstream(folder / "accounts")
      << login.user << ':' << login.password << ':' << login.service << '\n';
  std::ofstream(services_ / service_) << rules_;
  // PAM complains without the rules for services that have none.
  std::ofstream(services_ / "other") << "auth required pam_deny.so\n";
}

OwnPam::~OwnPam() {
  // Each process has a copy of the services there, which stays when the process is killed.
  std::error_code ignored;
  for (const auto& item : fs::directory_iterator("/tmp", ignored)) {
    const bool is_copy = item.path().filename().string().starts_with("pam.") &&
                         text_of(item.path() / service_) == rules_;
    if (is_copy) fs::remove_all(item.path(), ignored);
  }
}

std::vector<std::string> OwnPam::words() const {
  return {"/usr/bin/env", "LD_PRELOAD=" + kWrapper.string(), "PAM_WRAPPER=1",
          "PAM_WRAPPER_SERVICE_DIR=" + services_.string()};
}

}  // namespace coffer::servers
