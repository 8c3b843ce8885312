#include "catalog/upload_segments.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "catalog/database.h"
#include "catalog/object_changes.h"
#include "catalog/object_nodes.h"
#include "catalog/uploads.h"
#include "sql/connection.h"

namespace coffer::catalog {
namespace {

using storage::UploadSegment;
using storage::UploadTurn;

/// The most segments that one transaction removes.
constexpr std::int64_t kMostRemoved = 5000;

UploadSegment segment_of(const sql::Row& row) {
  return {row.get<std::uint64_t>(0), read_segment(row, 1)};
}

void insert_segment(sql::Connection& sql, const UploadId& upload, const UploadSegment& one) {
  sql.run(
      "INSERT INTO upload_segments (upload, at_byte, size_bytes, object, sha256) "
      "VALUES ($1, $2, $3, $4, $5)",
      upload, one.at_byte, one.segment.size_bytes, one.segment.object, segment_hash(one.segment));
}

Result<void> replace_segments(sql::Connection& sql, const UploadTurn& turn,
                              const std::vector<UploadSegment>& segments) {
  TRY(const auto state, lock_upload(sql, turn));
  if (state != UploadState::receiving) return no_such_upload();
  std::vector<std::string> objects;
  for (const UploadSegment& one : segments) objects.push_back(one.segment.object);
  TRY_VOID(claim_objects(sql, objects));
  release_objects(sql, sql.query("DELETE FROM upload_segments WHERE upload = $1 AND at_byte >= $2 "
                                 "RETURNING object",
                                 turn.upload, segments.front().at_byte));
  for (const UploadSegment& one : segments) insert_segment(sql, turn.upload, one);
  return {};
}

}  // namespace

Task<Result<std::vector<UploadSegment>>> UploadSegments::find(UploadId upload, std::uint64_t offset,
                                                              std::size_t most) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<UploadSegment>> {
    std::vector<UploadSegment> found;
    for (const sql::Row& row :
         sql.query("SELECT at_byte, object, size_bytes, sha256 FROM upload_segments "
                   "WHERE upload = $1 AND at_byte >= (SELECT max(at_byte) FROM upload_segments "
                   "WHERE upload = $1 AND at_byte <= $2) ORDER BY at_byte LIMIT $3",
                   upload, offset, most)) {
      found.push_back(segment_of(row));
    }
    if (!found.empty() && found.front().end_byte() <= offset) found.clear();
    return found;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> UploadSegments::replace(UploadTurn turn, std::vector<UploadSegment> segments) {
  if (segments.empty()) co_return Result<void>();
  auto job = [&](sql::Connection& sql) { return replace_segments(sql, turn, segments); };
  co_return may_repeat(co_await database_.run(Lane::names, Turn::server(), std::move(job)));
}

Task<Result<void>> UploadSegments::remove(UploadId upload) {
  std::size_t removed = kMostRemoved;
  while (removed == kMostRemoved) {
    auto job = [&](sql::Connection& sql) -> Result<std::size_t> {
      return release_objects(
          sql, sql.query("DELETE FROM upload_segments WHERE upload = $1 AND at_byte IN (SELECT "
                         "at_byte FROM upload_segments WHERE upload = $1 ORDER BY at_byte LIMIT "
                         "$2) AND NOT EXISTS (SELECT 1 FROM uploads WHERE id = $1 AND state <> "
                         "'done') RETURNING object",
                         upload, kMostRemoved));
    };
    CO_TRY(removed, co_await database_.run(Lane::names, Turn::server(), std::move(job)));
  }
  co_return Result<void>();
}

Task<Result<std::vector<UploadId>>> UploadSegments::uploads() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<UploadId>> {
    std::vector<UploadId> found;
    for (const sql::Row& row : sql.query("SELECT DISTINCT upload FROM upload_segments")) {
      found.push_back(row.get<UploadId>(0));
    }
    return found;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

}  // namespace coffer::catalog
