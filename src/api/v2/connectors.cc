#include "api/v2/connector_body.h"
#include "api/v2/connector_model.h"
#include "api/v2/paging.h"
#include "api/v2/resources.h"

namespace coffer::api {

namespace v2 {

struct ConnectorParameters {
  NonEmpty<std::string> id;
};
BOOST_DESCRIBE_STRUCT(ConnectorParameters, (), (id))

struct TrialDetails {
  bool works = false;
  std::optional<std::string> hostKey;
};
BOOST_DESCRIBE_STRUCT(TrialDetails, (), (works, hostKey))

}  // namespace v2

template <>
struct Docs<v2::ConnectorParameters> {
  static constexpr std::array<FieldDoc, 1> fields{{
      {"id", "The connector's identifier, as the list shows it.",
       R"("5f0c2a9d1b7e4c385f0c2a9d1b7e4c38")"},
  }};
};

template <>
struct Docs<v2::TrialDetails> {
  static constexpr std::string_view name = "ConnectorTrial";
  static constexpr std::array<FieldDoc, 2> fields{{
      {"works", "Whether a login and a look into the folder worked.", "true"},
      {"hostKey",
       "The key that an SFTP server shows whose key was not stated: to be confirmed by a person, "
       "and sent as hostKey. Nothing else was tried then. Else null.",
       "null"},
  }};
};

namespace v2 {
namespace {

Result<Answer<ConnectorDetails>> answer_connector(const Result<core::ConnectorView>& view) {
  if (!view) return failure_of(view);
  Answer<ConnectorDetails> answer;
  show(*view, answer.data);
  return answer;
}

Task<Result<Answer<Page<ConnectorDetails>>>> list_own_connectors(Call call,
                                                                 ListPartParameters parameters,
                                                                 NoBody) {
  const AccountId account = call.principal().account->id;
  const auto views = co_await call.services.connectors.list(account);
  if (!views) co_return failure_of(views);
  std::vector<ConnectorDetails> all;
  for (const core::ConnectorView& view : *views) show(view, all.emplace_back());
  co_return Answer<Page<ConnectorDetails>>{
      page_of(std::move(all), parameters.limit, parameters.cursor,
              [](const ConnectorDetails& connector) { return connector.name; })};
}

Task<Result<Answer<ConnectorDetails>>> show_own_connector(Call call, ConnectorParameters parameters,
                                                          NoBody) {
  const AccountId account = call.principal().account->id;
  ConnectorId id{std::move(parameters.id.value)};
  const auto view = co_await call.services.connectors.get(account, std::move(id));
  co_return answer_connector(view);
}

Task<Result<Answer<ConnectorDetails>>> make_own_connector(Call call, NoParameters,
                                                          WantedConnector body) {
  auto patch = patch_of(std::move(body));
  if (!patch) co_return failure_of(std::move(patch));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  const auto made = co_await call.services.connectors.add(std::move(owner), *std::move(patch));
  auto answer = answer_connector(made);
  if (answer) {
    answer->headers.emplace_back("Location", "/api/v2/connectors/" + answer->data.id);
  }
  co_return answer;
}

Task<Result<Answer<ConnectorDetails>>> change_own_connector(Call call,
                                                            ConnectorParameters parameters,
                                                            ConnectorChanges body) {
  auto patch = patch_of(std::move(body));
  if (!patch) co_return failure_of(std::move(patch));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  ConnectorId id{std::move(parameters.id.value)};
  const auto changed =
      co_await call.services.connectors.change(std::move(owner), std::move(id), *std::move(patch));
  co_return answer_connector(changed);
}

Task<Result<Answer<Nothing>>> remove_own_connector(Call call, ConnectorParameters parameters,
                                                   NoBody) {
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  ConnectorId id{std::move(parameters.id.value)};
  auto removed = co_await call.services.connectors.remove(std::move(owner), std::move(id));
  if (!removed) co_return failure_of(std::move(removed));
  co_return Answer<Nothing>{};
}

Task<Result<Answer<TrialDetails>>> try_connector(Call call, NoParameters, TriedConnector body) {
  std::optional<ConnectorId> id;
  if (body.id) id = ConnectorId{body.id->value};
  auto patch = patch_of(std::move(body));
  if (!patch) co_return failure_of(std::move(patch));
  core::ConnectorOwner owner = connector_owner_of(call.principal());
  core::AccountConnectors& connectors = call.services.connectors;
  Result<core::ConnectorTrial> trial = core::ConnectorTrial();
  if (id) {
    trial = co_await connectors.test_changed(std::move(owner), *std::move(id), *std::move(patch));
  } else {
    trial = co_await connectors.test(std::move(owner), *std::move(patch));
  }
  if (!trial) co_return failure_of(std::move(trial));
  TrialDetails details;
  details.works = trial->works;
  if (!trial->host_key.empty()) details.hostKey = trial->host_key;
  co_return Answer<TrialDetails>{std::move(details)};
}

}  // namespace

std::vector<Route> connector_routes() {
  using http::Method;
  constexpr std::string_view kAll = "/api/v2/connectors";
  constexpr std::string_view kOne = "/api/v2/connectors/{id}";
  Route list{Method::get, kAll, "listConnectors", "List the account's connectors",
             "By name, in parts, without their secrets."};
  Route make{Method::post, kAll, "createConnector", "Mount a server or drive",
             "It is tried before it is stored: 502 and 504 say what is wrong. Addresses that are "
             "not public are refused, unless an administrator asks or the settings allow them."};
  make.success = 201;
  make.errors = {404, 409, 502, 504, 507};
  Route test{Method::post, "/api/v2/connectors/test", "testConnector",
             "Try a connector before it is stored",
             "Nothing is stored. What is wrong is told as a problem. An SFTP server whose key is "
             "not stated is asked for that alone."};
  test.errors = {404, 502, 504};
  Route show{Method::get, kOne, "showConnector", "Show a connector", "As the list has it."};
  show.errors = {404};
  Route change{Method::patch, kOne, "changeConnector", "Change a connector",
               "Members that are missing stay as they are. Another place revokes the keys that are "
               "limited to the connector's folders."};
  change.errors = {404, 409, 502, 504, 507};
  Route remove{Method::del, kOne, "removeConnector", "Remove a connector",
               "The server or drive keeps its files."};
  remove.success = 204;
  remove.errors = {404, 507};
  return {json_route(list, &list_own_connectors),    json_route(make, &make_own_connector),
          json_route(test, &try_connector),          json_route(show, &show_own_connector),
          json_route(change, &change_own_connector), json_route(remove, &remove_own_connector)};
}

}  // namespace v2
}  // namespace coffer::api
