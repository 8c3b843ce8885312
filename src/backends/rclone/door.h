#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "backends/rclone/loopback_listener.h"
#include "backends/rclone/offer.h"

namespace coffer::rclone {

/// Where the engine fetches what it is to upload: an HTTP server on loopback, which gives each
/// offer once, to who knows its address. Safe from any thread.
class Door {
 public:
  /// Throws if there is no port.
  Door();
  /// Cuts off what is being fetched.
  ~Door();
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;

  /// An offer's address; the offer is forgotten with this object, but a fetch goes on.
  class Address {
   public:
    ~Address() { door_.withdraw(token_); }
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;
    std::string url() const;

   private:
    friend class Door;
    Address(Door& door, std::string token) : door_(door), token_(std::move(token)) {}
    Door& door_;
    std::string token_;
  };
  /// Must not outlive the door.
  std::unique_ptr<Address> offer(std::shared_ptr<Offer> content);

  /// For work that nobody waits for. It is dropped, unfinished, with the door; once that
  /// `is_ending` nothing may be begun.
  asio::any_io_executor executor() { return listener_.context().get_executor(); }
  bool is_ending() const { return ending_; }
  std::uint16_t port() const { return listener_.port(); }

 private:
  Task<void> serve(asio::ip::tcp::socket socket);
  std::shared_ptr<Offer> take(std::string_view target);
  void withdraw(const std::string& token);

  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Offer>, std::less<>> offers_;
  LoopbackListener listener_;
};

}  // namespace coffer::rclone
