#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coffer::ftp {

/// An FTP server for tests, on loopback, with one file that behaves badly as asked. Every command
/// but a few is refused with 502.
class FakeServer {
 public:
  struct Behaviour {
    bool closes_at_connect = false;
    bool says_nothing = false;     ///< Accepts, and that is all.
    bool stalls_at_login = false;  ///< Takes the user name, and that is all.
    bool refuses_login = false;
    bool stalls_in_commands = false;  ///< Answers nothing after the login.
    bool stalls_in_data = false;      ///< Sends what it has before the cut, and that is all.
    std::string features = {};        ///< Lines for FEAT, each ` NAME\r\n`.
    std::string listing = {};         ///< Sent for LIST and MLSD.
    std::string mlsd_listing = {};    ///< Sent for MLSD in place of `listing`, unless empty.
    std::string content = {};         ///< Sent for RETR.
    std::string time = "20200102030405";
    /// After so many bytes each data connection is cut, and with it the connection for commands.
    std::size_t cut_after = SIZE_MAX;
    bool withholds_the_end = false;  ///< Says nothing after a data connection is closed.
    bool endless_listing = false;
    bool endless_reply = false;   ///< To CWD, as fast as it is taken.
    bool dripping_reply = false;  ///< To CWD, an endless one of short lines with pauses.
    /// What is answered to these lines, or to all that begin with these words.
    std::map<std::string, std::string> replies = {};
    std::string data_address = {};  ///< If set, PASV names it and EPSV is refused.
  };

  explicit FakeServer(Behaviour behaviour);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  std::uint16_t port() const { return port_; }
  /// Changes it for what comes.
  void set(const std::function<void(Behaviour&)>& change);
  /// Every line received so far, in order.
  std::vector<std::string> received() const;
  int logins() const { return logins_; }
  /// Closes all connections that are open.
  void hang_up();

 private:
  class Talk;
  Behaviour behaviour() const;
  int keep(int socket);
  void let_go(int socket);
  void accept_all();

  mutable std::mutex mutex_;
  Behaviour behaviour_;
  std::vector<std::string> received_;
  std::vector<int> open_;
  std::vector<std::jthread> talks_;
  std::atomic<int> logins_ = 0;
  std::atomic<bool> ending_ = false;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::jthread acceptor_;
};

}  // namespace coffer::ftp
