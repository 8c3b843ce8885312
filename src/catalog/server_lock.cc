#include "catalog/server_lock.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/lock_file.h"
#include "base/log.h"
#include "catalog/call_deadlines.h"
#include "catalog/session.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

constexpr std::chrono::seconds kCallLimit{10};
constexpr int kRetryMs = 250;

// Other users of advisory locks in this database must use another number.
constexpr std::string_view kTryAlone = "SELECT CAST(pg_try_advisory_lock(4853165) AS INTEGER)";
constexpr std::string_view kTryShared =
    "SELECT CAST(pg_try_advisory_lock_shared(4853165) AS INTEGER)";
constexpr std::string_view kHolder =
    "SELECT a.application_name || ', connected since ' || "
    "to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') || ' UTC' "
    "FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "JOIN pg_database d ON d.oid = l.database AND d.datname = current_database() "
    "WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = 4853165 LIMIT 1";

std::string holder_in(sql::Connection& sql) {
  return sql.value<std::string>(kHolder).value_or("");
}

/// An advisory lock of PostgreSQL on a connection of its own ("Explicit Locking", section 13.3.5 of
/// its manual). The connection's application name names the holder. It does not work through a
/// pooler that shares a connection after each transaction.
class PostgresLock final : public ServerLock {
 public:
  /// `exists` with the holder's name if another connection has it; does not wait.
  static Result<std::unique_ptr<ServerLock>> take(const Address& address, Mode mode,
                                                  const std::string& holder);
  ~PostgresLock() override;
  void keep(std::int64_t life_key, std::function<void()> look) override;

 private:
  PostgresLock(Address address, Mode mode, std::string holder);
  Result<void> connect();
  bool lock_life(sql::Connection& session) const;
  bool has_life_lock();
  bool is_connected();
  void run(const std::stop_token& stop);
  void wait_for_news(const std::stop_token& stop);
  void have_again(const std::stop_token& stop);

  const Address address_;
  const Mode mode_;
  const std::string holder_;
  CallDeadlines deadlines_;
  std::unique_ptr<sql::Connection> session_;
  std::optional<ConnectionSocket> socket_;
  std::optional<std::int64_t> life_key_;  ///< Set by `keep`.
  std::function<void()> look_;
  int wake_;             ///< An eventfd that ends the thread.
  std::jthread thread_;  ///< Last, since it uses all members above.
};

PostgresLock::PostgresLock(Address address, Mode mode, std::string holder)
    : address_(std::move(address)),
      mode_(mode),
      holder_(std::move(holder)),
      wake_(::eventfd(0, EFD_CLOEXEC)) {}

PostgresLock::~PostgresLock() {
  thread_.request_stop();
  ::eventfd_write(wake_, 1);
  if (thread_.joinable()) thread_.join();
  ::close(wake_);
}

Result<std::unique_ptr<ServerLock>> PostgresLock::take(const Address& address, Mode mode,
                                                       const std::string& holder) {
  std::unique_ptr<PostgresLock> lock(new PostgresLock(address, mode, holder));
  TRY_VOID(lock->connect());
  return lock;
}

Result<void> PostgresLock::connect() {
  session_.reset();
  socket_.reset();
  try {
    auto session = open_session(address_, Durability::synced);
    ConnectionSocket socket(socket_of(*session));
    const CallDeadlines::Call call(deadlines_, socket, kCallLimit);
    session->run("SELECT set_config('application_name', $1, false)", holder_);
    const bool is_locked = session->only<bool>(mode_ == Mode::alone ? kTryAlone : kTryShared);
    if (!is_locked) return fail(ErrorCode::exists, holder_in(*session));
    if (life_key_ && !lock_life(*session)) {
      return fail(ErrorCode::exists, "a server that ends this one's run");
    }
    session_ = std::move(session);
    socket_ = std::move(socket);
    return {};
  } catch (const sql::Failure& failure) {
    return fail(ErrorCode::failed, describe(failure, address_));
  }
}

bool PostgresLock::lock_life(sql::Connection& session) const {
  return session.only<bool>("SELECT CAST(pg_try_advisory_lock_shared($1) AS INTEGER)", *life_key_);
}

