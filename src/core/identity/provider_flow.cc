#include "core/identity/provider_flow.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <exception>
#include <span>
#include <utility>

#include "base/encoding.h"
#include "base/text.h"

namespace coffer::core {
namespace {

namespace json = boost::json;

/// Tells a flow from other texts that are sealed with the same key.
constexpr const char* kFlowPurpose = "sign-in at a provider";
constexpr std::size_t kLongestReturnPath = 1024;

std::string flow_text(const json::object& object, std::string_view name) {
  return std::string(object.at({name.data(), name.size()}).as_string());
}

json::value json_of(const std::optional<LinkingSession>& linking) {
  if (!linking) return nullptr;
  const std::string_view hash(reinterpret_cast<const char*>(linking->hash.data()),
                              linking->hash.size());
  return {{"account", linking->account.value},
          {"hash", to_base64(hash)},
          {"confirms", linking->confirms}};
}

std::optional<LinkingSession> read_linking(const json::value& value) {
  if (value.is_null()) return std::nullopt;
  const json::object& object = value.as_object();
  LinkingSession linking;
  linking.account = AccountId{object.at("account").as_int64()};
  linking.confirms = object.at("confirms").as_bool();
  const auto hash = from_base64(flow_text(object, "hash"));
  if (!hash || hash->size() != linking.hash.size()) throw std::invalid_argument("no hash");
  std::ranges::copy(std::as_bytes(std::span(*hash)), linking.hash.begin());
  return linking;
}

ProviderFlow read_flow(const json::object& object) {
  if (flow_text(object, "purpose") != kFlowPurpose) throw std::invalid_argument("other purpose");
  ProviderFlow flow;
  flow.expires_at = timestamp_of(object.at("expires").as_int64());
  flow.nonce = flow_text(object, "nonce");
  flow.verifier = flow_text(object, "verifier");
  flow.return_path = flow_text(object, "return");
  flow.linking = read_linking(object.at("linking"));
  return flow;
}

std::unexpected<Error> unknown_flow() {
  return fail(ErrorCode::unauthenticated,
              "The sign-in was not begun in this browser, or it took too long: begin it again.");
}

}  // namespace

std::string seal_flow(const ProviderFlow& flow, const Sealer& sealer) {
  const auto expires = std::chrono::floor<std::chrono::seconds>(flow.expires_at);
  return sealer.seal(json::serialize(json::object{{"purpose", kFlowPurpose},
                                                  {"expires", expires.time_since_epoch().count()},
                                                  {"nonce", flow.nonce},
                                                  {"verifier", flow.verifier},
                                                  {"return", flow.return_path},
                                                  {"linking", json_of(flow.linking)}}));
}

Result<ProviderFlow> open_flow(std::string_view sealed, const Sealer& sealer) {
  const auto text = sealer.open(sealed);
  if (!text) return unknown_flow();
  try {
    auto flow = read_flow(json::parse(*text).as_object());
    if (flow.expires_at <= now()) return unknown_flow();
    return flow;
  } catch (const std::exception&) {
    return unknown_flow();
  }
}

std::string safe_return_path(std::string_view path) {
  const bool is_local = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
  const bool is_safe = is_local && path.size() <= kLongestReturnPath && is_utf8(path) &&
                       !has_control_character(path);
  return is_safe ? std::string(path) : "/";
}

}  // namespace coffer::core
