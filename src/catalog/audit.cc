#include "catalog/audit.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/random.h"
#include "base/text.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"
#include "sql/connection.h"
#include "sql/table.h"

namespace coffer::catalog {
namespace {

/// A column of `audit_events` that describes the actor.
struct ActorColumn {
  std::string_view name;
  std::string Actor::* member;

  void read_into(AuditEvent& event, const sql::Value& value) const {
    event.actor.*member = sql::text_of(value);
  }
};

}  // namespace
}  // namespace coffer::catalog

namespace coffer::sql {

// All columns but `source`, which only `note` writes.
template <>
struct Table<catalog::AuditEvent> {
  static constexpr std::string_view kName = "audit_events";
  static constexpr auto kColumns =
      std::tuple{Column{"at", &catalog::AuditEvent::at},
                 Column{"id", &catalog::AuditEvent::id},
                 Column{"kind", &catalog::AuditEvent::kind},
                 catalog::ActorColumn{"actor", &catalog::Actor::name},
                 catalog::ActorColumn{"key_id", &catalog::Actor::key_id},
                 catalog::ActorColumn{"session_id", &catalog::Actor::session_id},
                 catalog::ActorColumn{"address", &catalog::Actor::address},
                 Column{"subject", &catalog::AuditEvent::subject},
                 Column{"details", &catalog::AuditEvent::details}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

std::vector<AuditEvent> select_events(sql::Connection& sql, const AuditFilter& filter) {
  static const std::string kText =
      "SELECT " + sql::columns<AuditEvent>() +
      " FROM audit_events WHERE at >= $1 AND at < $2 AND (CAST($3 AS BIGINT) = 1 OR kind = $4) AND "
      "(CAST($5 AS BIGINT) = 1 OR actor = $6 OR subject = $6) AND "
      "(at < $7 OR (at = $7 AND id < $8)) ORDER BY at DESC, id DESC LIMIT $9";
  const std::string_view kind = filter.kind ? word_of(*filter.kind) : "";
  const AuditPlace after = filter.after.value_or(AuditPlace{kLatest, {}});
  return sql::select<AuditEvent>(sql, kText, filter.from, filter.to, !filter.kind, kind,
                                 !filter.account, filter.account.value_or(""), after.at, after.id,
                                 filter.most);
}

/// Guessed passwords have a source of their own: they must not push out what the account did.
std::string source_of(AuditKind kind, const Actor& actor, const std::string& subject) {
  if (kind == AuditKind::session_refused) return "refused " + subject;
  return actor.name.empty() ? std::string() : "account " + actor.name;
}

/// So many events are deleted in one transaction, so that other writes do not wait for long.
constexpr std::int64_t kStep = 10'000;

}  // namespace

void note(sql::Connection& sql, AuditKind kind, const Actor& actor,
          const std::string& whole_subject, const std::string& whole_details) {
  const std::string subject(cut_utf8(whole_subject, kMostAuditBytes));
  sql.run(
      "INSERT INTO audit_events (at, id, kind, actor, key_id, session_id, address, subject, "
      "details, source) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
      now(), random_hex(8), kind, actor.name, actor.key_id, actor.session_id, actor.address,
      subject, cut_utf8(whole_details, kMostAuditBytes), source_of(kind, actor, subject));
}

Task<Result<void>> Audit::add(AuditKind kind, Actor actor, std::string subject,
                              std::string details) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    note(sql, kind, actor, subject, details);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::of(actor.address), std::move(job));
}

Task<Result<std::vector<AuditEvent>>> Audit::list(AuditFilter filter) {
  auto job = [&](sql::Connection& sql) -> Result<std::vector<AuditEvent>> {
    return select_events(sql, filter);
  };
  co_return co_await database_.run(Lane::read, Turn::administration(), std::move(job));
}

std::size_t fair_level(std::vector<std::size_t> counts, std::size_t most) {
  std::ranges::sort(counts);
  std::size_t left = most;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t share = left / (counts.size() - i);
    if (counts[i] > share) return std::max<std::size_t>(share, 1);
    left -= counts[i];
  }
  return std::max<std::size_t>(most, 1);
}

Task<Result<void>> Audit::drop_old(Timestamp before, std::size_t most) {
  CO_TRY_VOID(co_await drop_before(before));
  CO_TRY(auto sources, co_await sources_beyond(most));
  std::vector<std::size_t> counts;
  for (const Source& source : sources) counts.push_back(source.count);
  const std::size_t level = fair_level(std::move(counts), most);
  for (Source& source : sources) {
    if (source.count <= level) continue;
    const std::size_t excess = source.count - level;
    CO_TRY_VOID(co_await drop_oldest(std::move(source.name), excess));
  }
  co_return Result<void>{};
}

Task<Result<void>> Audit::drop_before(Timestamp time) {
  auto job = [time](sql::Connection& sql) -> Result<bool> {
    return sql.change(
               "DELETE FROM audit_events WHERE (at, id) IN (SELECT at, id FROM audit_events "
               "WHERE at < $1 LIMIT $2)",
               time, kStep) == kStep;
  };
  bool are_more = true;
  while (are_more) {
    CO_TRY(are_more, co_await database_.run(Lane::write, Turn::server(), job));
  }
  co_return Result<void>{};
}

/// Returns all sources, or none if there are no more than `most` events.
Task<Result<std::vector<Audit::Source>>> Audit::sources_beyond(std::size_t most) {
  auto job = [most](sql::Connection& sql) -> Result<std::vector<Source>> {
    std::vector<Source> sources;
    if (sql.only<std::size_t>("SELECT count(*) FROM audit_events") <= most) return sources;
    for (const sql::Row& row :
         sql.query("SELECT source, count(*) FROM audit_events GROUP BY source")) {
      sources.push_back({row.get<std::string>(0), row.get<std::size_t>(1)});
    }
    return sources;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Audit::drop_oldest(std::string source, std::size_t count) {
  auto left = static_cast<std::int64_t>(count);
  while (left > 0) {
    const std::int64_t step = std::min(left, kStep);
    auto job = [&](sql::Connection& sql) -> Result<void> {
      sql.run(
          "DELETE FROM audit_events WHERE (at, id) IN (SELECT at, id FROM audit_events "
          "WHERE source = $1 ORDER BY at, id LIMIT $2)",
          source, step);
      return {};
    };
    CO_TRY_VOID(co_await database_.run(Lane::write, Turn::server(), job));
    left -= step;
  }
  co_return Result<void>{};
}

}  // namespace coffer::catalog
