#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "sql/connection.h"

namespace coffer::sql {

/// A column of a table: its name, and the member of the row type that holds its value. `How`
/// converts the value.
template <class R, class Member, class How = Codec<Member>>
struct Column {
  std::string_view name;
  Member R::* member;
  How how = {};  ///< Only for the deduction of `How`.

  Value value_in(const R& row) const { return How::to(row.*member); }
  void read_into(R& row, const Value& value) const { row.*member = How::from(value); }
};
template <class R, class Member>
Column(std::string_view, Member R::*) -> Column<R, Member>;
template <class R, class Member, class How>
Column(std::string_view, Member R::*, How) -> Column<R, Member, How>;

/// Describes the table of a row type, once for all statements. A specialization has:
/// - `kName`, the table's name;
/// - `kColumns`, a tuple of columns, the first of which is the primary key.
template <class R>
struct Table;

namespace detail {

/// Returns what `text_of(name, number)` says of each column from the column `first` on, separated
/// by commas. Columns are numbered from 1, like parameters.
template <class R, class F>
std::string list_columns(std::size_t first, F text_of) {
  std::string all;
  std::size_t number = 0;
  const auto add = [&](std::string_view name) {
    if (++number < first) return;
    if (!all.empty()) all += ", ";
    all += text_of(std::string(name), std::to_string(number));
  };
  std::apply([&](const auto&... column) { (add(column.name), ...); }, Table<R>::kColumns);
  return all;
}

}  // namespace detail

template <class R>
inline constexpr std::size_t kColumnCount = std::tuple_size_v<decltype(Table<R>::kColumns)>;

/// Returns the columns of a row type for a SELECT, each with the prefix: `k.id, k.name`.
template <class R>
std::string columns(std::string_view prefix = {}) {
  return detail::list_columns<R>(
      1, [&](const std::string& name, const std::string&) { return std::string(prefix) + name; });
}

/// Reads the columns that `columns` names, from the column `first` on.
template <class R>
R read(const Row& row, std::size_t first = 0) {
  R made;
  std::apply([&](const auto&... column) { (column.read_into(made, row.at(first++)), ...); },
             Table<R>::kColumns);
  return made;
}

/// Returns the rows of a query that selects the columns of `R` first.
template <class R, class... A>
std::vector<R> select(Connection& sql, std::string_view text, const A&... arguments) {
  std::vector<R> all;
  for (const Row& row : sql.query(text, arguments...)) all.push_back(read<R>(row));
  return all;
}
/// Returns the first row of such a query, or nullopt.
template <class R, class... A>
std::optional<R> select_first(Connection& sql, std::string_view text, const A&... arguments) {
  const auto row = sql.first(text, arguments...);
  return row ? std::optional(read<R>(*row)) : std::nullopt;
}

namespace detail {

template <class R>
const std::string& insertion() {
  static const std::string kText = [] {
    const auto places = list_columns<R>(1, [](const std::string&, const std::string& number) {
      return fmt::format("${}", number);
    });
    return "INSERT INTO " + std::string(Table<R>::kName) + " (" + columns<R>() + ") VALUES (" +
           places + ") ";
  }();
  return kText;
}

template <class R>
std::vector<Value> values_of(const R& row) {
  return std::apply(
      [&](const auto&... column) { return std::vector<Value>{column.value_in(row)...}; },
      Table<R>::kColumns);
}

}  // namespace detail

/// Inserts a row. `on_conflict` is what follows the values, such as `ON CONFLICT DO NOTHING`.
/// Returns the number of inserted rows.
template <class R>
std::int64_t insert(Connection& sql, const R& row, std::string_view on_conflict = {}) {
  return sql.change_values(detail::insertion<R>() + std::string(on_conflict),
                           detail::values_of(row));
}
/// The same without a round trip for the answer, as Connection::run.
template <class R>
void run_insert(Connection& sql, const R& row) {
  sql.run_values(detail::insertion<R>(), detail::values_of(row));
}

namespace detail {

template <class R>
const std::string& updating() {
  static const std::string kText = [] {
    // If the primary key were set, SQLite would look at all rows that refer to it.
    const auto assignments =
        list_columns<R>(2, [](const std::string& name, const std::string& number) {
          return fmt::format("{} = ${}", name, number);
        });
    return "UPDATE " + std::string(Table<R>::kName) + " SET " + assignments + " WHERE " +
           std::string(std::get<0>(Table<R>::kColumns).name) + " = $1";
  }();
  return kText;
}

}  // namespace detail

/// Sets all other columns of the row that has the primary key of `row`. Returns the number of
/// changed rows: 1, or 0 if there is none.
template <class R>
std::int64_t update(Connection& sql, const R& row) {
  return sql.change_values(detail::updating<R>(), detail::values_of(row));
}
/// The same without a round trip for the answer, as Connection::run.
template <class R>
void run_update(Connection& sql, const R& row) {
  sql.run_values(detail::updating<R>(), detail::values_of(row));
}

}  // namespace coffer::sql
