#include "catalog/generation.h"

#include <string>
#include <utility>

#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// By the transaction that runs on this thread.
thread_local std::array<bool, kGenerations> bumped{};

std::string table_of(Generation generation) {
  return generation == Generation::auth ? "auth_generation" : "mounts_generation";
}

}  // namespace

void bump(sql::Connection& sql, Generation generation) {
  sql.run("UPDATE " + table_of(generation) + " SET value = value + 1");
  bumped[static_cast<std::size_t>(generation)] = true;
}

void lock(sql::Connection& sql, Generation generation) {
  sql.run("UPDATE " + table_of(generation) + " SET value = value");
}

std::int64_t current(sql::Connection& sql, Generation generation) {
  return sql.only<std::int64_t>("SELECT value FROM " + table_of(generation));
}

std::array<bool, kGenerations> take_bumped() {
  return std::exchange(bumped, {});
}

}  // namespace coffer::catalog
