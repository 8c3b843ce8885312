#pragma once

#include <memory>
#include <string>

#include "base/error.h"

namespace soci {
class session;
class soci_error;
}  // namespace soci

namespace coffer::catalog {

/// The address of a database.
struct Address {
  enum class Kind { sqlite, postgresql };
  Kind kind = Kind::sqlite;
  std::string target;  ///< The file's absolute path, or the libpq URI, maybe with a password.

  /// Parses an address. `invalid` for all texts but `sqlite:///absolute/file` and `postgresql://…`.
  static Result<Address> parse(const std::string& url);
};

/// The durability of a session's commits on SQLite. PostgreSQL has its own settings.
enum class Durability { synced, ordered };

/// Opens a connection. Throws soci_error if it fails; if PostgreSQL does not answer, after a few
/// seconds unless the address sets another limit. PostgreSQL aborts a statement after eight
/// seconds. With Durability::ordered, a power failure may undo the last commits on SQLite, but they
/// keep their order and the database is not corrupted.
std::unique_ptr<soci::session> open_session(const Address& address, Durability durability);

/// Returns true if the error says that the disk is full.
bool is_disk_full(const soci::soci_error& error);

/// Returns a description of one line, without the address's password and without bound values.
std::string describe(const soci::soci_error& error, const Address& address);

}  // namespace coffer::catalog
