#include "catalog/audit.h"

#include <soci/soci.h>

#include <algorithm>
#include <string_view>

#include "base/random.h"
#include "base/text.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/row_limits.h"

namespace coffer::catalog {
namespace {

/// Throws for a word that the catalog never writes.
AuditKind kind_from(const std::string& word) {
  const auto kind = enum_from<AuditKind>(word);
  if (!kind) throw soci::soci_error("an audit event of no kind");
  return *kind;
}

AuditEvent event_from(const soci::row& row) {
  AuditEvent event;
  event.at = timestamp_from(row.get<long long>(0));
  event.id = row.get<std::string>(1);
  event.kind = kind_from(row.get<std::string>(2));
  event.actor.name = row.get<std::string>(3);
  event.actor.key_id = row.get<std::string>(4);
  event.actor.session_id = row.get<std::string>(5);
  event.actor.address = row.get<std::string>(6);
  event.subject = row.get<std::string>(7);
  event.details = row.get<std::string>(8);
  return event;
}

std::vector<AuditEvent> select_events(soci::session& sql, const AuditFilter& filter) {
  const long long from = to_column(filter.from);
  const long long to = to_column(filter.to);
  const long long any_kind = filter.kind ? 0 : 1;
  const std::string kind(filter.kind ? word_of(*filter.kind) : "");
  const long long any_account = filter.account ? 0 : 1;
  const std::string account = filter.account.value_or("");
  const long long after_at = to_column(filter.after ? filter.after->at : kLatest);
  const std::string after_id = filter.after ? filter.after->id : std::string();
  const auto most = static_cast<long long>(filter.most);
  return select_all(
      (sql.prepare << "SELECT at, id, kind, actor, key_id, session_id, address, subject, details "
                      "FROM audit_events "
                      "WHERE at >= :from AND at < :to AND (CAST(:any_kind AS BIGINT) = 1 OR "
                      "kind = :kind) AND (CAST(:any_account AS BIGINT) = 1 OR actor = :actor OR "
                      "subject = :subject) AND (at < :before OR (at = :same AND id < :id)) "
                      "ORDER BY at DESC, id DESC LIMIT :most",
       soci::use(from, "from"), soci::use(to, "to"), soci::use(any_kind, "any_kind"),
       soci::use(kind, "kind"), soci::use(any_account, "any_account"), soci::use(account, "actor"),
       soci::use(account, "subject"), soci::use(after_at, "before"), soci::use(after_at, "same"),
       soci::use(after_id, "id"), soci::use(most, "most")),
      event_from);
}

/// Guessed passwords have a source of their own: they must not push out what the account did.
std::string source_of(AuditKind kind, const Actor& actor, const std::string& subject) {
  if (kind == AuditKind::session_refused) return "refused " + subject;
  return actor.name.empty() ? std::string() : "account " + actor.name;
}

/// So many events are deleted in one transaction, so that other writes do not wait for long.
constexpr long long kStep = 10'000;

}  // namespace

void note(soci::session& sql, AuditKind kind, const Actor& actor, const std::string& whole_subject,
          const std::string& whole_details) {
  const long long at = to_column(now());
  const std::string subject(cut_utf8(whole_subject, kMostAuditBytes));
  const std::string details(cut_utf8(whole_details, kMostAuditBytes));
  const std::string source = source_of(kind, actor, subject);
  const std::string id = random_hex(8);
  const std::string word(word_of(kind));
  sql << "INSERT INTO audit_events (at, id, kind, actor, key_id, session_id, address, subject, "
         "details, source) VALUES (:at, :id, :kind, :actor, :key_id, :session_id, :address, "
         ":subject, :details, :source)",
      soci::use(at, "at"), soci::use(id, "id"), soci::use(word, "kind"),
      soci::use(actor.name, "actor"), soci::use(actor.key_id, "key_id"),
      soci::use(actor.session_id, "session_id"), soci::use(actor.address, "address"),
      soci::use(subject, "subject"), soci::use(details, "details"), soci::use(source, "source");
}

Task<Result<void>> Audit::add(AuditKind kind, Actor actor, std::string subject) {
  auto job = [&](soci::session& sql) -> Result<void> {
    note(sql, kind, actor, subject);
    return {};
  };
  co_return co_await database_.run(Lane::write, Turn::of(actor.address), std::move(job));
}

Task<Result<std::vector<AuditEvent>>> Audit::list(AuditFilter filter) {
  auto job = [&](soci::session& sql) -> Result<std::vector<AuditEvent>> {
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
  auto job = [time](soci::session& sql) -> Result<bool> {
    const long long at = to_column(time);
    return changed_rows((sql.prepare << "DELETE FROM audit_events WHERE (at, id) IN (SELECT at, id "
                                        "FROM audit_events WHERE at < :at LIMIT :step)",
                         soci::use(at, "at"), soci::use(kStep, "step"))) == kStep;
  };
  bool are_more = true;
  while (are_more) {
    CO_TRY(are_more, co_await database_.run(Lane::write, Turn::server(), job));
  }
  co_return Result<void>{};
}

/// Returns all sources, or none if there are no more than `most` events.
Task<Result<std::vector<Audit::Source>>> Audit::sources_beyond(std::size_t most) {
  auto job = [most](soci::session& sql) -> Result<std::vector<Source>> {
    long long count = 0;
    sql << "SELECT count(*) FROM audit_events", soci::into(count);
    if (count <= static_cast<long long>(most)) return std::vector<Source>();
    std::vector<Source> sources;
    std::string name;
    soci::statement statement =
        (sql.prepare << "SELECT source, count(*) FROM audit_events GROUP BY source",
         soci::into(name), soci::into(count));
    statement.execute();
    while (statement.fetch()) sources.push_back({name, static_cast<std::size_t>(count)});
    return sources;
  };
  co_return co_await database_.run(Lane::read, Turn::server(), std::move(job));
}

Task<Result<void>> Audit::drop_oldest(std::string source, std::size_t count) {
  auto left = static_cast<long long>(count);
  while (left > 0) {
    const long long step = std::min(left, kStep);
    auto job = [&](soci::session& sql) -> Result<void> {
      sql << "DELETE FROM audit_events WHERE (at, id) IN (SELECT at, id FROM audit_events "
             "WHERE source = :source ORDER BY at, id LIMIT :step)",
          soci::use(source, "source"), soci::use(step, "step");
      return {};
    };
    CO_TRY_VOID(co_await database_.run(Lane::write, Turn::server(), job));
    left -= step;
  }
  co_return Result<void>{};
}

}  // namespace coffer::catalog
