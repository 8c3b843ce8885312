#include "core/connectors/connector_service.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/text.h"

namespace coffer::core {
namespace {

bool is_text(std::string_view text, std::size_t limit) {
  return text.size() <= limit && is_utf8(text) && !has_control_character(text);
}

bool is_host(std::string_view text) {
  constexpr std::size_t kLimit = 253;
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ':';
  };
  return !text.empty() && text.size() <= kLimit && std::ranges::all_of(text, allowed);
}

bool is_fingerprint(std::string_view text) {
  constexpr std::string_view kPrefix = "SHA256:";
  constexpr std::size_t kBase64Length = 43;
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kBase64Length;
}

/// Takes over what is wished. A default port stays one when the TLS mode changes.
void apply(ConnectorSettings& settings, const ConnectorPatch& patch) {
  if (settings.port == default_port(settings.kind, settings.tls)) settings.port = 0;
  if (patch.tls) settings.tls = *patch.tls;
  if (patch.host) settings.host = *patch.host;
  if (patch.user) settings.user = *patch.user;
  if (patch.root) settings.root = *patch.root;
  if (patch.host_key) settings.host_key = *patch.host_key;
  if (patch.credential) settings.credential = *patch.credential;
  if (patch.port) settings.port = *patch.port;
  if (settings.port == 0) settings.port = default_port(settings.kind, settings.tls);
}

/// A host key belongs to one.
bool is_another_server(const ConnectorSettings& before, const ConnectorSettings& after) {
  return before.host != after.host || before.port != after.port;
}

/// True if a path in the connector means something else than before.
bool target_changed(const ConnectorSettings& before, const ConnectorSettings& after) {
  const auto place = [](const ConnectorSettings& settings) {
    return std::tie(settings.host, settings.port, settings.user, settings.root);
  };
  return place(before) != place(after);
}

/// An administrator vouches for an address that is stated; a connector that another user leads
/// elsewhere has no such promise.
bool may_be_private(bool by_admin, const ConnectorSettings& before, const ConnectorSettings& after,
                    const ConnectorPatch& patch) {
  if (by_admin) return before.may_be_private || patch.host;
  return before.may_be_private && !target_changed(before, after);
}

/// A secret goes to the server that it was given for, under the protection that it was given for.
Result<void> check_secret(const ConnectorSettings& before, const ConnectorSettings& after,
                          const ConnectorPatch& patch) {
  if (patch.secret) return {};
  if (is_another_server(before, after)) {
    return fail(ErrorCode::invalid, "Another server or port needs the password or key said again.");
  }
  if (before.tls != TlsMode::none && after.tls == TlsMode::none) {
    return fail(ErrorCode::invalid, "To go without TLS needs the password said again.");
  }
  return {};
}

/// `patch` is what the settings were made of last.
Result<void> check(const ConnectorSettings& settings, const ConnectorPatch& patch) {
  const bool is_sftp = settings.kind == catalog::ConnectorKind::sftp;
  if (patch.port == 0) return fail(ErrorCode::invalid, "A port is 1 to 65535.");
  if (!is_host(settings.host)) return fail(ErrorCode::invalid, "The host is no name or address.");
  if (settings.user.empty() || !is_text(settings.user, 255)) {
    return fail(ErrorCode::invalid, "A user of 1 to 255 bytes is needed.");
  }
  if (auto rooted = check_root(settings.root); !rooted) return rooted;
  if (is_sftp && settings.tls != TlsMode::none) {
    return fail(ErrorCode::invalid, "TLS is for FTP; SFTP is encrypted by itself.");
  }
  if (!is_sftp && settings.credential == Credential::private_key) {
    return fail(ErrorCode::invalid, "A private key is for SFTP.");
  }
  if (!is_sftp && !settings.host_key.empty()) {
    return fail(ErrorCode::invalid, "A host key is for SFTP.");
  }
  if (!settings.host_key.empty() && !is_fingerprint(settings.host_key)) {
    return fail(ErrorCode::invalid,
                "A host key is SHA256: and 43 characters, as ssh-keygen -l "
                "prints it.");
  }
  const bool has_key = settings.credential == Credential::private_key && patch.secret;
  if (patch.passphrase && !has_key) {
    // They are sealed together, so that it would be kept nowhere.
    return fail(ErrorCode::invalid, "A passphrase needs its private key beside it.");
  }
  return {};
}

}  // namespace

std::string ConnectorService::sealed(const ConnectorPatch& patch) const {
  return sealer_.seal(
      to_text(ConnectorSecret{patch.secret.value_or(""), patch.passphrase.value_or("")}));
}

Task<Result<void>> ConnectorService::pin(ConnectorSettings& settings, bool trusts_first_key) {
  if (settings.kind != catalog::ConnectorKind::sftp) co_return Result<void>{};
  if (trusts_first_key) {
    auto key = co_await backends_.host_key(settings);
    if (!key) co_return failure_of(std::move(key));
    settings.host_key = *std::move(key);
  }
  if (!settings.host_key.empty()) co_return Result<void>{};
  co_return fail(ErrorCode::invalid,
                 "An SFTP server needs its host key, or the wish to trust the one it shows now.");
}

Result<ConnectorSettings> ConnectorService::fresh(catalog::ConnectorKind kind,
                                                  const ConnectorPatch& patch) const {
  ConnectorSettings settings;
  settings.kind = kind;
  settings.may_be_private = by_admin_;
  apply(settings, patch);
  if (auto formed = check(settings, patch); !formed) return failure_of(std::move(formed));
  return settings;
}

