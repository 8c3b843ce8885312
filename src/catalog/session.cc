#include "catalog/session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/log.h"
#include "sql/postgres_connection.h"
#include "sql/sqlite_connection.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kSqlite = "sqlite://";
constexpr int kBusyTimeoutMs = 10'000;
/// The file grows ahead of need, so that new rows fit while the disk is full (WalReserve does the
/// same for the log).
constexpr int kChunkBytes = 1 << 20;
// PostgreSQL cancels a statement before Database's limit ends the connection, so that the error
// says why. Compiling a statement (jit) takes longer than any of them runs, and so does planning
// most of them: they are planned once, since none depends on what its parameters are. A transaction
// of a vanished client blocks others no longer than that.
constexpr std::string_view kSettings =
    "SELECT set_config('client_min_messages', 'warning', false), "
    "set_config('jit', 'off', false), "
    "set_config('plan_cache_mode', 'force_generic_plan', false), "
    "set_config('default_transaction_isolation', 'read committed', false), "
    "set_config('statement_timeout', '8s', false), "
    "set_config('idle_in_transaction_session_timeout', '60s', false), "
    "set_config('tcp_keepalives_idle', '30', false), "
    "set_config('tcp_keepalives_interval', '10', false), "
    "set_config('tcp_keepalives_count', '3', false)";
// The timeouts of libpq. Values in the address override them.
constexpr std::string_view kLimits[] = {"connect_timeout=5", "keepalives_idle=30",
                                        "keepalives_interval=10", "keepalives_count=3",
                                        "tcp_user_timeout=30000"};

// SQLite would make the file with the umask's mode. An existing file is not opened, since closing
// it would drop the locks of this process's other connections.
void create_private(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
}

// Two processes that switch a new file to WAL at once get SQLITE_BUSY despite the timeout.
void enter_wal_mode(sql::Connection& sql) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  for (;;) {
    try {
      if (sql.only<std::string>("PRAGMA journal_mode = WAL") == "wal") return;
      throw sql::Failure(sql::Failure::Kind::other,
                         "The file system of the catalog does not allow WAL mode.");
    } catch (const sql::Failure& failure) {
      const bool is_busy = failure.kind() == sql::Failure::Kind::unready;
      if (!is_busy || std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

std::unique_ptr<sql::Connection> open_sqlite(const std::string& path, Durability durability) {
  create_private(path);
  auto sql = std::make_unique<sql::SqliteConnection>(path, kBusyTimeoutMs, kChunkBytes);
  enter_wal_mode(*sql);
  sql->run_once(durability == Durability::synced ? "PRAGMA synchronous = FULL"
                                                 : "PRAGMA synchronous = NORMAL");
  sql->run_once("PRAGMA foreign_keys = ON");
  sql->run_once("PRAGMA cache_size = -256");  // In KiB; the kernel caches the small catalog too.
  return sql;
}

std::string with_limits(std::string uri) {
  for (const std::string_view limit : kLimits) {
    const auto name = limit.substr(0, limit.find('=') + 1);
    if (uri.find(name) != uri.npos) continue;
    uri += uri.find('?') == uri.npos ? '?' : '&';
    uri += limit;
  }
  return uri;
}

std::string password_of(std::string_view uri) {
  const auto parameter = uri.find("password=");
  if (parameter != uri.npos) {
    const auto text = uri.substr(parameter + 9);
    return std::string(text.substr(0, text.find('&')));
  }
  const auto start = uri.find("://");
  const auto at = uri.rfind('@');
  if (start == uri.npos || at == uri.npos) return {};
  const auto colon = uri.find(':', start + 3);
  return colon < at ? std::string(uri.substr(colon + 1, at - colon - 1)) : std::string();
}

/// Called by libpq for each notice, which it would print to standard error otherwise, past the log.
void log_notice(void* /*unused*/, const char* message) {
  std::string line = message;
  while (line.ends_with('\n')) line.pop_back();
  std::ranges::replace(line, '\n', ' ');
  spdlog::warn("PostgreSQL: {}", line);
}

}  // namespace

Result<Address> Address::parse(const std::string& url) {
  if (url.starts_with("sqlite:///") && url.find('"') == url.npos) {
    return Address{Kind::sqlite, url.substr(kSqlite.size())};
  }
  if (url.starts_with("postgresql://")) return Address{Kind::postgresql, url};
  return fail(ErrorCode::invalid,
              "The catalog's address must be sqlite:///absolute/file or postgresql://….");
}

std::unique_ptr<sql::Connection> open_session(const Address& address, Durability durability) {
  if (address.kind == Address::Kind::sqlite) return open_sqlite(address.target, durability);
  auto sql = std::make_unique<sql::PostgresConnection>(with_limits(address.target), &log_notice);
  sql->run_once(kSettings);
  sql->flush();
  return sql;
}

int socket_of(const sql::Connection& session) {
  const auto* const postgres = dynamic_cast<const sql::PostgresConnection*>(&session);
  return postgres == nullptr ? -1 : postgres->socket();
}

std::string describe(const sql::Failure& failure, const Address& address) {
  const std::string line = failure.what();
  // libpq quotes a malformed address in its message.
  const std::string password = password_of(address.target);
  const bool tells =
      address.kind == Address::Kind::postgresql &&
      (line.find("://") != line.npos || (!password.empty() && line.find(password) != line.npos));
  if (tells) return "The catalog's address or its credentials do not work.";
  if (address.kind == Address::Kind::postgresql) return "The catalog failed: " + line;
  return "The catalog " + address.target + " failed: " + line;
}

}  // namespace coffer::catalog
