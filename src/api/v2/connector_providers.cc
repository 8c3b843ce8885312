#include "api/v2/resources.h"
#include "core/connectors/account_connectors.h"

namespace coffer::api {

namespace v2 {

struct OptionExample {
  std::string value;
  std::string help;
  std::string onlyFor;
};
BOOST_DESCRIBE_STRUCT(OptionExample, (), (value, help, onlyFor))

struct ProviderOption {
  std::string name;
  std::string help;
  std::string standard;
  std::string onlyFor;
  bool isSecret = false;
  bool isAddress = false;
  bool isRequired = false;
  bool isAdvanced = false;
  std::vector<OptionExample> examples;
};
BOOST_DESCRIBE_STRUCT(ProviderOption, (),
                      (name, help, standard, onlyFor, isSecret, isAddress, isRequired, isAdvanced,
                       examples))

struct Provider {
  std::string type;
  std::string name;
  bool usesOAuth = false;
  std::vector<ProviderOption> options;
};
BOOST_DESCRIBE_STRUCT(Provider, (), (type, name, usesOAuth, options))

}  // namespace v2

inline constexpr FieldDoc kOnlyFor{
    "onlyFor",
    "Values of the option provider that this is for, divided by commas; after a !, those that it "
    "is not for. Empty for all.",
    R"("")"};

template <>
struct Docs<v2::OptionExample> {
  static constexpr std::string_view name = "ProviderOptionExample";
  static constexpr std::array<FieldDoc, 3> fields{{
      {"value", "A value that is proposed.", R"("nextcloud")"},
      {"help", "What it means.", R"("Nextcloud")"},
      kOnlyFor,
  }};
};

template <>
struct Docs<v2::ProviderOption> {
  static constexpr std::string_view name = "ProviderOption";
  static constexpr std::array<FieldDoc, 9> fields{{
      {"name", "The parameter's name.", R"("url")"},
      {"help", "What it means.", R"("URL of the host")"},
      {"standard", "The value where it is not given; empty for none.", R"("")"},
      kOnlyFor,
      {"isSecret", "Whether it is never shown.", "false"},
      {"isAddress", "Whether the drive's secrets go where it says.", "true"},
      {"isRequired", "Whether it must be given.", "true"},
      {"isAdvanced", "Whether few need it.", "false"},
      {"examples", "Values that are proposed.", "[]"},
  }};
};

template <>
struct Docs<v2::Provider> {
  static constexpr std::string_view name = "DriveProvider";
  static constexpr std::array<FieldDoc, 4> fields{{
      {"type", "To be sent as provider.", R"("webdav")"},
      {"name", "For people.", R"("WebDAV")"},
      {"usesOAuth",
       "Whether a login where a browser is gives the parameter token: `coffer connector "
       "authorize`, or POST /api/v2/connectors/authorize.",
       "false"},
      {"options", "Its parameters.", "[]"},
  }};
};

namespace v2 {
namespace {

namespace json = boost::json;

std::string text_in(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains({name.data(), name.size()});
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool flag_in(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains({name.data(), name.size()});
  return found && found->is_bool() && found->get_bool();
}

ProviderOption option_of(const json::object& object) {
  ProviderOption option;
  option.name = text_in(object, "name");
  option.help = text_in(object, "help");
  option.standard = text_in(object, "default");
  option.onlyFor = text_in(object, "onlyFor");
  option.isSecret = flag_in(object, "isSecret");
  option.isAddress = flag_in(object, "isAddress");
  option.isRequired = flag_in(object, "isRequired");
  option.isAdvanced = flag_in(object, "isAdvanced");
  for (const json::value& one : object.at("examples").as_array()) {
    const json::object& example = one.as_object();
    option.examples.push_back(
        {text_in(example, "value"), text_in(example, "help"), text_in(example, "onlyFor")});
  }
  return option;
}

Task<Result<Answer<std::vector<Provider>>>> list_providers(Call call, NoParameters, NoBody) {
  const auto found = co_await call.services.connectors.providers();
  if (!found) co_return failure_of(found);
  std::vector<Provider> providers;
  for (const core::DriveProvider& one : *found) {
    Provider& provider = providers.emplace_back();
    provider.type = one.type;
    provider.name = one.name;
    provider.usesOAuth = one.uses_oauth;
    for (const json::value& option : one.options) {
      provider.options.push_back(option_of(option.as_object()));
    }
  }
  co_return Answer<std::vector<Provider>>{std::move(providers)};
}

}  // namespace

Route connector_provider_route() {
  Route list{http::Method::get, "/api/v2/connectors/providers", "listProviders",
             "List the providers of drives", "With the parameters that each one has, by type."};
  list.errors = {502, 504};
  return json_route(list, &list_providers);
}

}  // namespace v2
}  // namespace coffer::api
