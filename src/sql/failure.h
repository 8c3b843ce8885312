#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace coffer::sql {

/// A failure of the database. `what` is the database's message in one line, without the values that
/// were bound to the statement.
class Failure : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t {
    constraint,   ///< The statement violates a constraint of the schema.
    wrong_value,  ///< PostgreSQL does not take a value, such as a text that is no UTF-8.
    disk_full,
    unready,  ///< The connection is lost, PostgreSQL starts, stops or canceled, SQLite is locked.
    busy,     ///< PostgreSQL ended the statement, since it waited or worked too long, or in a
              ///< deadlock.
    division_by_zero,
    damaged,  ///< A column has a value that its type cannot hold.
    other,
  };

  Failure(Kind kind, const std::string& message, bool may_have_committed = false)
      : std::runtime_error(message), kind_(kind), may_have_committed_(may_have_committed) {}
  Kind kind() const { return kind_; }
  /// Returns true if it is unknown whether the transaction was committed.
  bool may_have_committed() const { return may_have_committed_; }

 private:
  Kind kind_;
  bool may_have_committed_;
};

}  // namespace coffer::sql
