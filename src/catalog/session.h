#pragma once

#include <memory>
#include <string>

#include "base/error.h"

namespace coffer::sql {
class Connection;
class Failure;
}  // namespace coffer::sql

namespace coffer::catalog {

struct Address {
  enum class Kind { sqlite, postgresql };
  Kind kind = Kind::sqlite;
  std::string target;  ///< The file's absolute path, or the libpq URI, maybe with a password.

  /// Parses an address. `invalid` unless it is `sqlite:///absolute/file` or `postgresql://...`.
  static Result<Address> parse(const std::string& url);
};

/// The durability of a connection's commits on SQLite. A power failure undoes no `synced` commit.
/// It may undo the last `ordered` commits, but does not corrupt the database or change their order.
/// On PostgreSQL, the settings of its server apply.
enum class Durability { synced, ordered };

/// Opens a connection. Throws sql::Failure if this fails. Gives up after a few seconds if
/// PostgreSQL does not answer; the address can set another limit. On this connection, PostgreSQL
/// aborts a statement after eight seconds.
std::unique_ptr<sql::Connection> open_session(const Address& address, Durability durability);

/// Returns the descriptor of the socket of a connection to PostgreSQL; -1 for SQLite.
int socket_of(const sql::Connection& session);

/// Returns a description of the failure in one line. It contains neither the password of the
/// address nor values that were bound to the statement.
std::string describe(const sql::Failure& failure, const Address& address);

}  // namespace coffer::catalog
