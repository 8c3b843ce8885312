#pragma once

#include <memory>
#include <string>

#include "base/error.h"

namespace soci {
class session;
class soci_error;
}  // namespace soci

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

/// Opens a connection. Throws soci_error if this fails. Gives up after a few seconds if PostgreSQL
/// does not answer; the address can set another limit. On this connection, PostgreSQL aborts a
/// statement after eight seconds.
std::unique_ptr<soci::session> open_session(const Address& address, Durability durability);

bool is_disk_full(const soci::soci_error& error);

/// Returns true if the error means that the database does not answer at present: the connection is
/// lost, PostgreSQL starts or stops, has no room for the connection or canceled the statement, or
/// SQLite's file is locked for too long.
bool is_unready(const soci::soci_error& error, soci::session& session);

/// Returns a description of the error in one line. It contains neither the password of the address
/// nor values that were bound to the statement.
std::string describe(const soci::soci_error& error, const Address& address);

}  // namespace coffer::catalog
