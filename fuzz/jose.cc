#include <string>

#include "backends/oidc/jws.h"
#include "base/encoding.h"
#include "check.h"

using namespace coffer;

namespace {

/// A set with a key of each type whose owners signed nothing here.
const std::vector<oidc::Jwk>& known_keys() {
  static const auto keys =
      oidc::parse_key_set(
          R"({"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",)"
          R"("y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},)"
          R"({"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]})")
          .value();
  return keys;
}

}  // namespace

/// A token that is parsed is what was signed, and nobody's; a key that is read can be used.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::to_text(data, size);
  const auto jws = oidc::parse_jws(text);
  if (jws) {
    fuzz::check(jws->signed_text + "." + to_base64url(jws->signature) == text);
    fuzz::check(oidc::verify(*jws, known_keys()) != oidc::Verification::verified);
  }
  const auto keys = oidc::parse_key_set(text);
  if (keys) {
    const auto token = oidc::parse_jws("eyJhbGciOiJFUzI1NiJ9.e30.AAAA");
    fuzz::check(token && keys->size() <= oidc::kMostKeys);
    fuzz::check(oidc::verify(*token, *keys) != oidc::Verification::verified);
  }
  return 0;
}