void PostgresLock::keep(std::int64_t life_key, std::function<void()> look) {
  life_key_ = life_key;
  look_ = std::move(look);
  const bool lives = has_life_lock();
  thread_ = std::jthread([this, lives](const std::stop_token& stop) {
    if (!lives) have_again(stop);
    run(stop);
  });
}

bool PostgresLock::has_life_lock() {
  try {
    const CallDeadlines::Call call(deadlines_, *socket_, kCallLimit);
    return lock_life(*session_);
  } catch (const sql::Failure&) {
    return false;  // The connection broke, or another server ends the run.
  }
}

void PostgresLock::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    wait_for_news(stop);
    if (stop.stop_requested() || is_connected()) continue;
    spdlog::warn("the connection with the catalog's lock broke");
    have_again(stop);
  }
}

// PostgreSQL sends data on an idle connection only to end it or to announce a changed setting.
void PostgresLock::wait_for_news(const std::stop_token& stop) {
  pollfd waiting[] = {{socket_->descriptor(), POLLIN, 0}, {wake_, POLLIN, 0}};
  while (!stop.stop_requested() && ::poll(waiting, 2, -1) < 0 && errno == EINTR) {
  }
}

bool PostgresLock::is_connected() {
  try {
    const CallDeadlines::Call call(deadlines_, *socket_, kCallLimit);
    session_->only<int>("SELECT 1");
    return true;
  } catch (const sql::Failure&) {
    return false;  // The caller reports it.
  }
}

void PostgresLock::have_again(const std::stop_token& stop) {
  for (auto had = connect(); !stop.stop_requested(); had = connect()) {
    // Also after a failure, since another server may have it.
    look_();
    if (had) break;
    pollfd waiting{wake_, POLLIN, 0};
    ::poll(&waiting, 1, kRetryMs);
  }
  if (session_) spdlog::info("the catalog's lock was taken again");
}

// A killed server ends within milliseconds, also for PostgreSQL, and a command that changes the
// schema ends within a second.
constexpr int kTries = 40;
constexpr std::chrono::milliseconds kPause{50};

class FileServerLock final : public ServerLock {
 public:
  explicit FileServerLock(LockFile file) : file_(std::move(file)) {}
  void keep(std::int64_t /*life_key*/, std::function<void()> /*look*/) override {
  }  // Such a lock cannot be lost.

 private:
  LockFile file_;
};

/// Returns the lock's file, the same for every path to the database.
std::filesystem::path lock_file_of(const std::string& database) {
  std::error_code unresolved;  // The path is used as given then.
  auto path = std::filesystem::weakly_canonical(database, unresolved);
  if (unresolved) path = database;
  return path += ".lock";
}

Result<std::unique_ptr<ServerLock>> try_file(const Address& address, ServerLock::Mode mode,
                                             const std::string& holder) {
  const auto file = lock_file_of(address.target);
  TRY(auto lock, LockFile::take(file, mode, holder));
  if (lock) return std::make_unique<FileServerLock>(*std::move(lock));
  return fail(ErrorCode::exists, LockFile::holder_of(file));
}

Result<std::unique_ptr<ServerLock>> try_once(const Address& address, ServerLock::Mode mode,
                                             const std::string& holder) {
  if (address.kind == Address::Kind::sqlite) return try_file(address, mode, holder);
  return PostgresLock::take(address, mode, holder);
}

}  // namespace

Result<std::unique_ptr<ServerLock>> take_server_lock(const Address& address, ServerLock::Mode mode,
                                                     const std::string& holder) {
  auto lock = try_once(address, mode, holder);
  for (int i = 1; i < kTries && !lock && lock.error().code == ErrorCode::exists; ++i) {
    std::this_thread::sleep_for(kPause);
    lock = try_once(address, mode, holder);
  }
  if (lock || lock.error().code != ErrorCode::exists) return lock;
  const std::string other = lock.error().message.empty() ? "" : ": " + lock.error().message;
  return fail(ErrorCode::exists, "Another server uses this catalog" + other + ".");
}

}  // namespace coffer::catalog
