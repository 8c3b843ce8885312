#include "catalog/web_sessions.h"

#include <fmt/format.h>
#include <soci/soci.h>

#include "base/random.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/cached_rows.h"
#include "catalog/columns.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/last_uses.h"

namespace coffer::catalog {
namespace {

using GrantPtr = std::shared_ptr<const SessionGrant>;

constexpr std::string_view kColumns =
    "s.id, s.account_id, s.created_at, s.last_seen_at, s.address, s.agent, s.signed_out_at";
constexpr std::size_t kColumnCount = 7;
constexpr const char* kNoteUse =
    "UPDATE web_sessions SET last_seen_at = :at WHERE id = :id AND last_seen_at < :at";

/// Tasks that have not ended.
constexpr std::string_view kHasNoTasks =
    "NOT EXISTS (SELECT 1 FROM tasks t WHERE t.account_id = web_sessions.account_id AND "
    "t.state IN ('running', 'waiting'))";

bool is_hidden(const SessionGrant& grant, SignedOut signed_out) {
  return grant.session.is_signed_out && signed_out == SignedOut::absent;
}

std::unexpected<Error> not_signed_in() {
  return fail(ErrorCode::unauthenticated, "The session has ended: sign in again.");
}

WebSession session_from(const soci::row& row) {
  WebSession session;
  session.id.value = row.get<std::string>(0);
  session.account.value = row.get<long long>(1);
  session.created_at = timestamp_from(row.get<long long>(2));
  session.last_seen_at = timestamp_from(row.get<long long>(3));
  session.address = row.get<std::string>(4);
  session.agent = row.get<std::string>(5);
  session.is_signed_out = row.get<long long>(6) != 0;
  return session;
}

GrantPtr select_grant(soci::session& sql, const SecretHash& hash) {
  const std::string hash_text = to_hex(hash);
  soci::row row;
  sql << "SELECT " << kColumns << ", " << kAccountColumns
      << " FROM web_sessions s JOIN accounts a ON a.id = s.account_id "
         "WHERE s.hash = :hash AND a.disabled = 0",
      soci::use(hash_text, "hash"), soci::into(row);
  if (!sql.got_data()) return nullptr;
  return std::make_shared<const SessionGrant>(SessionGrant{
      session_from(row), account_from(row, kColumnCount), {Credential::Kind::session, hash}});
}

Result<void> insert(soci::session& sql, const WebSession& session, const NewWebSession& wanted) {
  const long long at = to_column(session.created_at);
  const std::string hash = to_hex(wanted.hash);
  const auto changed = changed_rows(
      (sql.prepare << "INSERT INTO web_sessions "
                      "(id, account_id, hash, created_at, last_seen_at, address, agent) "
                      "SELECT :id, id, :hash, :made, :seen, :address, :agent FROM accounts "
                      "WHERE id = :account AND disabled = 0 AND password_hash = :password",
       soci::use(session.id.value, "id"), soci::use(hash, "hash"), soci::use(at, "made"),
       soci::use(at, "seen"), soci::use(session.address, "address"),
       soci::use(session.agent, "agent"), soci::use(session.account.value, "account"),
       soci::use(wanted.password_hash, "password")));
  if (changed == 0) {
    return fail(ErrorCode::unauthenticated, "The account was changed meanwhile: sign in again.");
  }
  return {};
}

/// Ends the least recently used sessions, so that one more is allowed.
void end_beyond(soci::session& sql, AccountId account, std::size_t most) {
  const long long kept = static_cast<long long>(most) - 1;
  sql << "DELETE FROM web_sessions WHERE account_id = :account AND id NOT IN "
         "(SELECT id FROM web_sessions WHERE account_id = :account "
         "ORDER BY CASE WHEN signed_out_at = 0 THEN 0 ELSE 1 END, last_seen_at DESC, id "
         "LIMIT :kept)",
      soci::use(account.value, "account"), soci::use(kept, "kept");
}

std::unexpected<Error> no_such_session() {
  return fail(ErrorCode::not_found, "There is no such session.");
}

/// Returns the session's account, if there is such a session.
std::optional<AccountId> owner_of(soci::session& sql, const SessionId& id) {
  long long account = 0;
  sql << "SELECT account_id FROM web_sessions WHERE id = :id", soci::use(id.value, "id"),
      soci::into(account);
  return sql.got_data() ? std::optional(AccountId{account}) : std::nullopt;
}

}  // namespace

class WebSessions::Impl {
 public:
  explicit Impl(Database& used)
      : database(used),
        grants(used, Generation::auth, select_grant),
        uses(used, "sessions", kNoteUse) {}

