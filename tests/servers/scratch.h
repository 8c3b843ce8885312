#pragma once

#include <filesystem>

namespace coffer::servers {

/// A folder of its own below the temporary folder, gone with all in it at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Gives a file or folder to an account of the system. Throws where there is none.
void give_to(const std::filesystem::path& path, const char* account);

/// Throws a clear line unless the test runs as root, which servers with accounts need.
void need_root();

}  // namespace coffer::servers
