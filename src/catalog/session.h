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

  /// `invalid` for anything but `sqlite:///absolute/file` and `postgresql://…`.
  static Result<Address> parse(const std::string& url);
};

/// The durability of a session's commits on SQLite. PostgreSQL has its own settings.
enum class Durability { synced, ordered };

/// Opens a connection; throws soci_error, within seconds if PostgreSQL does not answer and the
/// address sets no other limit. A statement on PostgreSQL may take eight seconds. `ordered` commits
/// keep their order and cannot corrupt the database, but a power failure may undo the last ones.
std::unique_ptr<soci::session> open_session(const Address& address, Durability durability);

/// True if the disk is full.
bool is_disk_full(const soci::soci_error& error);

/// Describes the error in one line, without the address's password and without bound values.
std::string describe(const soci::soci_error& error, const Address& address);

}  // namespace coffer::catalog
