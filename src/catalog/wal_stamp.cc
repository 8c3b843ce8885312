#include "catalog/wal_stamp.h"

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <atomic>
#include <stdexcept>

namespace coffer::catalog {
namespace {

constexpr int kRegionBytes = 32768;  // The size of each part of the WAL index.

}  // namespace

bool is_one_commit(const WalStamp& before, const WalStamp& after) {
  // The third 32-bit word, `iChange`, grows by one with each commit.
  const auto changes = [](const WalStamp& stamp) { return static_cast<std::uint32_t>(stamp[1]); };
  return changes(after) == changes(before) + 1;
}

WalStampReader::WalStampReader(soci::session& session) {
  long long rows = 0;
  // The first read of a connection maps the WAL index.
  session << "SELECT count(*) FROM sqlite_master", soci::into(rows);
  auto* backend = static_cast<soci::sqlite3_session_backend*>(session.get_backend());
  sqlite_api::sqlite3_file* file = nullptr;
  sqlite_api::sqlite3_file_control(backend->conn_, "main", SQLITE_FCNTL_FILE_POINTER,
                                   static_cast<void*>(&file));
  volatile void* region = nullptr;
  if (file && file->pMethods && file->pMethods->iVersion >= 2) {
    file->pMethods->xShmMap(file, 0, kRegionBytes, 0, &region);
  }
  if (!region) throw std::runtime_error("The catalog's file system has no shared memory for it.");
  header_ = static_cast<const std::uint64_t*>(const_cast<const void*>(region));
}

WalStamp WalStampReader::read() const {
  // A header read in the middle of its change equals no whole one, so it can only cause a look-up.
  WalStamp stamp;
  for (std::size_t i = 0; i < stamp.size(); ++i) {
    stamp[i] = __atomic_load_n(header_ + i, __ATOMIC_ACQUIRE);
  }
  return stamp;
}

}  // namespace coffer::catalog
