#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "backends/rclone/engine/loopback_listener.h"
#include "backends/rclone/engine/upload_source.h"

namespace coffer::rclone {

/// An HTTP server on loopback, from which the engine (rclone process) fetches the content of
/// uploads. It serves each UploadSource once, at a secret address. Safe from any thread.
class UploadServer {
 public:
  /// Throws if it cannot listen, for example because no port is free.
  UploadServer();
  /// Closes the connections of fetches in progress.
  ~UploadServer();
  UploadServer(const UploadServer&) = delete;
  UploadServer& operator=(const UploadServer&) = delete;

  /// The address of one UploadSource. Destroying this object withdraws the source, but a fetch in
  /// progress continues.
  class Address {
   public:
    ~Address() { upload_server_.withdraw(token_); }
    Address(const Address&) = delete;
    Address& operator=(const Address&) = delete;
    std::string url() const;

   private:
    friend class UploadServer;
    Address(UploadServer& upload_server, std::string token)
        : upload_server_(upload_server), token_(std::move(token)) {}
    UploadServer& upload_server_;
    std::string token_;
  };
  /// Makes `content` available at an address. The Address must not outlive this server.
  std::unique_ptr<Address> upload_source(std::shared_ptr<UploadSource> content);

  /// Returns an executor for background work. The destructor of this server drops unfinished work.
  /// When `is_ending` is true, callers must not start new work on the executor.
  asio::any_io_executor executor() { return listener_.context().get_executor(); }
  bool is_ending() const { return ending_; }
  std::uint16_t port() const { return listener_.port(); }

 private:
  Task<void> serve(asio::ip::tcp::socket socket);
  std::shared_ptr<UploadSource> take(std::string_view target);
  void withdraw(const std::string& token);

  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<UploadSource>, std::less<>> offers_;
  LoopbackListener listener_;
};

}  // namespace coffer::rclone
