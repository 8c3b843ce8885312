#pragma once

#include <memory>
#include <string>

#include "base/error.h"

namespace soci {
class session;
class soci_error;
}  // namespace soci

namespace coffer::catalog {

/// Which database an address names, and how to reach it.
struct Address {
  enum class Kind { sqlite, postgresql };
  Kind kind = Kind::sqlite;
  std::string target;  ///< The file's absolute path, or the libpq URI. May hold a password.

  /// `invalid` for anything but `sqlite:///absolute/file` and `postgresql://…`.
  static Result<Address> parse(const std::string& url);
};

/// How far a commit of the session waits for the disk. SQLite only: PostgreSQL has its own
/// settings.
enum class Durability { synced, ordered };

/// Opens a connection; throws soci_error, within seconds where PostgreSQL does not answer and the
/// address sets no other limit. There a statement may take eight seconds. `ordered` commits are
/// safe against corruption and keep their order, but the last of them may be lost when the power
/// fails.
std::unique_ptr<soci::session> open_session(const Address& address, Durability durability);

/// True if it failed for lack of room on a disk.
bool is_disk_full(const soci::soci_error& error);

/// One line that says what went wrong, without the address's password and without bound values.
std::string describe(const soci::soci_error& error, const Address& address);

}  // namespace coffer::catalog
