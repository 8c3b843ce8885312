#include "core/connectors/pending_login.h"

#include <sodium.h>

#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <exception>

namespace coffer::core {
namespace {

namespace json = boost::json;

/// The key seals other things too: none of them is taken for a login.
constexpr const char* kPurpose = "login to a drive";

std::string text_in(const json::object& object, std::string_view name) {
  return std::string(object.at({name.data(), name.size()}).as_string());
}

PendingLogin read(const json::object& object) {
  if (text_in(object, "purpose") != kPurpose) throw std::invalid_argument("another purpose");
  PendingLogin login;
  login.account = AccountId{object.at("account").as_int64()};
  login.by_administrator = object.at("byAdministrator").as_bool();
  login.expires_at = timestamp_of(object.at("expires").as_int64());
  login.redirect = text_in(object, "redirect");
  login.verifier = text_in(object, "verifier");
  login.settings.provider = text_in(object, "type");
  login.settings.may_be_private = object.at("mayBePrivate").as_bool();
  for (const auto& [name, value] : object.at("parameters").as_object()) {
    login.settings.parameters[std::string(name)] = std::string(value.as_string());
  }
  return login;
}

/// SHA-256 in base64url without signs at its end (RFC 4648, section 5).
std::string digest_of(std::string_view text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest;
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size());
  constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, kVariant)> encoded;
  return sodium_bin2base64(encoded.data(), encoded.size(), digest.data(), digest.size(), kVariant);
}

}  // namespace

std::string seal_login(const PendingLogin& login, const Sealer& sealer) {
  json::object parameters;
  for (const auto& [name, value] : login.settings.parameters) parameters[name] = value;
  const auto expires = std::chrono::floor<std::chrono::seconds>(login.expires_at);
  return sealer.seal(json::serialize(json::object{{"purpose", kPurpose},
                                                  {"account", login.account.value},
                                                  {"byAdministrator", login.by_administrator},
                                                  {"expires", expires.time_since_epoch().count()},
                                                  {"redirect", login.redirect},
                                                  {"verifier", login.verifier},
                                                  {"type", login.settings.provider},
                                                  {"mayBePrivate", login.settings.may_be_private},
                                                  {"parameters", std::move(parameters)}}));
}

Result<PendingLogin> open_login(std::string_view sealed, const Sealer& sealer) {
  const auto text = sealer.open(sealed);
  try {
    if (text) return read(json::parse(*text).as_object());
  } catch (const std::exception&) {
    // Something else was sealed.
  }
  return fail(ErrorCode::invalid,
              "The login was not begun here, or it was altered: begin it again.");
}

std::string state_of(std::string_view sealed) {
  return digest_of(sealed);
}

std::string challenge_of(std::string_view verifier) {
  return digest_of(verifier);
}

}  // namespace coffer::core
