#include <map>

#include "api/v2/connector_body.h"
#include "api/v2/connector_model.h"
#include "api/v2/names.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct GivenConnector : WantedConnector {
  UserName userName;
};
BOOST_DESCRIBE_STRUCT(GivenConnector, (WantedConnector), (userName))

struct ManagedConnectorParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(ManagedConnectorParameters, (), (id))

struct ConnectorListParameters {
  std::optional<TypedName> account;
  std::optional<ListLimit> limit;
  std::optional<ListCursor> cursor;
};
BOOST_DESCRIBE_STRUCT(ConnectorListParameters, (), (account, limit, cursor))

}  // namespace v2

template <>
struct Docs<v2::GivenConnector> {
  static constexpr auto fields = joined(Docs<v2::WantedConnector>::fields,
                                        std::array<FieldDoc, 1>{{
                                            {"userName", "The account that gets it.", R"("ann")"},
                                        }});
};

template <>
struct Docs<v2::ManagedConnectorParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The connector's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

template <>
struct Docs<v2::ConnectorListParameters> {
  static constexpr auto fields =
      joined(std::array<FieldDoc, 1>{{
                 {"account", "Only this account's connectors, by its user name.", R"("ann")"},
             }},
             kPageFields);
};

namespace v2 {
namespace {

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
  return owner;
}

Task<Result<Answer<ManagedConnector>>> answer_managed(Call call, Result<core::ConnectorView> view) {
  if (!view) co_return failure_of(std::move(view));
  const auto names = co_await call.services.accounts.names();
  if (!names) co_return failure_of(names);
  const auto name = names->find(view->connector.account);
  if (name == names->end()) co_return fail(ErrorCode::not_found, "There is no such connector.");
  co_return Answer<ManagedConnector>{managed_connector_of(*view, name->second)};
}

Task<Result<Answer<Page<ManagedConnector>>>> list_all_connectors(Call call,
                                                                 ConnectorListParameters parameters,
                                                                 NoBody) {
  const auto views = co_await call.services.connectors.list_all();
  if (!views) co_return failure_of(views);
  const auto names = co_await call.services.accounts.names();
  if (!names) co_return failure_of(names);
  std::vector<ManagedConnector> all;
  for (const core::ConnectorView& view : *views) {
    const auto name = names->find(view.connector.account);
    const bool is_asked_for =
        name != names->end() && (!parameters.account || name->second == parameters.account->value);
    if (is_asked_for) all.push_back(managed_connector_of(view, name->second));
  }
  co_return Answer<Page<ManagedConnector>>{
      page_of(std::move(all), parameters.limit, parameters.cursor, &key_of_connector)};
}

Task<Result<Answer<ManagedConnector>>> show_any_connector(Call call,
                                                          ManagedConnectorParameters parameters,
                                                          NoBody) {
  ConnectorId id{std::move(parameters.id.value)};
  auto view = co_await call.services.connectors.get_any(std::move(id));
  co_return co_await answer_managed(std::move(call), std::move(view));
}

Task<Result<Answer<ManagedConnector>>> give_connector(Call call, NoParameters,
                                                      GivenConnector body) {
  const auto account = co_await call.services.accounts.show(body.userName.value);
  if (!account) co_return failure_of(account);
  auto patch = patch_of(std::move(body));
  if (!patch) co_return failure_of(std::move(patch));
  core::ConnectorOwner owner = owner_for(call, account->account.id);
  auto made = co_await call.services.connectors.add(std::move(owner), *std::move(patch));
  auto answer = co_await answer_managed(std::move(call), std::move(made));
  if (answer) {
    answer->headers.emplace_back("Location", "/api/v2/admin/connectors/" + answer->data.id);
  }
  co_return answer;
}

Task<Result<Answer<ManagedConnector>>> change_any_connector(Call call,
                                                            ManagedConnectorParameters parameters,
                                                            ConnectorChanges body) {
  auto patch = patch_of(std::move(body));
  if (!patch) co_return failure_of(std::move(patch));
  ConnectorId id{std::move(parameters.id.value)};
  const auto found = co_await call.services.connectors.get_any(id);
  if (!found) co_return failure_of(found);
  core::ConnectorOwner owner = owner_for(call, found->connector.account);
  auto changed =
      co_await call.services.connectors.change(std::move(owner), std::move(id), *std::move(patch));
  co_return co_await answer_managed(std::move(call), std::move(changed));
}

Task<Result<Answer<Nothing>>> remove_any_connector(Call call, ManagedConnectorParameters parameters,
                                                   NoBody) {
  ConnectorId id{std::move(parameters.id.value)};
  const auto found = co_await call.services.connectors.get_any(id);
  if (!found) co_return failure_of(found);
  core::ConnectorOwner owner = owner_for(call, found->connector.account);
  auto removed = co_await call.services.connectors.remove(std::move(owner), std::move(id));
  if (!removed) co_return failure_of(std::move(removed));
  co_return Answer<Nothing>{};
}

}  // namespace

std::vector<Route> admin_connector_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/admin/connectors";
  constexpr std::string_view kOne = "/api/v2/admin/connectors/{id}";
  Route list{Method::get, kAll, "listAllConnectors", "List the connectors of all accounts",
             "By name, in parts, without their secrets."};
  Route make{Method::post, kAll, "giveConnector", "Mount a server or drive for an account",
             "It may lead to private addresses, and is tried before it is stored."};
  make.success = 201;
  make.errors = {404, 409, 502, 504, 507};
  Route show{Method::get, kOne, "showAnyConnector", "Show a connector of any account",
             "As the list has it."};
  show.errors = {404};
  Route change{Method::patch, kOne, "changeAnyConnector", "Change a connector of any account",
               "Members that are missing stay as they are. Where a host or all addresses are "
               "stated, it may lead to private ones from then on."};
  change.errors = {404, 409, 502, 504, 507};
  Route remove{Method::del, kOne, "removeAnyConnector", "Remove a connector of any account",
               "The server or drive keeps its files."};
  remove.success = 204;
  remove.errors = {404, 507};
  for (Route* route : {&list, &make, &show, &change, &remove}) {
    route->rule = CallerRule::administrator;
  }
  return {json_route(list, &list_all_connectors), json_route(make, &give_connector),
          json_route(show, &show_any_connector), json_route(change, &change_any_connector),
          json_route(remove, &remove_any_connector)};
}

}  // namespace v2
}  // namespace coffer::api
