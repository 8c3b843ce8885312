#include "catalog/generation.h"

#include <soci/soci.h>

namespace coffer::catalog {
namespace {

const char* table_of(Generation generation) {
  return generation == Generation::auth ? "auth_generation" : "mounts_generation";
}

}  // namespace

void bump(soci::session& sql, Generation generation) {
  sql << "UPDATE " << table_of(generation) << " SET value = value + 1";
}

std::int64_t current(soci::session& sql, Generation generation) {
  long long value = 0;
  sql << "SELECT value FROM " << table_of(generation), soci::into(value);
  return value;
}

}  // namespace coffer::catalog