  Database& database;
  CachedRows<SecretHash, SessionGrant, HashOfSecret> grants;
  LastUses uses;
};

WebSessions::WebSessions(Database& database) : impl_(std::make_unique<Impl>(database)) {}

WebSessions::~WebSessions() = default;

Task<Result<WebSession>> WebSessions::create(NewWebSession wanted, std::size_t most) {
  auto job = [&](soci::session& sql) -> Result<WebSession> {
    // Serialises this with changes of the account.
    bump(sql, Generation::auth);
    WebSession session{SessionId{random_hex(16)},
                       wanted.account,
                       now(),
                       now(),
                       wanted.address,
                       std::string(cut_utf8(wanted.agent, 256))};
    end_beyond(sql, wanted.account, most);
    TRY_VOID(insert(sql, session, wanted));
    const Actor actor{name_of(sql, wanted.account), session.address, {}, session.id.value};
    note(sql, AuditKind::session_created, actor, actor.name, session.agent);
    return session;
  };
  co_return co_await impl_->database.run(Lane::write, wanted.account, std::move(job));
}

Task<Result<std::vector<WebSession>>> WebSessions::list(AccountId account) {
  auto job = [account](soci::session& sql) -> Result<std::vector<WebSession>> {
    return select_all((sql.prepare << "SELECT " << kColumns
                                   << " FROM web_sessions s WHERE s.account_id = :account "
                                      "AND s.signed_out_at = 0 ORDER BY s.created_at, s.id",
                       soci::use(account.value, "account")),
                      session_from);
  };
  co_return co_await impl_->database.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<WebSession>>> WebSessions::list_all() {
  auto job = [](soci::session& sql) -> Result<std::vector<WebSession>> {
    return select_all(
        (sql.prepare
         << "SELECT " << kColumns
         << " FROM web_sessions s WHERE s.signed_out_at = 0 ORDER BY s.created_at, s.id"),
        session_from);
  };
  co_return co_await impl_->database.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<void>> WebSessions::end(std::optional<AccountId> account, SessionId id,
                                    std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto owner = owner_of(sql, id);
    if (!owner || (account && *owner != account)) return no_such_session();
    sql << "DELETE FROM web_sessions WHERE id = :id", soci::use(id.value, "id");
    note(sql, AuditKind::session_ended, actor, name_of(sql, *owner));
    return {};
  };
  co_return co_await impl_->database.run(
      Lane::write, account ? Turn(*account) : Turn::administration(), std::move(job));
}

Task<Result<void>> WebSessions::sign_out(AccountId account, SessionId id,
                                         std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto owner = owner_of(sql, id);
    if (!owner || *owner != account) return no_such_session();
    const long long at = to_column(now());
    sql << "UPDATE web_sessions SET signed_out_at = :at WHERE id = :id", soci::use(at, "at"),
        soci::use(id.value, "id");
    sql << "DELETE FROM web_sessions WHERE id = :id AND " << kHasNoTasks, soci::use(id.value, "id");
    note(sql, AuditKind::session_ended, actor, name_of(sql, account));
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<void>> WebSessions::drop_signed_out() {
  auto job = [](soci::session& sql) -> Result<void> {
    sql << "DELETE FROM web_sessions WHERE signed_out_at > 0 AND " << kHasNoTasks;
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::uint64_t>> WebSessions::end_others(AccountId account,
                                                    std::optional<SessionId> kept,
                                                    std::optional<Asker> asker) {
  auto job = [&](soci::session& sql) -> Result<std::uint64_t> {
    const std::string id = kept ? kept->value : std::string();
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto ended = static_cast<std::uint64_t>(changed_rows(
        (sql.prepare << "DELETE FROM web_sessions WHERE account_id = :account AND id <> :kept",
         soci::use(account.value, "account"), soci::use(id, "kept"))));
    if (ended > 0) {
      note(sql, AuditKind::session_ended, actor, name_of(sql, account),
           fmt::format("sessions={}", ended));
    }
    return ended;
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<void>> WebSessions::end_older(Timestamp made_before, Timestamp seen_before) {
  auto job = [&](soci::session& sql) -> Result<void> {
    const long long made = to_column(made_before);
    const long long seen = to_column(seen_before);
    long long count = 0;
    sql << "SELECT count(*) FROM web_sessions WHERE created_at < :made OR last_seen_at < :seen",
        soci::use(made, "made"), soci::use(seen, "seen"), soci::into(count);
    if (count == 0) return {};  // All grants are read anew after a bump.
    bump(sql, Generation::auth);
    sql << "DELETE FROM web_sessions WHERE created_at < :made OR last_seen_at < :seen",
        soci::use(made, "made"), soci::use(seen, "seen");
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

GrantPtr WebSessions::find_now(const SecretHash& hash, SignedOut signed_out) {
  auto grant = impl_->grants.find_now(hash);
  return grant && is_hidden(*grant, signed_out) ? nullptr : grant;
}

Task<Result<GrantPtr>> WebSessions::find(SecretHash hash, SignedOut signed_out) {
  auto job = [&](soci::session& sql) -> Result<GrantPtr> {
    auto grant = impl_->grants.reload(sql, hash);
    if (!grant || is_hidden(*grant, signed_out)) return not_signed_in();
    return grant;
  };
  co_return co_await impl_->database.run(Lane::read, Turn::of(hash), std::move(job));
}

void WebSessions::note_use(const SessionId& id) {
  impl_->uses.note(id.value, now());
}

Task<Result<void>> WebSessions::flush_uses() {
  auto work = [this] { return impl_->uses.flush(); };
  co_return co_await impl_->database.on_thread(Lane::ordered, Turn::server(), std::move(work));
}

}  // namespace coffer::catalog
