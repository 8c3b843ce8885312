#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/error.h"
#include "catalog/call_deadlines.h"
#include "catalog/server_lock.h"
#include "catalog/session.h"

namespace coffer::catalog {

/// An advisory lock of PostgreSQL on a connection of its own ("Explicit Locking", section 13.3.5 of
/// its manual). The connection's application name shows others which server holds it. Not for use
/// through a pooler that gives a connection to others after each transaction.
class PostgresLock final : public ServerLock {
 public:
  /// `exists` with the holder's name if another connection has it; does not wait.
  static Result<std::unique_ptr<ServerLock>> take(const Address& address, Mode mode,
                                                  const std::string& holder);
  ~PostgresLock() override;
  void keep(std::function<void()> look) override;

 private:
  PostgresLock(Address address, Mode mode, std::string holder);
  Result<void> connect();
  bool is_connected();
  void run(const std::stop_token& stop);
  void wait_for_news(const std::stop_token& stop);
  void have_again(const std::stop_token& stop);

  const Address address_;
  const Mode mode_;
  const std::string holder_;
  CallDeadlines deadlines_;
  std::unique_ptr<soci::session> session_;
  std::optional<ConnectionSocket> socket_;
  std::function<void()> look_;
  int wake_;             ///< An eventfd: the thread is to end.
  std::jthread thread_;  ///< Last: it uses everything above.
};

}  // namespace coffer::catalog
