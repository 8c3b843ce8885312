#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace coffer::servers {

/// PAM settings that only the programs started with them see, by pam_wrapper(1): one service, which
/// lets one user in with one password. Throws where the package libpam-wrapper is missing.
class OwnPam {
 public:
  struct Login {
    std::string service;
    std::string user;
    std::string password;
  };
  /// Its files go to `folder`, which is made and not removed.
  OwnPam(const std::filesystem::path& folder, const Login& login);
  /// Removes what pam_wrapper left behind; the programs must have ended.
  ~OwnPam();
  OwnPam(const OwnPam&) = delete;
  OwnPam& operator=(const OwnPam&) = delete;

  /// What stands before the words of a program.
  std::vector<std::string> words() const;

 private:
  const std::filesystem::path services_;
  const std::string service_;
  const std::string rules_;
};

}  // namespace coffer::servers
