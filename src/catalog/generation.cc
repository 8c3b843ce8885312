#include "catalog/generation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// By the transaction that runs on this thread.
thread_local std::array<bool, kGenerations> bumped{};

std::string table_of(Generation generation) {
  switch (generation) {
    case Generation::auth:
      return "auth_generation";
    case Generation::mounts:
      return "mounts_generation";
    case Generation::locks:
      return "lock_generation";
  }
  std::unreachable();
}

}  // namespace

void bump(sql::Connection& sql, Generation generation) {
  sql.run("UPDATE " + table_of(generation) + " SET value = value + 1");
  bumped[static_cast<std::size_t>(generation)] = true;
}

void lock(sql::Connection& sql, Generation generation) {
  sql.run("UPDATE " + table_of(generation) + " SET value = value");
}

std::array<std::int64_t, kGenerations> current(sql::Connection& sql) {
  const auto row = sql.first(
      "SELECT (SELECT value FROM auth_generation), (SELECT value FROM mounts_generation), "
      "(SELECT value FROM lock_generation)");
  return {row.value().get<std::int64_t>(0), row.value().get<std::int64_t>(1),
          row.value().get<std::int64_t>(2)};
}

bool has_bumped() {
  return std::ranges::find(bumped, true) != bumped.end();
}

std::array<bool, kGenerations> take_bumped() {
  return std::exchange(bumped, {});
}

}  // namespace coffer::catalog
