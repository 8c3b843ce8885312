#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sql/failure.h"
#include "sql/value.h"

namespace coffer::sql {

/// What a statement returned: all its rows, in memory.
struct Answer {
  std::size_t columns = 0;
  std::vector<Value> values;  ///< Row by row.
  std::int64_t changed = 0;   ///< The number of rows that a statement which changes rows changed.
};

/// A row of an answer, which it keeps alive.
class Row {
 public:
  Row(std::shared_ptr<const Answer> answer, std::size_t number)
      : answer_(std::move(answer)), first_(number * answer_->columns) {}

  const Value& at(std::size_t column) const {
    if (column >= answer_->columns) throw std::logic_error("A row has fewer columns.");
    return answer_->values[first_ + column];
  }
  template <class T>
  T get(std::size_t column) const {
    return Codec<T>::from(at(column));
  }

 private:
  std::shared_ptr<const Answer> answer_;
  std::size_t first_;
};

/// A connection to a database. Parameters of a statement are `$1`, `$2` and so on, in both
/// dialects; their order is that of the arguments. A statement is prepared once for each connection
/// and kept. All functions throw Failure. Not safe for concurrent calls.
class Connection {
 public:
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual bool is_sqlite() const = 0;

  /// Executes a statement and returns its rows.
  template <class... A>
  std::vector<Row> query(std::string_view text, const A&... arguments) {
    return rows_of(execute(text, {to_value(arguments)...}));
  }
  /// Like `query`, with arguments that are values already.
  std::vector<Row> query_values(std::string_view text, std::vector<Value> arguments) {
    return rows_of(execute(text, std::move(arguments)));
  }
  /// Returns the first row, or nullopt if there is none.
  template <class... A>
  std::optional<Row> first(std::string_view text, const A&... arguments) {
    auto rows = query(text, arguments...);
    return rows.empty() ? std::nullopt : std::optional(std::move(rows.front()));
  }
  /// Returns the first column of the first row, or nullopt if there is no row.
  template <class T, class... A>
  std::optional<T> value(std::string_view text, const A&... arguments) {
    const auto row = first(text, arguments...);
    return row ? std::optional(row->template get<T>(0)) : std::nullopt;
  }
  /// Returns the first column of the only row of a query that always returns one, as of a count.
  template <class T, class... A>
  T only(std::string_view text, const A&... arguments) {
    auto found = value<T>(text, arguments...);
    if (!found) throw Failure(Failure::Kind::damaged, "A query has no row that always has one.");
    return *std::move(found);
  }
  /// Executes a statement, and returns how many rows it inserted, updated or deleted.
  template <class... A>
  std::int64_t change(std::string_view text, const A&... arguments) {
    return execute(text, {to_value(arguments)...}).changed;
  }
  /// Like `change`, with arguments that are values already.
  std::int64_t change_values(std::string_view text, std::vector<Value> arguments) {
    return execute(text, std::move(arguments)).changed;
  }
  /// Executes a statement whose result does not matter. On PostgreSQL it is sent together with the
  /// next statement that is waited for, at the latest with the 64th of its kind, and a failure is
  /// reported then. What goes out together outside of a transaction is a transaction of its own.
  template <class... A>
  void run(std::string_view text, const A&... arguments) {
    enqueue(text, {to_value(arguments)...}, Keep::yes);
  }
  /// Like `run`, with arguments that are values already.
  void run_values(std::string_view text, std::vector<Value> arguments) {
    enqueue(text, std::move(arguments), Keep::yes);
  }
  /// Like `run`, for a statement that is seldom executed, and so is not kept.
  void run_once(std::string_view text) { enqueue(text, {}, Keep::no); }
  /// Waits for the statements of `run`.
  virtual void flush() = 0;

  /// Begins a transaction. `text` is the dialect's way to begin one. On PostgreSQL, like `run`.
  virtual void begin(std::string_view text) = 0;
  /// Commits the transaction. On PostgreSQL, together with the statements of `run` before it: a
  /// transaction of such statements alone takes one round trip.
  virtual void commit() = 0;
  /// Ends the transaction without effect. Does nothing on a connection that is lost.
  virtual void roll_back() = 0;

 protected:
  Connection() = default;
  enum class Keep : std::uint8_t { no, yes };
  /// The most statements that a connection keeps: more than the program has, but some texts depend
  /// on how many values they are for.
  static constexpr std::size_t kMostStatements = 500;

 private:
  virtual Answer execute(std::string_view text, std::vector<Value> arguments) = 0;
  virtual void enqueue(std::string_view text, std::vector<Value> arguments, Keep keep) = 0;
  static std::vector<Row> rows_of(Answer answer);
};

}  // namespace coffer::sql
