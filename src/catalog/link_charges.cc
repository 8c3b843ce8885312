#include "catalog/link_charges.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sql/connection.h"

namespace coffer::catalog {
namespace {

/// Of one link: guests, and files that give something to all.
constexpr long long kMostVisits = 1000;
constexpr long long kMostFiles = 1000;
/// What a guest gets of a file at most before a download is counted.
constexpr long long kMostUncounted = 4 * 1024 * 1024;

/// A size above 2^63 - 1 becomes 2^63 - 1, as in a column.
long long signed_of(std::uint64_t bytes) {
  constexpr auto kLargest = std::numeric_limits<long long>::max();
  return static_cast<long long>(std::min<std::uint64_t>(bytes, kLargest));
}

struct Limit {
  bool is_limited = false;
  bool is_reached = false;
};

Limit limit_from(const sql::Row& row) {
  const auto most = row.get<long long>(0);
  const auto downloads = row.get<long long>(1);
  return {most >= 0, most >= 0 && downloads >= most};
}

struct Row {
  std::string visit;  ///< Empty for what the file gives to all.
  bool is_stored = false;
  bool is_counted = false;
  long long bytes = 0;
};

/// Returns the link with each stored row of the file for the guest and for all, or once without
/// one; nothing if there is no such link.
std::vector<sql::Row> select_link(sql::Connection& sql, const LinkCharge& charge) {
  return sql.query(
      "SELECT coalesce(l.most_downloads, -1), l.downloads, v.visit, v.is_counted, v.bytes "
      "FROM links l LEFT JOIN link_visits v ON v.link_id = l.id AND v.file = $2 AND "
      "v.visit IN ($3, '') WHERE l.id = $1",
      charge.link, charge.file, charge.visit);
}

/// Finds the row of the visit in what `select_link` returned.
Row row_of(const std::vector<sql::Row>& rows, const std::string& visit) {
  for (const sql::Row& row : rows) {
    if (row.get<std::optional<std::string>>(2) != visit) continue;
    return {.visit = visit,
            .is_stored = true,
            .is_counted = row.get<bool>(3),
            .bytes = row.get<long long>(4)};
  }
  return {.visit = visit};
}

void store(sql::Connection& sql, const LinkCharge& charge, const Row& row) {
  sql.run(
      "INSERT INTO link_visits (link_id, file, visit, is_counted, bytes, touched_at) VALUES "
      "($1, $2, $3, $4, $5, $6) ON CONFLICT (link_id, file, visit) DO UPDATE SET "
      "is_counted = excluded.is_counted, bytes = excluded.bytes, touched_at = excluded.touched_at",
      charge.link, charge.file, row.visit, row.is_counted, row.bytes, now());
}

/// Counts the rows of guests, or those of files.
long long count_rows(sql::Connection& sql, const KeyId& link, bool of_guests) {
  return sql.only<long long>(
      of_guests ? "SELECT count(*) FROM link_visits WHERE link_id = $1 AND visit <> ''"
                : "SELECT count(*) FROM link_visits WHERE link_id = $1 AND visit = ''",
      link);
}

/// Makes room for a guest: forgets the one who took nothing for longest, of those without a
/// counted download if there are any. One with a counted download gives way only to another such
/// guest (`is_counted`); false if there is nobody else.
bool drop_oldest_visit(sql::Connection& sql, const KeyId& link, bool is_counted) {
  const auto oldest = sql.first(
      "SELECT file, visit FROM link_visits WHERE link_id = $1 AND visit <> '' AND "
      "is_counted <= $2 ORDER BY is_counted, touched_at, file, visit LIMIT 1",
      link, is_counted);
  if (!oldest) return false;
  sql.run("DELETE FROM link_visits WHERE link_id = $1 AND file = $2 AND visit = $3", link,
          oldest->get<std::string>(0), oldest->get<std::string>(1));
  return true;
}

/// One charge, with the rows that it changes.
class Meter {
 public:
  Meter(sql::Connection& sql, const LinkCharge& charge, Row mine, Row of_all)
      : sql_(sql),
        charge_(charge),
        size_(signed_of(charge.size_bytes)),
        wanted_(signed_of(charge.bytes)),
        mine_(std::move(mine)),
        of_all_(std::move(of_all)) {
    if (of_all_.is_stored) return;
    // A file beyond the limit gives nothing to all.
    if (count_rows(sql, charge.link, false) < kMostFiles) {
      of_all_.bytes = size_ / 2;
    } else {
      has_part_of_all_ = false;
    }
  }

  bool take(bool is_reached) {
    if (mine_.is_counted && take_of_counted()) return true;
    if (is_reached) return false;
    if (!mine_.is_counted && take_uncounted()) return true;
    return take_further();
  }

 private:
  bool take_of_counted() {
    const long long lacking = std::max(wanted_ - mine_.bytes, 0LL);
    if (lacking > of_all_.bytes) return false;
    of_all_.bytes -= lacking;
    mine_.bytes -= wanted_ - lacking;
    return keep();
  }

  bool take_uncounted() {
    const bool is_few = mine_.bytes + wanted_ <= std::min(kMostUncounted, size_ / 8);
    if (!is_few || wanted_ > of_all_.bytes) return false;
    if (!has_room(false)) return false;
    of_all_.bytes -= wanted_;
    mine_.bytes += wanted_;
    return keep();
  }

  /// Makes room for the guest's row, if that is new.
  bool has_room(bool is_counted) {
    if (mine_.is_stored || count_rows(sql_, charge_.link, true) < kMostVisits) return true;
    return drop_oldest_visit(sql_, charge_.link, is_counted);
  }

  /// What the guest has taken before is a part of the download, and is given back to all.
  bool take_further() {
    if (!count_download(sql_, charge_.link)) return false;
    const long long taken = mine_.is_counted ? 0 : mine_.bytes;
    const long long left = (mine_.is_counted ? mine_.bytes : 0) + size_ - taken;
    of_all_.bytes += taken - std::max(wanted_ - left, 0LL);
    mine_.bytes = std::max(left - wanted_, 0LL);
    mine_.is_counted = true;
    // Who has taken a download is kept even where nobody else can be forgotten.
    static_cast<void>(has_room(true));
    return keep();
  }

  bool keep() {
    store(sql_, charge_, mine_);
    if (has_part_of_all_) store(sql_, charge_, of_all_);
    return true;
  }

  sql::Connection& sql_;
  const LinkCharge& charge_;
  const long long size_;
  const long long wanted_;
  Row mine_;
  Row of_all_;
  bool has_part_of_all_ = true;
};

}  // namespace

bool charge_download(sql::Connection& sql, const LinkCharge& charge) {
  if (!sql.is_sqlite()) {
    // Other servers charge the link one after the other.
    (void)sql.query("SELECT 1 FROM links WHERE id = $1 FOR UPDATE", charge.link);
  }
  const auto rows = select_link(sql, charge);
  if (rows.empty()) return false;
  const Limit limit = limit_from(rows.front());
  if (!limit.is_limited) return true;
  return Meter(sql, charge, row_of(rows, charge.visit), row_of(rows, "")).take(limit.is_reached);
}

bool count_download(sql::Connection& sql, const KeyId& link) {
  return sql.change(
             "UPDATE links SET downloads = downloads + 1 WHERE id = $1 "
             "AND (most_downloads IS NULL OR downloads < most_downloads)",
             link) > 0;
}

void drop_visits(sql::Connection& sql, Timestamp before) {
  sql.run("DELETE FROM link_visits WHERE touched_at < $1 AND visit <> ''", before);
}

}  // namespace coffer::catalog
