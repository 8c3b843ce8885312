#include "catalog/audit.h"

#include <soci/soci.h>

#include "base/random.h"
#include "catalog/columns.h"
#include "catalog/database.h"

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

}  // namespace

void note(soci::session& sql, AuditKind kind, const Actor& actor, const std::string& subject,
          const std::string& details) {
  const long long at = to_column(now());
  const std::string id = random_hex(8);
  const std::string word(word_of(kind));
  sql << "INSERT INTO audit_events (at, id, kind, actor, key_id, session_id, address, subject, "
         "details) VALUES (:at, :id, :kind, :actor, :key_id, :session_id, :address, :subject, "
         ":details)",
      soci::use(at, "at"), soci::use(id, "id"), soci::use(word, "kind"),
      soci::use(actor.name, "actor"), soci::use(actor.key_id, "key_id"),
      soci::use(actor.session_id, "session_id"), soci::use(actor.address, "address"),
      soci::use(subject, "subject"), soci::use(details, "details");
}

Task<Result<void>> Audit::add(AuditKind kind, Actor actor, std::string subject) {
  auto job = [&](soci::session& sql) -> Result<void> {
    note(sql, kind, actor, subject);
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

Task<Result<std::vector<AuditEvent>>> Audit::list(AuditFilter filter) {
  auto job = [&](soci::session& sql) -> Result<std::vector<AuditEvent>> {
    return select_events(sql, filter);
  };
  co_return co_await database_.run(Lane::read, std::move(job));
}

Task<Result<void>> Audit::drop_old(Timestamp before, std::size_t most) {
  auto job = [=](soci::session& sql) -> Result<void> {
    const long long at = to_column(before);
    const auto kept = static_cast<long long>(most);
    sql << "DELETE FROM audit_events WHERE at < :at", soci::use(at, "at");
    sql << "DELETE FROM audit_events WHERE at <= (SELECT at FROM audit_events "
           "ORDER BY at DESC, id DESC LIMIT 1 OFFSET :kept)",
        soci::use(kept, "kept");
    return {};
  };
  co_return co_await database_.run(Lane::write, std::move(job));
}

}  // namespace coffer::catalog
