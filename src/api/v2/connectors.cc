#include <map>

#include "api/v2/connector_types.h"
#include "api/v2/paging.h"
#include "api/v2/route.h"
#include "api/v2/values.h"

namespace coffer::api::v2 {
namespace {

struct TrialDetails {
  static constexpr std::string_view kSchema = "ConnectorTrial";
  FIELD(bool, works, "True if the login and the listing of the folder worked.", "true");
  FIELD(std::optional<std::string>, hostKey,
        "The key that the SFTP server shows if no hostKey was given: a person confirms it, then "
        "send it as hostKey. Nothing else is tried in this case. Otherwise null.",
        "null");
};

Answer<ConnectorDetails> answer_of(const core::ConnectorView& view) {
  Answer<ConnectorDetails> answer;
  show(view, answer.data);
  return answer;
}

Task<Result<Answer<Page<ConnectorDetails>>>> list_own_connectors(Call call,
                                                                 ListPartParameters parameters,
                                                                 NoBody) {
  const AccountId account = call.principal().account->id;
  CO_TRY(const auto views, co_await call.services.connectors.list(account));
  std::vector<ConnectorDetails> all;
  for (const core::ConnectorView& view : views) show(view, all.emplace_back());
  co_return Answer<Page<ConnectorDetails>>{
      page_of(std::move(all), parameters.limit, parameters.cursor,
              [](const ConnectorDetails& connector) { return connector.name; })};
}

Task<Result<Answer<ConnectorDetails>>> show_own_connector(Call call, EntryParameters parameters,
                                                          NoBody) {
  const AccountId account = call.principal().account->id;
  ConnectorId id{std::move(parameters.id.value)};
  CO_TRY(const auto view, co_await call.services.connectors.get(account, std::move(id)));
  co_return answer_of(view);
}

Task<Result<Answer<ConnectorDetails>>> make_own_connector(Call call, NoParameters,
                                                          WantedConnector body) {
  CO_TRY(auto patch, patch_of(std::move(body)));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  CO_TRY(const auto made,
         co_await call.services.connectors.add(std::move(owner), std::move(patch)));
  auto answer = answer_of(made);
  answer.headers.emplace_back("Location", "/api/v2/connectors/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<ConnectorDetails>>> change_own_connector(Call call, EntryParameters parameters,
                                                            ConnectorChanges body) {
  CO_TRY(auto patch, patch_of(std::move(body)));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  ConnectorId id{std::move(parameters.id.value)};
  CO_TRY(const auto changed, co_await call.services.connectors.change(
                                 std::move(owner), std::move(id), std::move(patch)));
  co_return answer_of(changed);
}

Task<Result<void>> remove_own_connector(Call call, EntryParameters parameters, NoBody) {
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  ConnectorId id{std::move(parameters.id.value)};
  co_return co_await call.services.connectors.remove(std::move(owner), std::move(id));
}

Task<Result<Answer<TrialDetails>>> try_connector(Call call, NoParameters, TriedConnector body) {
  std::optional<ConnectorId> id;
  if (body.id) id = ConnectorId{body.id->value};
  CO_TRY(auto patch, patch_of(std::move(body)));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  core::AccountConnectors& connectors = call.services.connectors;
  auto trying = id ? connectors.test_changed(std::move(owner), *std::move(id), std::move(patch))
                   : connectors.test(std::move(owner), std::move(patch));
  CO_TRY(const auto trial, co_await std::move(trying));
  TrialDetails details;
  details.works = trial.works;
  if (!trial.host_key.empty()) details.hostKey = trial.host_key;
  co_return Answer<TrialDetails>{std::move(details)};
}

struct GivenConnector : WantedConnector {
  FIELD(UserName, userName, "The account that gets it.", R"("ann")");
};

struct ConnectorListParameters : ListPartParameters {
  FIELD(std::optional<TypedName>, account, "Only this account's connectors, by its user name.",
        R"("ann")");
};

/// No name has a slash, so that it is unique.
std::string key_of_connector(const ManagedConnector& connector) {
  return connector.name + '/' + connector.userName;
}

ManagedConnector managed_connector_of(const core::ConnectorView& view, std::string user_name) {
  ManagedConnector managed;
  show(view, managed);
  managed.userName = std::move(user_name);
  return managed;
}

core::ConnectorOwner owner_for(const Call& call, AccountId account) {
  core::ConnectorOwner owner;
  owner.account = account;
  owner.asker = core::administrator_of(call.principal());
  owner.is_command = call.principal().is_command;
  return owner;
}

Task<Result<Answer<ManagedConnector>>> answer_managed(Call call, core::ConnectorView view) {
  CO_TRY(const auto names, co_await call.services.accounts.names());
  const auto name = names.find(view.connector.account);
  if (name == names.end()) co_return fail(ErrorCode::not_found, "There is no such connector.");
  co_return Answer<ManagedConnector>{managed_connector_of(view, name->second)};
}

Task<Result<Answer<Page<ManagedConnector>>>> list_all_connectors(Call call,
                                                                 ConnectorListParameters parameters,
                                                                 NoBody) {
  CO_TRY(const auto views, co_await call.services.connectors.list_all());
  CO_TRY(const auto names, co_await call.services.accounts.names());
  std::vector<ManagedConnector> all;
  for (const core::ConnectorView& view : views) {
    const auto name = names.find(view.connector.account);
    const bool is_asked_for =
        name != names.end() && (!parameters.account || name->second == parameters.account->value);
    if (is_asked_for) all.push_back(managed_connector_of(view, name->second));
  }
  co_return Answer<Page<ManagedConnector>>{
      page_of(std::move(all), parameters.limit, parameters.cursor, &key_of_connector)};
}

Task<Result<Answer<ManagedConnector>>> show_any_connector(Call call, EntryParameters parameters,
                                                          NoBody) {
  ConnectorId id{std::move(parameters.id.value)};
  CO_TRY(auto view, co_await call.services.connectors.get_any(std::move(id)));
  co_return co_await answer_managed(std::move(call), std::move(view));
}

Task<Result<Answer<ManagedConnector>>> give_connector(Call call, NoParameters,
                                                      GivenConnector body) {
  CO_TRY(const auto account, co_await call.services.accounts.show(body.userName.value));
  CO_TRY(auto patch, patch_of(std::move(body)));
  core::ConnectorOwner owner = owner_for(call, account.account.id);
  CO_TRY(auto made, co_await call.services.connectors.add(std::move(owner), std::move(patch)));
  CO_TRY(auto answer, co_await answer_managed(std::move(call), std::move(made)));
  answer.headers.emplace_back("Location", "/api/v2/admin/connectors/" + answer.data.id);
  co_return answer;
}

Task<Result<Answer<ManagedConnector>>> change_any_connector(Call call, EntryParameters parameters,
                                                            ConnectorChanges body) {
  CO_TRY(auto patch, patch_of(std::move(body)));
  ConnectorId id{std::move(parameters.id.value)};
  CO_TRY(const auto found, co_await call.services.connectors.get_any(id));
  core::ConnectorOwner owner = owner_for(call, found.connector.account);
  CO_TRY(auto changed, co_await call.services.connectors.change(std::move(owner), std::move(id),
                                                                std::move(patch)));
  co_return co_await answer_managed(std::move(call), std::move(changed));
}

Task<Result<void>> remove_any_connector(Call call, EntryParameters parameters, NoBody) {
  ConnectorId id{std::move(parameters.id.value)};
  CO_TRY(const auto found, co_await call.services.connectors.get_any(id));
  core::ConnectorOwner owner = owner_for(call, found.connector.account);
  co_return co_await call.services.connectors.remove(std::move(owner), std::move(id));
}

}  // namespace

std::vector<Route> connector_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/connectors";
  constexpr std::string_view kOne = "/api/v2/connectors/{id}";
  return {json_route(Route(Method::get, kAll, "listConnectors", "List the account's connectors",
                           "By name, in pages, without their secrets."),
                     &list_own_connectors),
          json_route(Route(Method::post, kAll, "createConnector", "Mount a server or drive",
                           "It is tried before it is stored: 502 and 504 tell the failure. "
                           "429: the account has 100 connectors. Addresses that are not public are "
                           "refused, unless an administrator "
                           "sends the request or the settings allow them.",
                           CallerRule::account, 201, {404, 409, 502, 504, 507}),
                     &make_own_connector),
          json_route(Route(Method::post, "/api/v2/connectors/test", "testConnector",
                           "Try a connector before it is stored",
                           "Nothing is stored. A failure is answered as a problem. Without a "
                           "hostKey, an SFTP server is only asked for its key.",
                           CallerRule::account, 200, {404, 502, 504}),
                     &try_connector),
          json_route(Route(Method::get, kOne, "showConnector", "Show a connector",
                           "The same data as in the list.", CallerRule::account, 200, {404}),
                     &show_own_connector),
          json_route(Route(Method::patch, kOne, "changeConnector", "Change a connector",
                           "Missing members stay unchanged. A change of the place revokes the keys "
                           "that are limited to folders of the connector. 403: it is not to be "
                           "read-only any more, and an administrator made it so. 400: one that an "
                           "administrator gave leads to another server, user or folder without its "
                           "secrets.",
                           CallerRule::account, 200, {404, 409, 502, 504, 507}),
                     &change_own_connector),
          json_route(
              Route(Method::del, kOne, "removeConnector", "Remove a connector",
                    "The server or drive keeps its files.", CallerRule::account, 204, {404, 507}),
              &remove_own_connector)};
}

std::vector<Route> admin_connector_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/connectors";
  constexpr std::string_view kOne = "/api/v2/admin/connectors/{id}";
  return {
      json_route(
          Route(Method::get, kAll, "listAllConnectors", "List the connectors of all accounts",
                "By name, in pages, without their secrets.", CallerRule::administrator),
          &list_all_connectors),
      json_route(
          Route(Method::post, kAll, "giveConnector", "Mount a server or drive for an account",
                "It may lead to private addresses, and is tried before it is stored.",
                CallerRule::administrator, 201, {404, 409, 502, 504, 507}),
          &give_connector),
      json_route(Route(Method::get, kOne, "showAnyConnector", "Show a connector of any account",
                       "The same data as in the list.", CallerRule::administrator, 200, {404}),
                 &show_any_connector),
      json_route(
          Route(Method::patch, kOne, "changeAnyConnector", "Change a connector of any account",
                "Missing members stay unchanged. If a host or all addresses are given, the "
                "connector may lead to private ones from then on.",
                CallerRule::administrator, 200, {404, 409, 502, 504, 507}),
          &change_any_connector),
      json_route(
          Route(Method::del, kOne, "removeAnyConnector", "Remove a connector of any account",
                "The server or drive keeps its files.", CallerRule::administrator, 204, {404, 507}),
          &remove_any_connector)};
}

}  // namespace coffer::api::v2
