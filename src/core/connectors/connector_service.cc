#include "core/connectors/connector_service.h"

#include <algorithm>
#include <utility>

namespace coffer::core {

using catalog::Connector;
using catalog::ConnectorKind;

Result<ConnectorSettings> ConnectorService::settings_of(const Connector& connector) const {
  const ConnectorType& type = types_.of(connector.kind);
  if (!type.renews_secret()) return type.read(connector, {});
  const auto secret = sealer_.open(connector.sealed_secret);
  return secret ? type.read(connector, *secret) : failure_of(secret);
}

Result<ConnectorSettings> ConnectorService::fresh(ConnectorKind kind,
                                                  const ConnectorPatch& patch) const {
  const ConnectorType& type = types_.of(kind);
  TRY_VOID(check_form(type.form(), patch));
  ConnectorSettings settings;
  settings.may_be_private = settings.is_given = by_admin_;
  settings.is_set_read_only = by_admin_ && patch.read_only.value_or(false);
  TRY_VOID(type.apply(settings, patch));
  return settings;
}

Task<Result<catalog::NewConnector>> ConnectorService::described(AccountId account,
                                                                ConnectorKind kind,
                                                                const ConnectorPatch& patch,
                                                                ConnectorSettings settings) const {
  ConnectorType& type = types_.of(kind);
  CO_TRY(auto wanted, new_connector(account, kind, patch));
  CO_TRY_VOID(type.check(nullptr, settings, patch));
  CO_TRY_VOID(co_await type.complete(account, nullptr, settings, patch));
  StoredConnector stored = type.stored(settings, patch);
  wanted.target = std::move(stored.target);
  wanted.settings = std::move(stored.settings);
  wanted.sealed_secret = sealer_.seal(stored.secret);
  co_return wanted;
}

Task<Result<Connector>> ConnectorService::add(AccountId account, ConnectorKind kind,
                                              ConnectorPatch patch, Trial trial) {
  CO_TRY(auto settings, fresh(kind, patch));
  CO_TRY(auto wanted, co_await described(account, kind, patch, std::move(settings)));
  const bool is_tried = trial == Trial::before_storing;
  const bool is_stored_first = types_.of(kind).renews_secret();
  if (is_tried && !is_stored_first) {
    const Connector candidate = candidate_of(wanted);
    CO_TRY_VOID(co_await test(candidate));
  }
  auto made = co_await catalog_.connectors().create(std::move(wanted));
  if (!made || !is_tried || !is_stored_first) co_return made;
  co_return co_await keep_if_it_works(*std::move(made));
}

Task<Result<Connector>> ConnectorService::keep_if_it_works(Connector made) {
  auto works = co_await test(made);
  if (works) co_return made;
  const auto removed = co_await remove(made.account, made.id);
  if (!removed && removed.error().code != ErrorCode::not_found) co_return failure_of(removed);
  co_return failure_of(std::move(works));
}

Task<Result<void>> ConnectorService::test_new(AccountId account, ConnectorKind kind,
                                              ConnectorPatch patch) {
  if (!patch.name) patch.name = types_.of(kind).is_drive() ? "The drive" : "The server";
  CO_TRY(auto settings, fresh(kind, patch));
  CO_TRY(const auto wanted, co_await described(account, kind, patch, std::move(settings)));
  const Connector candidate = candidate_of(wanted);
  co_return co_await test(candidate);
}

Task<Result<std::string>> ConnectorService::shown_host_key(AccountId account, ConnectorKind kind,
                                                           ConnectorPatch patch) {
  CO_TRY(const auto settings, fresh(kind, patch));
  ConnectorType& type = types_.of(kind);
  CO_TRY_VOID(type.check(nullptr, settings, patch));
  co_return co_await type.host_key(account, settings);
}

Task<Result<std::vector<Connector>>> ConnectorService::list(AccountId account) {
  co_return co_await catalog_.connectors().list(account);
}

Task<Result<Connector>> ConnectorService::get(AccountId account, ConnectorId id) {
  co_return co_await catalog_.connectors().find(account, std::move(id));
}

/// An administrator vouches for the addresses in the patch. A connector that its user leads to
/// another place loses that.
bool ConnectorService::may_be_private(const ConnectorType& type, const ConnectorSettings& before,
                                      const ConnectorSettings& after,
                                      const ConnectorPatch& patch) const {
  if (by_admin_) return before.may_be_private || type.states_addresses(after, patch);
  return before.may_be_private && !type.is_another_place(before, after);
}

/// What an administrator has set stays so for the account.
Result<void> ConnectorService::keep_given(const ConnectorType& type,
                                          const ConnectorSettings& before, ConnectorSettings& after,
                                          const ConnectorPatch& patch) const {
  if (by_admin_) {
    after.is_set_read_only = patch.read_only.value_or(before.is_set_read_only);
    return {};
  }
  if (before.is_set_read_only && patch.read_only == false) {
    return fail(ErrorCode::forbidden, "An administrator made this connector read-only.");
  }
  if (!before.is_given) return {};
  if (type.states_secrets(after, patch)) {
    after.is_given = false;
    return {};
  }
  ConnectorSettings elsewhere = after;
  elsewhere.root = before.root;
  elsewhere.character_set = before.character_set;
  const bool stays = is_root_within(after.root, before.root);
  if (stays && !type.is_another_place(before, elsewhere)) return {};
  return fail(ErrorCode::invalid,
              "Another server or user than an administrator gave, or a folder outside of the given "
              "one, needs the password, key or token said again.");
}

Task<Result<ConnectorService::Changed>> ConnectorService::changed(
    const Connector& connector, const ConnectorPatch& patch) const {
  ConnectorType& type = types_.of(connector.kind);
  CO_TRY_VOID(check_form(type.form(), patch));
  CO_TRY(auto before, settings_of(connector));
  ConnectorSettings after = before;
  CO_TRY_VOID(type.apply(after, patch));
  CO_TRY_VOID(keep_given(type, before, after, patch));
  after.may_be_private = may_be_private(type, before, after, patch);
  CO_TRY_VOID(type.check(&before, after, patch));
  CO_TRY_VOID(co_await type.complete(connector.account, &before, after, patch));
  co_return Changed{std::move(before), std::move(after)};
}

Task<Result<catalog::ConnectorChange>> ConnectorService::prepare(
    const Connector& connector, const ConnectorPatch& patch) const {
  const ConnectorType& type = types_.of(connector.kind);
  CO_TRY(const auto made, co_await changed(connector, patch));
  catalog::ConnectorChange change = change_of(patch);
  StoredConnector stored = type.stored(made.after, patch);
  if (stored.settings != connector.settings) {
    change.target = std::move(stored.target);
    change.settings = std::move(stored.settings);
  }
  change.replaced_settings = connector.settings;
  const bool is_renewed = type.renews_secret() && change.settings;
  if (is_renewed) change.replaced_secret = connector.sealed_secret;
  if (is_renewed || patch.secret) change.sealed_secret = sealer_.seal(stored.secret);
  change.target_changed = type.is_another_place(made.before, made.after);
  co_return change;
}

/// A connector without an id, so that no earlier outage counts; but an unchanged drive keeps its
/// id, since it renews its stored token.
Connector ConnectorService::candidate(const Connector& connector,
                                      const catalog::ConnectorChange& change) const {
  Connector candidate = connector;
  const bool is_changed = change.settings || change.sealed_secret;
  if (is_changed || !types_.of(connector.kind).renews_secret()) candidate.id = {};
  candidate.settings = change.settings.value_or(connector.settings);
  candidate.sealed_secret = change.sealed_secret.value_or(connector.sealed_secret);
  return candidate;
}

Task<Result<ConnectorService::Change>> ConnectorService::tried(
    const Connector& connector, const ConnectorPatch& patch, Trial trial,
    std::optional<std::string>& settings) {
  // A secret is meant for the server that its sender saw.
  if (patch.secret && settings.value_or(connector.settings) != connector.settings) {
    co_return std::unexpected(catalog::kConflict);
  }
  settings = connector.settings;
  CO_TRY(auto change, co_await prepare(connector, patch));
  const bool is_changed = (change.settings || change.sealed_secret) && !has_labels_only(patch);
  const bool is_asked = trial == Trial::before_storing;
  if (is_asked && is_changed && !types_.of(connector.kind).renews_secret()) {
    const Connector made = candidate(connector, change);
    CO_TRY_VOID(co_await test(made));
  }
  co_return std::move(change);
}

Task<Result<Connector>> ConnectorService::update(AccountId account, ConnectorId id,
                                                 Changer changer) {
  constexpr int kTries = 8;
  for (int tried = 1;; ++tried) {
    CO_TRY(auto connector, co_await catalog_.connectors().find(account, id));
    CO_TRY(auto change, co_await changer(connector));
    if (!change) co_return connector;
    auto stored = co_await catalog_.connectors().set(account, connector.id, *std::move(change));
    const bool is_outrun = !stored && stored.error() == catalog::kConflict;
    if (!is_outrun || tried == kTries) co_return stored;
  }
}

Task<Result<Connector>> ConnectorService::change(AccountId account, ConnectorId id,
                                                 ConnectorPatch patch, Trial trial) {
  CO_TRY_VOID(check(patch));
  std::optional<std::string> settings;
  Changer changer = [&](const Connector& now) { return tried(now, patch, trial, settings); };
  co_return co_await update(account, std::move(id), std::move(changer));
}

Task<Result<void>> ConnectorService::test_changed(AccountId account, ConnectorId id,
                                                  ConnectorPatch patch) {
  CO_TRY(const auto connector, co_await get(account, std::move(id)));
  CO_TRY(const auto change, co_await prepare(connector, patch));
  const Connector made = candidate(connector, change);
  co_return co_await test(made);
}

Task<Result<void>> ConnectorService::remove(AccountId account, ConnectorId id,
                                            std::optional<catalog::Asker> asker) {
  co_return co_await catalog_.connectors().remove(account, std::move(id), std::move(asker));
}

Task<Result<void>> ConnectorService::test(const Connector& connector) {
  return try_out(backends_.of(connector));
}

Task<Result<ConnectorService::Change>> ConnectorService::with_token(
    const Connector& now, const Connector& before, const std::string& token) const {
  CO_TRY(auto settings, settings_of(now));
  CO_TRY(const auto known, settings_of(before));
  const ConnectorType& type = types_.of(now.kind);
  if (!type.take_token(settings, known, token)) co_return std::nullopt;
  CO_TRY_VOID(type.check(nullptr, settings, {}));
  catalog::ConnectorChange change;
  change.sealed_secret = sealer_.seal(type.stored(settings, {}).secret);
  change.replaced_secret = now.sealed_secret;
  co_return change;
}

Task<Result<void>> ConnectorService::keep_token(Connector connector, std::string token) {
  constexpr std::size_t kMostBytes = 16 * 1024;  // A server that an account names may send any.
  if (token.size() > kMostBytes) {
    co_return fail(ErrorCode::invalid, "The provider's token is too long to be kept.");
  }
  Changer changer = [&](const Connector& now) { return with_token(now, connector, token); };
  const auto kept = co_await update(connector.account, connector.id, std::move(changer));
  if (!kept && kept.error().code != ErrorCode::not_found) co_return failure_of(kept);
  co_return Result<void>{};
}

}  // namespace coffer::core
