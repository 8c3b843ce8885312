#include "http/server.h"

#include <sys/stat.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

#include "base/log.h"
#include "http/worker.h"

namespace coffer::http {

namespace fs = std::filesystem;

namespace {

/// The file of a Unix socket that was bound. Another server may have its path later.
class SocketFile {
 public:
  explicit SocketFile(const fs::path& path) : path_(path), is_known_(look(status_)) {}

  void remove() const {
    struct stat now{};
    const bool is_same =
        is_known_ && look(now) && now.st_dev == status_.st_dev && now.st_ino == status_.st_ino;
    std::error_code ignored;  // A socket without a server refuses connections, too.
    if (is_same) fs::remove(path_, ignored);
  }

 private:
  bool look(struct stat& status) const { return ::lstat(path_.c_str(), &status) == 0; }

  const fs::path path_;
  struct stat status_{};
  const bool is_known_;
};

Result<asio::ip::address> address_of(const std::string& text) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(text, error);
  if (error) return fail(ErrorCode::failed, text + " is not an IP address.");
  return address;
}

}  // namespace

class Server::Impl {
 public:
  Impl(ServerOptions options, const Router& router)
      : options_(std::move(options)), router_(router) {}

  Result<void> start();
  std::uint16_t port() const { return port_; }
  std::uint16_t tls_port() const { return tls_port_; }
  std::size_t connections() const { return connection_counter_.count(); }
  void drain();
  bool stop(std::chrono::milliseconds limit);
  void relieve();
  void relieve_guests_of(const std::string& account);
  void change(const LiveOptions& options);

 private:
  Result<void> listen();
  Result<void> listen_at_ports(std::size_t threads);
  std::unique_ptr<Worker> make_worker();
  bool make_room(const Worker* full, Yielding kind);

  const ServerOptions options_;
  const Router& router_;
  ConnectionCounter connection_counter_;
  std::uint16_t port_ = 0;
  std::uint16_t tls_port_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<SocketFile> socket_file_;
};

std::unique_ptr<Worker> Server::Impl::make_worker() {
  return std::make_unique<Worker>(
      options_, router_, connection_counter_,
      [this](const Worker& full, Yielding kind) { return make_room(&full, kind); });
}

Result<void> Server::Impl::listen_at_ports(std::size_t threads) {
  TRY(const auto address, address_of(options_.address));
  port_ = options_.port;
  for (std::size_t i = 0; i < threads; ++i) {
    auto worker = make_worker();
    TRY_VOID(worker->listen({address, port_}, i == 0));
    port_ = worker->port();
    workers_.push_back(std::move(worker));
  }
  if (!options_.tls) return {};
  TRY(const auto tls_address, address_of(options_.tls->address));
  tls_port_ = options_.tls->port;
  for (const auto& worker : workers_) {
    const bool is_first = worker == workers_.front();
    TRY_VOID(worker->listen({tls_address, tls_port_}, is_first, options_.tls->source));
    tls_port_ = worker->port();
  }
  return {};
}

/// Called on any thread. `full` has none of its own that waits.
bool Server::Impl::make_room(const Worker* full, Yielding kind) {
  const auto yielding = [&](const auto& worker) {
    const bool may = worker.get() != full || kind != Yielding::waiting;
    return may ? worker->yielding(kind) : 0;
  };
  const auto most = std::ranges::max_element(workers_, {}, yielding);
  return most != workers_.end() && yielding(*most) > 0 && (*most)->begin_make_room(kind);
}

Result<void> Server::Impl::listen() {
  if (!options_.socket.empty()) {
    auto worker = make_worker();
    TRY_VOID(worker->listen());
    socket_file_.emplace(options_.socket);
    workers_.push_back(std::move(worker));
    return {};
  }
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return listen_at_ports(options_.threads > 0 ? options_.threads : cores);
}

Result<void> Server::Impl::start() {
  auto listening = listen();
  if (!listening) {
    workers_.clear();
    return listening;
  }
  for (const auto& worker : workers_) worker->start();
  return {};
}

void Server::Impl::drain() {
  for (const auto& worker : workers_) worker->drain();
}

bool Server::Impl::stop(std::chrono::milliseconds limit) {
  if (socket_file_) socket_file_->remove();
  socket_file_.reset();
  std::vector<std::future<void>> begun;
  for (const auto& worker : workers_) begun.push_back(worker->begin_stop());
  for (auto& each : begun) each.wait();
  connection_counter_.wait_for_none(limit);
  std::vector<std::future<std::size_t>> cuts;
  for (const auto& worker : workers_) cuts.push_back(worker->cut_all());
  std::size_t cut = 0;
  for (auto& each : cuts) cut += each.get();
  // Logged before the threads are joined, which may take long.
  if (cut > 0) spdlog::warn("cut off requests that were still running");
  for (const auto& worker : workers_) worker->join();
  workers_.clear();
  return cut == 0;
}

void Server::Impl::relieve() {
  make_room(nullptr, Yielding::paused_in_room);
}

void Server::Impl::relieve_guests_of(const std::string& account) {
  const auto is_done = std::make_shared<std::atomic<bool>>(false);
  for (const auto& worker : workers_) worker->begin_relieve_guests(account, is_done);
}

void Server::Impl::change(const LiveOptions& options) {
  for (const auto& worker : workers_) worker->change(options);
}

Server::Server(ServerOptions options, const Router& router)
    : impl_(std::make_unique<Impl>(std::move(options), router)) {}

Server::~Server() {
  stop(std::chrono::milliseconds(0));
}

Result<void> Server::start() {
  return impl_->start();
}

std::uint16_t Server::port() const {
  return impl_->port();
}

std::uint16_t Server::tls_port() const {
  return impl_->tls_port();
}

std::size_t Server::connections() const {
  return impl_->connections();
}

void Server::drain() {
  impl_->drain();
}

bool Server::stop(std::chrono::milliseconds limit) {
  return impl_->stop(limit);
}

void Server::relieve() {
  impl_->relieve();
}

void Server::relieve_guests_of(const std::string& account) {
  impl_->relieve_guests_of(account);
}

void Server::change(const LiveOptions& options) {
  impl_->change(options);
}

}  // namespace coffer::http