Task<Result<catalog::NewConnector>> ConnectorService::described(AccountId account,
                                                                catalog::ConnectorKind kind,
                                                                ConnectorPatch patch) {
  auto wanted = new_connector(account, kind, patch);
  if (!wanted) co_return failure_of(std::move(wanted));
  auto settings = fresh(kind, patch);
  if (!settings) co_return failure_of(std::move(settings));
  auto pinned = co_await pin(*settings, patch.trusts_first_key);
  if (!pinned) co_return failure_of(std::move(pinned));
  wanted->target = target_of(*settings);
  wanted->settings = to_text(*settings);
  wanted->sealed_secret = sealed(patch);
  co_return wanted;
}

Task<Result<catalog::Connector>> ConnectorService::add(AccountId account,
                                                       catalog::ConnectorKind kind,
                                                       ConnectorPatch patch, Trial trial) {
  auto wanted = co_await described(account, kind, std::move(patch));
  if (!wanted) co_return failure_of(std::move(wanted));
  const catalog::Connector candidate = candidate_of(*wanted);
  auto works = co_await try_candidate(candidate, trial);
  if (!works) co_return failure_of(std::move(works));
  co_return co_await catalog_.connectors().create(*std::move(wanted));
}

Task<Result<void>> ConnectorService::test_new(AccountId account, catalog::ConnectorKind kind,
                                              ConnectorPatch patch) {
  if (!patch.name) patch.name = "The server";
  const auto wanted = co_await described(account, kind, std::move(patch));
  if (!wanted) co_return failure_of(wanted);
  const catalog::Connector candidate = candidate_of(*wanted);
  co_return co_await test(candidate);
}

Task<Result<std::string>> ConnectorService::shown_host_key(ConnectorPatch patch) {
  const auto settings = fresh(catalog::ConnectorKind::sftp, patch);
  if (!settings) co_return failure_of(settings);
  co_return co_await backends_.host_key(*settings);
}

Task<Result<std::vector<catalog::Connector>>> ConnectorService::list(AccountId account) {
  co_return co_await catalog_.connectors().list(account);
}

Task<Result<catalog::Connector>> ConnectorService::find(AccountId account, std::string id_or_name) {
  co_return co_await find_connector(catalog_.connectors(), account, std::move(id_or_name));
}

Task<Result<ConnectorService::Prepared>> ConnectorService::prepare(
    const catalog::Connector& connector, ConnectorPatch patch) {
  if (connector.kind == catalog::ConnectorKind::drive) {
    co_return fail(ErrorCode::invalid, "A cloud drive has a provider and parameters instead.");
  }
  const auto before = settings_of(connector);
  if (!before) co_return failure_of(before);
  ConnectorSettings settings = *before;
  apply(settings, patch);
  settings.may_be_private = may_be_private(by_admin_, *before, settings, patch);
  if (auto formed = check(settings, patch); !formed) co_return failure_of(std::move(formed));
  if (auto said = check_secret(*before, settings, patch); !said) {
    co_return failure_of(std::move(said));
  }
  if (is_another_server(*before, settings) && !patch.host_key) settings.host_key.clear();
  auto pinned = co_await pin(settings, patch.trusts_first_key);
  if (!pinned) co_return failure_of(std::move(pinned));
  Prepared prepared;
  catalog::ConnectorChange& change = prepared.change;
  change = change_of(patch);
  if (auto text = to_text(settings); text != connector.settings) {
    change.target = target_of(settings);
    change.settings = std::move(text);
  }
  change.target_changed = target_changed(*before, settings);
  if (patch.secret) change.sealed_secret = sealed(patch);
  if (change.settings || change.sealed_secret) {
    catalog::Connector& candidate = prepared.candidate.emplace(connector);
    candidate.id = {};
    candidate.settings = change.settings.value_or(connector.settings);
    candidate.sealed_secret = change.sealed_secret.value_or(connector.sealed_secret);
  }
  co_return prepared;
}

Task<Result<catalog::Connector>> ConnectorService::change(AccountId account, ConnectorId id,
                                                          ConnectorPatch patch, Trial trial) {
  if (auto formed = check(patch); !formed) co_return failure_of(std::move(formed));
  const auto connector = co_await catalog_.connectors().find(account, id);
  if (!connector) co_return connector;
  auto prepared = co_await prepare(*connector, std::move(patch));
  if (!prepared) co_return failure_of(std::move(prepared));
  if (prepared->candidate) {
    auto works = co_await try_candidate(*prepared->candidate, trial);
    if (!works) co_return failure_of(std::move(works));
  }
  co_return co_await catalog_.connectors().set(account, connector->id, std::move(prepared->change));
}

Task<Result<void>> ConnectorService::test_changed(AccountId account, ConnectorId id,
                                                  ConnectorPatch patch) {
  auto connector = co_await catalog_.connectors().find(account, std::move(id));
  if (!connector) co_return failure_of(std::move(connector));
  auto prepared = co_await prepare(*connector, std::move(patch));
  if (!prepared) co_return failure_of(std::move(prepared));
  connector->id = {};  // A new one, which no earlier outage holds back.
  const catalog::Connector& tried = prepared->candidate ? *prepared->candidate : *connector;
  co_return co_await test(tried);
}

Task<Result<void>> ConnectorService::remove(AccountId account, ConnectorId id,
                                            std::optional<catalog::Asker> asker) {
  co_return co_await catalog_.connectors().remove(account, std::move(id), std::move(asker));
}

Task<Result<void>> ConnectorService::try_candidate(const catalog::Connector& candidate,
                                                   Trial trial) {
  if (trial == Trial::none) co_return Result<void>{};
  co_return co_await test(candidate);
}

Task<Result<void>> ConnectorService::test(const catalog::Connector& connector) {
  return try_out(backends_.of(connector));
}

}  // namespace coffer::core
