#include "catalog/web_sessions.h"

#include <fmt/format.h>

#include "base/random.h"
#include "base/text.h"
#include "catalog/account_rows.h"
#include "catalog/audit.h"
#include "catalog/cached_rows.h"
#include "catalog/database.h"
#include "catalog/generation.h"
#include "catalog/last_uses.h"
#include "sql/table.h"

namespace coffer::sql {
namespace {

/// Reads whether a time is set. There is no `to`: the row type does not know the time.
struct IsSet {
  static bool from(const Value& value) { return integer_of(value) != 0; }
};

}  // namespace

template <>
struct Table<catalog::WebSession> {
  using Session = catalog::WebSession;
  static constexpr std::string_view kName = "web_sessions";
  static constexpr auto kColumns =
      std::tuple{Column{"id", &Session::id},
                 Column{"account_id", &Session::account},
                 Column{"created_at", &Session::created_at},
                 Column{"last_seen_at", &Session::last_seen_at},
                 Column{"address", &Session::address},
                 Column{"agent", &Session::agent},
                 Column{"signed_out_at", &Session::is_signed_out, IsSet()},
                 Column{"method", &Session::method},
                 Column{"issuer", &Session::issuer},
                 Column{"subject", &Session::subject},
                 Column{"sid", &Session::provider_session},
                 Column{"confirmed_at", &Session::confirmed_at}};
};

}  // namespace coffer::sql

