#include "catalog/generation.h"

#include <soci/soci.h>

#include <utility>

namespace coffer::catalog {
namespace {

/// By the transaction that runs on this thread.
thread_local std::array<bool, kGenerations> bumped{};

const char* table_of(Generation generation) {
  return generation == Generation::auth ? "auth_generation" : "mounts_generation";
}

}  // namespace

void bump(soci::session& sql, Generation generation) {
  sql << "UPDATE " << table_of(generation) << " SET value = value + 1";
  bumped[static_cast<std::size_t>(generation)] = true;
}

void lock(soci::session& sql, Generation generation) {
  sql << "UPDATE " << table_of(generation) << " SET value = value";
}

std::int64_t current(soci::session& sql, Generation generation) {
  long long value = 0;
  sql << "SELECT value FROM " << table_of(generation), soci::into(value);
  return value;
}

std::array<bool, kGenerations> take_bumped() {
  return std::exchange(bumped, {});
}

}  // namespace coffer::catalog
