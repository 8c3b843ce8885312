#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace coffer::servers {

/// A server program on a free port of 127.0.0.1, in a process group of its own that is killed at
/// the end. It also ends when the test's thread that started it does.
class ServerProcess {
 public:
  /// `command` makes the program's arguments for a port. Returns when the server accepts
  /// connections; throws with what it printed when it does not.
  ServerProcess(const std::function<std::vector<std::string>(std::uint16_t port)>& command,
                const std::filesystem::path& output);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  bool wait_until_it_serves() const;
  void end();

  std::uint16_t port_ = 0;
  pid_t pid_ = -1;
};

/// Runs a program to its end; throws with what it printed when it fails.
void run_program(const std::vector<std::string>& arguments, const std::filesystem::path& output,
                 const std::string& input = "");

}  // namespace coffer::servers
