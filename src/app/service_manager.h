#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace coffer::app {

/// Tells the program that started this one how the server is: systemd and others that set
/// NOTIFY_SOCKET, by the protocol of sd_notify(3). Does nothing where nobody wants to know. For the
/// thread of `context`.
class ServiceManager {
 public:
  ServiceManager(boost::asio::io_context& context,
                 const std::map<std::string, std::string>& environment);

  /// The server serves. From now on the manager is sent signs of life, if it asked for some, for as
  /// long as the context's thread works.
  void tell_ready();
  /// The server reads its settings again; tell_ready ends that.
  void tell_reloading();
  void tell_stopping();
  /// Ends the signs of life.
  void end();

 private:
  void send(std::string_view state, int flags = 0) const;
  void tell_alive();

  const std::string socket_;  ///< Empty: nobody wants to know.
  /// Between two signs of life; zero: none are wanted.
  const std::chrono::microseconds period_;
  boost::asio::steady_timer alive_;
  bool has_ended_ = false;
};

}  // namespace coffer::app