namespace coffer::catalog {
namespace {

using GrantPtr = std::shared_ptr<const SessionGrant>;

const std::string kSelect =
    "SELECT " + sql::columns<WebSession>() + " FROM web_sessions WHERE signed_out_at = 0 ";
constexpr const char* kInOrder = "ORDER BY created_at, id";
constexpr const char* kNoteUse =
    "UPDATE web_sessions SET last_seen_at = $1 WHERE id = $2 AND last_seen_at < $1";

/// Tasks that have not ended.
const std::string kHasNoTasks =
    "NOT EXISTS (SELECT 1 FROM tasks t WHERE t.account_id = web_sessions.account_id AND "
    "t.state IN ('running', 'waiting'))";

bool is_hidden(const SessionGrant& grant, SignedOut signed_out) {
  return grant.session.is_signed_out && signed_out == SignedOut::absent;
}

std::unexpected<Error> not_signed_in() {
  return fail(ErrorCode::unauthenticated, "The session has ended: sign in again.");
}

GrantPtr select_grant(sql::Connection& sql, const SecretHash& hash) {
  static const std::string kText =
      "SELECT " + sql::columns<WebSession>("s.") + ", " + sql::columns<Account>("a.") +
      ", CASE WHEN " + second_factor_condition("a.id") +
      " THEN 1 ELSE 0 END FROM web_sessions s JOIN accounts a ON a.id = s.account_id "
      "WHERE s.hash = $1 AND a.disabled = 0";
  const auto row = sql.first(kText, to_hex(hash));
  if (!row) return nullptr;
  return std::make_shared<const SessionGrant>(SessionGrant{
      sql::read<WebSession>(*row),
      sql::read<Account>(*row, sql::kColumnCount<WebSession>),
      {Credential::Kind::session, hash},
      row->get<std::int64_t>(sql::kColumnCount<WebSession> + sql::kColumnCount<Account>) == 1});
}

/// Returns the account's name, if it may still sign in.
Result<std::string> name_for(sql::Connection& sql, const NewWebSession& wanted) {
  auto name = sql.value<std::string>(
      "SELECT name FROM accounts WHERE id = $1 AND disabled = 0 AND password_hash = $2",
      wanted.account, wanted.password_hash);
  if (!name) {
    return fail(ErrorCode::unauthenticated, "The account was changed meanwhile: sign in again.");
  }
  return *std::move(name);
}

void insert(sql::Connection& sql, const WebSession& session, const SecretHash& hash) {
  sql.run(
      "INSERT INTO web_sessions (id, account_id, hash, created_at, last_seen_at, confirmed_at, "
      "address, agent, method, issuer, subject, sid) "
      "VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $7, $8, $9, $10)",
      session.id, session.account, to_hex(hash), session.created_at, session.address, session.agent,
      session.method, session.issuer, session.subject, session.provider_session);
}

WebSession begun(const NewWebSession& wanted) {
  WebSession session;
  static_cast<SessionOrigin&>(session) = wanted.origin;
  session.id = SessionId{random_hex(16)};
  session.account = wanted.account;
  session.created_at = session.last_seen_at = session.confirmed_at = now();
  session.address = wanted.address;
  session.agent = cut_utf8(wanted.agent, 256);
  return session;
}

/// The link of the set-up, a provider and a proxy are enough by themselves.
bool takes_factor(const SessionOrigin& origin) {
  using enum SignInMethod;
  return origin.method != setup_link && origin.method != oidc && origin.method != proxy;
}

/// Ends the least recently used sessions, so that one more is allowed.
void end_beyond(sql::Connection& sql, AccountId account, std::size_t most) {
  const auto ended = sql.change(
      "DELETE FROM web_sessions WHERE account_id = $1 AND id NOT IN "
      "(SELECT id FROM web_sessions WHERE account_id = $1 "
      "ORDER BY CASE WHEN signed_out_at = 0 THEN 0 ELSE 1 END, last_seen_at DESC, id "
      "LIMIT $2)",
      account, static_cast<std::int64_t>(most) - 1);
  if (ended > 0) bump(sql, Generation::auth);
}

/// Ends the sessions that fulfil the condition. All grants are read anew after a bump, so there is
/// none for nothing.
template <class... A>
void delete_if_any(sql::Connection& sql, std::string_view condition, const A&... arguments) {
  const auto count = sql.only<std::int64_t>(
      fmt::format("SELECT count(*) FROM web_sessions WHERE {}", condition), arguments...);
  if (count == 0) return;
  bump(sql, Generation::auth);
  sql.run(fmt::format("DELETE FROM web_sessions WHERE {}", condition), arguments...);
}

/// Returns rows with the account that the person signs in to, if there is one.
std::vector<sql::Row> accounts_of(sql::Connection& sql, const IdentityName& name) {
  return sql.query("SELECT account_id FROM identities WHERE issuer = $1 AND subject = $2",
                   name.issuer, name.subject);
}

/// Links give files and not the account, so they stay.
void end_keys(sql::Connection& sql, AccountId account, const std::string& issuer) {
  const auto ended =
      sql.change("DELETE FROM api_keys WHERE account_id = $1 AND is_link = 0", account);
  if (ended == 0) return;
  note(sql, AuditKind::key_revoked, {}, name_of(sql, account),
       fmt::format("keys={}, by {}", ended, issuer));
}

std::unexpected<Error> no_such_session() {
  return fail(ErrorCode::not_found, "There is no such session.");
}

struct Owner {
  AccountId id;
  std::string name;
};

/// Returns the session's account, if there is such a session.
std::optional<Owner> owner_of(sql::Connection& sql, const SessionId& id) {
  const auto row = sql.first(
      "SELECT a.id, a.name FROM web_sessions s JOIN accounts a ON a.id = s.account_id "
      "WHERE s.id = $1",
      id);
  if (!row) return std::nullopt;
  return Owner{row->get<AccountId>(0), row->get<std::string>(1)};
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
  auto job = [&](sql::Connection& sql) -> Result<WebSession> {
    // Serialises this with changes of the account. No process remembers what is new.
    lock(sql, Generation::auth);
    TRY(auto name, name_for(sql, wanted));
    if (takes_factor(wanted.origin)) TRY_VOID(use_factor(sql, wanted.account, wanted.factor));
    const WebSession session = begun(wanted);
    end_beyond(sql, wanted.account, most);
    insert(sql, session, wanted.hash);
    const Actor actor{std::move(name), session.address, {}, session.id.value};
    note(sql, AuditKind::session_created, actor, actor.name, session.agent);
    return session;
  };
  co_return co_await impl_->database.run(Lane::write, wanted.account, std::move(job));
}

Task<Result<std::vector<WebSession>>> WebSessions::list(AccountId account) {
  auto job = [account](sql::Connection& sql) -> Result<std::vector<WebSession>> {
    return sql::select<WebSession>(sql, kSelect + "AND account_id = $1 " + kInOrder, account);
  };
  co_return co_await impl_->database.run(Lane::read, account, std::move(job));
}

Task<Result<std::vector<WebSession>>> WebSessions::list_all() {
  auto job = [](sql::Connection& sql) -> Result<std::vector<WebSession>> {
    return sql::select<WebSession>(sql, kSelect + kInOrder);
  };
  co_return co_await impl_->database.run(Lane::read, Turn::administration(), std::move(job));
}

Task<Result<void>> WebSessions::confirm(AccountId account, SessionId id, std::string password_hash,
                                        std::optional<UsedFactor> factor) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY_VOID(use_factor(sql, account, factor));
    const auto confirmed = sql.change(
        "UPDATE web_sessions SET confirmed_at = $1 WHERE id = $2 AND account_id = $3 AND "
        "signed_out_at = 0 AND EXISTS (SELECT 1 FROM accounts WHERE id = $3 AND disabled = 0 AND "
        "password_hash = $4)",
        now(), id, account, password_hash);
    if (confirmed == 0) return not_signed_in();
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<void>> WebSessions::confirm_provided(AccountId account, SecretHash session,
                                                 IdentityName name) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    const auto confirmed = sql.change(
        "UPDATE web_sessions SET confirmed_at = $1 WHERE hash = $2 AND account_id = $3 AND "
        "signed_out_at = 0 AND EXISTS (SELECT 1 FROM identities WHERE account_id = $3 AND "
        "issuer = $4 AND subject = $5)",
        now(), to_hex(session), account, name.issuer, name.subject);
    if (confirmed == 0) return not_signed_in();
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<void>> WebSessions::end(std::optional<AccountId> account, SessionId id,
                                    std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto owner = owner_of(sql, id);
    if (!owner || (account && owner->id != account)) return no_such_session();
    sql.run("DELETE FROM web_sessions WHERE id = $1", id);
    note(sql, AuditKind::session_ended, actor, owner->name);
    return {};
  };
  co_return co_await impl_->database.run(
      Lane::write, account ? Turn(*account) : Turn::administration(), std::move(job));
}

Task<Result<void>> WebSessions::sign_out(AccountId account, SessionId id,
                                         std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto owner = owner_of(sql, id);
    if (!owner || owner->id != account) return no_such_session();
    sql.run("UPDATE web_sessions SET signed_out_at = $1 WHERE id = $2", now(), id);
    sql.run("DELETE FROM web_sessions WHERE id = $1 AND " + kHasNoTasks, id);
    note(sql, AuditKind::session_ended, actor, owner->name);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<void>> WebSessions::drop_signed_out() {
  auto job = [](sql::Connection& sql) -> Result<void> {
    sql.run("DELETE FROM web_sessions WHERE signed_out_at > 0 AND " + kHasNoTasks);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<std::uint64_t>> WebSessions::end_others(AccountId account,
                                                    std::optional<SessionId> kept,
                                                    std::optional<Asker> asker) {
  auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
    bump(sql, Generation::auth);
    TRY(const auto actor, check(sql, asker));
    const auto ended = static_cast<std::uint64_t>(
        sql.change("DELETE FROM web_sessions WHERE account_id = $1 AND id <> $2", account,
                   kept.value_or(SessionId())));
    if (ended > 0) {
      note(sql, AuditKind::session_ended, actor, name_of(sql, account),
           fmt::format("sessions={}", ended));
    }
    return ended;
  };
  co_return co_await impl_->database.run(Lane::write, account, std::move(job));
}

Task<Result<std::uint64_t>> WebSessions::end_provided(std::string issuer,
                                                      std::optional<std::string> subject,
                                                      std::optional<std::string> provider_session,
                                                      bool ends_keys) {
  auto job = [&](sql::Connection& sql) -> Result<std::uint64_t> {
    static const std::string kWhere =
        "issuer = $1 AND (CAST($2 AS BIGINT) = 0 OR subject = $3) AND "
        "(CAST($4 AS BIGINT) = 0 OR sid = $5)";
    const bool has_subject = subject.has_value();
    const bool has_session = provider_session.has_value();
    const auto of = [&](const std::string& text) {
      return sql.query(text + kWhere, issuer, has_subject, subject.value_or(""), has_session,
                       provider_session.value_or(""));
    };
    if (issuer.empty() || (!has_subject && !has_session)) return 0;
    const auto accounts = of("SELECT DISTINCT account_id FROM web_sessions WHERE ");
    const auto persons =
        ends_keys && has_subject ? accounts_of(sql, {issuer, *subject}) : std::vector<sql::Row>();
    if (accounts.empty() && persons.empty()) return 0;  // All grants are read anew after a bump.
    bump(sql, Generation::auth);
    for (const auto* some : {&accounts, &persons}) {
      for (const sql::Row& row : *some) {
        if (ends_keys) end_keys(sql, row.get<AccountId>(0), issuer);
      }
    }
    const auto ended = of("SELECT id FROM web_sessions WHERE ");
    for (const sql::Row& row : ended) {
      sql.run("DELETE FROM web_sessions WHERE id = $1", row.get<SessionId>(0));
    }
    for (const sql::Row& row : accounts) {
      note(sql, AuditKind::session_ended, {}, name_of(sql, row.get<AccountId>(0)),
           fmt::format("by {}", issuer));
    }
    return ended.size();
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> WebSessions::end_older(Timestamp made_before, Timestamp seen_before) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    delete_if_any(sql, "created_at < $1 OR last_seen_at < $2", made_before, seen_before);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

Task<Result<void>> WebSessions::end_older_of(SignInMethod method, Timestamp made_before) {
  auto job = [&](sql::Connection& sql) -> Result<void> {
    delete_if_any(sql, "method = $1 AND created_at < $2", method, made_before);
    return {};
  };
  co_return co_await impl_->database.run(Lane::write, Turn::server(), std::move(job));
}

GrantPtr WebSessions::find_now(const SecretHash& hash, SignedOut signed_out) {
  auto grant = impl_->grants.find_now(hash);
  return grant && is_hidden(*grant, signed_out) ? nullptr : grant;
}

Task<Result<GrantPtr>> WebSessions::find(SecretHash hash, SignedOut signed_out) {
  auto job = [&](sql::Connection& sql) -> Result<GrantPtr> {
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
