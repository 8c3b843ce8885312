#include "catalog/session.h"

#include <fcntl.h>
#include <soci/postgresql/soci-postgresql.h>
#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/log.h"

namespace coffer::catalog {
namespace {

constexpr std::string_view kSqlite = "sqlite://";
constexpr int kBusyTimeoutMs = 10'000;
// PostgreSQL cancels a statement before Database's limit ends the connection, so that the error
// says why. A transaction of a vanished client blocks others no longer than that.
constexpr std::string_view kSettings =
    "SELECT set_config('client_min_messages', 'warning', false), "
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
void enter_wal_mode(soci::session& sql) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyTimeoutMs);
  for (;;) {
    try {
      std::string mode;
      sql << "PRAGMA journal_mode = WAL", soci::into(mode);
      if (mode == "wal") return;
      throw soci::soci_error("The file system of the catalog does not allow WAL mode.");
    } catch (const soci::sqlite3_soci_error& error) {
      if (error.result() != SQLITE_BUSY || std::chrono::steady_clock::now() > end) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// The file grows ahead of need, so that new rows fit while the disk is full (WalReserve does the
// same for the log).
void grow_in_chunks(sqlite_api::sqlite3* connection) {
  int chunk_bytes = 1 << 20;
  sqlite_api::sqlite3_file_control(connection, "main", SQLITE_FCNTL_CHUNK_SIZE, &chunk_bytes);
}

std::unique_ptr<soci::session> open_sqlite(const std::string& path, Durability durability) {
  create_private(path);
  auto sql = std::make_unique<soci::session>(soci::sqlite3, "dbname=\"" + path + "\"");
  auto* backend = static_cast<soci::sqlite3_session_backend*>(sql->get_backend());
  sqlite_api::sqlite3_busy_timeout(backend->conn_, kBusyTimeoutMs);
  enter_wal_mode(*sql);
  grow_in_chunks(backend->conn_);
  *sql << (durability == Durability::synced ? "PRAGMA synchronous = FULL"
                                            : "PRAGMA synchronous = NORMAL");
  *sql << "PRAGMA foreign_keys = ON";
  *sql << "PRAGMA cache_size = -256";  // In KiB; the kernel caches the small catalog too.
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

std::unique_ptr<soci::session> open_session(const Address& address, Durability durability) {
  if (address.kind == Address::Kind::sqlite) return open_sqlite(address.target, durability);
  auto sql = std::make_unique<soci::session>("postgresql", with_limits(address.target));
  auto* backend = static_cast<soci::postgresql_session_backend*>(sql->get_backend());
  PQsetNoticeProcessor(backend->conn_, &log_notice, nullptr);
  *sql << kSettings;
  return sql;
}

bool is_disk_full(const soci::soci_error& error) {
  constexpr std::string_view kDiskFull = "53100";  // Appendix A of PostgreSQL's manual.
  if (const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error)) {
    return sqlite->result() == SQLITE_FULL;
  }
  const auto* postgres = dynamic_cast<const soci::postgresql_soci_error*>(&error);
  return postgres && postgres->sqlstate() == kDiskFull;
}

bool is_unready(const soci::soci_error& error, soci::session& session) {
  // Connection exception, insufficient resources, operator intervention.
  constexpr std::string_view kClasses[] = {"08", "53", "57"};
  if (const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error)) {
    return sqlite->result() == SQLITE_BUSY;
  }
  if (session.get_backend_name() != "postgresql") return false;
  auto* backend = static_cast<soci::postgresql_session_backend*>(session.get_backend());
  if (PQstatus(backend->conn_) != CONNECTION_OK) return true;
  const auto* postgres = dynamic_cast<const soci::postgresql_soci_error*>(&error);
  return postgres && std::ranges::any_of(kClasses, [&](std::string_view one) {
           return postgres->sqlstate().starts_with(one);
         });
}

std::string describe(const soci::soci_error& error, const Address& address) {
  // what() would add the statement and the values bound to it.
  std::string line = error.get_error_message();
  std::ranges::replace(line, '\n', ' ');
  while (line.ends_with(' ')) line.pop_back();
  // libpq quotes a malformed address in its message.
  const std::string password = password_of(address.target);
  const bool tells =
      address.kind == Address::Kind::postgresql &&
      (line.find("://") != line.npos || (!password.empty() && line.find(password) != line.npos));
  if (tells) return "The catalog's address or its credentials do not work.";
  if (address.kind == Address::Kind::postgresql) return "The catalog failed: " + line;
  // SOCI names the function that failed before the reason.
  const auto reason = line.starts_with("sqlite3_") ? line.find(": ") : line.npos;
  if (reason != line.npos) line.erase(0, reason + 2);
  return "The catalog " + address.target + " failed: " + line;
}

}  // namespace coffer::catalog
