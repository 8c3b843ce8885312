#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "async/pool.h"
#include "base/error.h"
#include "catalog/connectors.h"

namespace coffer::mounts {

/// Stores the renewed tokens of drives, one after the other, on its own thread. If storing a token
/// fails, the keeper tries again after pauses that grow to ten minutes. It drops the token after
/// the error `invalid`, and when it gets a newer token of the drive. Safe from any thread.
class TokenKeeper {
 public:
  using Store = std::function<Result<void>(const catalog::Connector&, const std::string& token)>;

  explicit TokenKeeper(Store store,
                       std::chrono::milliseconds first_pause = std::chrono::seconds(5));
  /// Tries once more to store each token that is not stored yet.
  ~TokenKeeper();
  TokenKeeper(const TokenKeeper&) = delete;
  TokenKeeper& operator=(const TokenKeeper&) = delete;

  void keep(const catalog::Connector& connector, const std::string& token);

 private:
  struct Unkept {
    catalog::Connector connector;
    std::string token;
    bool is_told = false;  ///< True if the failure has been logged.
  };
  void try_all();
  bool is_done(Unkept& unkept) const;

  const Store store_;
  const std::chrono::milliseconds first_pause_;
  // Only `thread_` uses the following members.
  std::chrono::milliseconds pause_ = first_pause_;
  std::map<std::string, Unkept> unkept_;  ///< The key is the connector's id.
  std::optional<asio::steady_timer> later_;
  bool is_ending_ = false;

  Pool thread_{1};
};

}  // namespace coffer::mounts
