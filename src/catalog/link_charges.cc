#include "catalog/link_charges.h"

#include <soci/soci.h>

#include <algorithm>
#include <optional>

#include "catalog/columns.h"

namespace coffer::catalog {
namespace {

/// Of one link: guests, and files that give something to all.
constexpr long long kMostVisits = 1000;
constexpr long long kMostFiles = 1000;
/// What a guest gets of a file at most before a download is counted.
constexpr long long kMostUncounted = 4 * 1024 * 1024;

struct Limit {
  bool is_limited = false;
  bool is_reached = false;
};

/// Returns nullopt if there is no such link.
std::optional<Limit> limit_of(soci::session& sql, const KeyId& link) {
  long long most = 0;
  long long downloads = 0;
  sql << "SELECT coalesce(most_downloads, -1), downloads FROM links WHERE id = :id",
      soci::use(link.value, "id"), soci::into(most), soci::into(downloads);
  if (!sql.got_data()) return std::nullopt;
  return Limit{most >= 0, most >= 0 && downloads >= most};
}

struct Row {
  std::string visit;  ///< Empty for what the file gives to all.
  bool is_stored = false;
  bool is_counted = false;
  long long bytes = 0;
};

Row row_of(soci::session& sql, const LinkCharge& charge, const std::string& visit) {
  Row row{.visit = visit};
  long long is_counted = 0;
  sql << "SELECT is_counted, bytes FROM link_visits WHERE link_id = :link AND file = :file AND "
         "visit = :visit",
      soci::use(charge.link.value, "link"), soci::use(charge.file, "file"),
      soci::use(visit, "visit"), soci::into(is_counted), soci::into(row.bytes);
  row.is_stored = sql.got_data();
  row.is_counted = row.is_stored && is_counted != 0;
  if (!row.is_stored) row.bytes = 0;
  return row;
}

void store(soci::session& sql, const LinkCharge& charge, const Row& row) {
  const long long is_counted = row.is_counted ? 1 : 0;
  const long long touched = to_column(now());
  sql << "INSERT INTO link_visits (link_id, file, visit, is_counted, bytes, touched_at) VALUES "
         "(:link, :file, :visit, :counted, :bytes, :touched) ON CONFLICT (link_id, file, visit) "
         "DO UPDATE SET is_counted = excluded.is_counted, bytes = excluded.bytes, "
         "touched_at = excluded.touched_at",
      soci::use(charge.link.value, "link"), soci::use(charge.file, "file"),
      soci::use(row.visit, "visit"), soci::use(is_counted, "counted"),
      soci::use(row.bytes, "bytes"), soci::use(touched, "touched");
}

/// Counts the rows of guests, or those of files.
long long count_rows(soci::session& sql, const KeyId& link, bool of_guests) {
  long long count = 0;
  sql << (of_guests ? "SELECT count(*) FROM link_visits WHERE link_id = :link AND visit <> ''"
                    : "SELECT count(*) FROM link_visits WHERE link_id = :link AND visit = ''"),
      soci::use(link.value, "link"), soci::into(count);
  return count;
}

/// Makes room for a guest: forgets the one who took nothing for longest, of those without a
/// counted download if there are any. One with a counted download gives way only to another such
/// guest (`is_counted`); false if there is nobody else.
bool drop_oldest_visit(soci::session& sql, const KeyId& link, bool is_counted) {
  std::string file;
  std::string visit;
  const long long most = is_counted ? 1 : 0;
  sql << "SELECT file, visit FROM link_visits WHERE link_id = :link AND visit <> '' AND "
         "is_counted <= :most ORDER BY is_counted, touched_at, file, visit LIMIT 1",
      soci::use(link.value, "link"), soci::use(most, "most"), soci::into(file), soci::into(visit);
  if (!sql.got_data()) return false;
  sql << "DELETE FROM link_visits WHERE link_id = :link AND file = :file AND visit = :visit",
      soci::use(link.value, "link"), soci::use(file, "file"), soci::use(visit, "visit");
  return true;
}

/// One charge, with the rows that it changes.
class Meter {
 public:
  Meter(soci::session& sql, const LinkCharge& charge)
      : sql_(sql),
        charge_(charge),
        size_(to_column(charge.size_bytes)),
        wanted_(to_column(charge.bytes)),
        mine_(row_of(sql, charge, charge.visit)),
        of_all_(row_of(sql, charge, "")) {
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

  soci::session& sql_;
  const LinkCharge& charge_;
  const long long size_;
  const long long wanted_;
  Row mine_;
  Row of_all_;
  bool has_part_of_all_ = true;
};

}  // namespace

bool charge_download(soci::session& sql, const LinkCharge& charge) {
  const auto limit = limit_of(sql, charge.link);
  if (!limit) return false;
  if (!limit->is_limited) return true;
  return Meter(sql, charge).take(limit->is_reached);
}

bool count_download(soci::session& sql, const KeyId& link) {
  return changed_rows((sql.prepare << "UPDATE links SET downloads = downloads + 1 WHERE id = :id "
                                      "AND (most_downloads IS NULL OR downloads < most_downloads)",
                       soci::use(link.value, "id"))) > 0;
}

void drop_visits(soci::session& sql, Timestamp before) {
  const long long touched = to_column(before);
  sql << "DELETE FROM link_visits WHERE touched_at < :before AND visit <> ''",
      soci::use(touched, "before");
}

}  // namespace coffer::catalog
