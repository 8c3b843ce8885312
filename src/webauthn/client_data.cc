#include "webauthn/client_data.h"

#include <boost/json.hpp>
#include <exception>
#include <stdexcept>

#include "base/encoding.h"

namespace coffer::webauthn {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostClientDataBytes = 8192;

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(object.at({name.data(), name.size()}).as_string());
}

ClientData client_data_in(const json::object& object) {
  ClientData data;
  data.type = text_in(object, "type");
  const auto challenge = from_base64url(text_in(object, "challenge"));
  if (!challenge) throw std::invalid_argument("no challenge");
  data.challenge = *challenge;
  data.origin = text_in(object, "origin");
  if (const auto* cross = object.if_contains("crossOrigin"))
    data.is_cross_origin = cross->as_bool();
  // Only a frame has it (section 5.8.1).
  data.is_cross_origin |= object.contains("topOrigin");
  return data;
}

}  // namespace

Result<ClientData> read_client_data(std::string_view text) {
  try {
    if (text.size() > kMostClientDataBytes) throw std::length_error("too long");
    return client_data_in(json::parse(json::string_view(text.data(), text.size())).as_object());
  } catch (const std::exception&) {
    return fail(ErrorCode::unauthenticated, "The browser's answer is not that of a passkey.");
  }
}

Result<void> check_client_data(const ClientData& data, std::string_view type,
                               std::string_view origin) {
  if (data.type != type) {
    return fail(ErrorCode::unauthenticated, "The passkey's answer is to another question.");
  }
  if (data.origin != origin || data.is_cross_origin) {
    return fail(ErrorCode::unauthenticated,
                "The passkey's answer was made for another page than those of this server: open it "
                "by the address in its setting public_url.");
  }
  return {};
}

}  // namespace coffer::webauthn
