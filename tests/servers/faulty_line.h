#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <thread>

namespace coffer::servers {

/// A line to a server on the loopback that passes TCP on, until it is made to fail. Safe from any
/// thread.
class FaultyLine {
 public:
  enum class Fault : std::uint8_t {
    none,
    cut,     ///< Closes the connection.
    stall,   ///< Passes nothing on any more, and closes nothing.
    garble,  ///< Flips a bit of every byte.
  };
  enum class Way : std::uint8_t { to_client, to_server };

  explicit FaultyLine(std::uint16_t server_port);
  /// Closes every connection.
  ~FaultyLine();
  FaultyLine(const FaultyLine&) = delete;
  FaultyLine& operator=(const FaultyLine&) = delete;

  std::uint16_t port() const { return port_; }

  /// From now on each connection fails when that many more bytes went this way on it.
  void fail(Fault fault, Way way, std::uint64_t after_bytes);
  /// The same of those alone that stand.
  void fail_standing(Fault fault, Way way, std::uint64_t after_bytes);
  /// Nothing fails from now on, but what failed stays so.
  void repair() { fail(Fault::none, Way::to_client, 0); }
  /// Closes the connections that stand.
  void cut();

  /// How many connections were made, and how many of them stand.
  int connections() const;
  int standing() const;
  /// How many bytes went this way, on all of them.
  std::uint64_t passed(Way way) const;

 private:
  struct Order {
    Fault fault = Fault::none;
    Way way = Way::to_client;
    std::uint64_t after_bytes = 0;
  };
  struct Link {
    int client;
    int server;
    Order order;
    bool is_stalled = false;
    bool is_over = false;
    std::jthread thread = {};
  };

  void accept_all();
  void relay(Link& link);
  bool pass(Link& link, Way way);
  bool pass_on(Link& link, Way way, std::span<char> bytes);

  const std::uint16_t server_port_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  Order order_;
  int connections_ = 0;
  std::array<std::uint64_t, 2> passed_{};
  std::list<Link> links_;
  std::jthread thread_;
};

}  // namespace coffer::servers
