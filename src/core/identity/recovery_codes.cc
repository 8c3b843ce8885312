#include "core/identity/recovery_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.h"
#include "base/text.h"

namespace coffer::core {
namespace {

/// Without letters that are read as digits (Crockford's base 32).
constexpr std::string_view kSigns = "0123456789abcdefghjkmnpqrstvwxyz";
constexpr std::size_t kCodeSigns = 10;

std::string new_recovery_code() {
  std::array<std::byte, kCodeSigns> random{};
  fill_random(random);
  std::string code;
  for (const std::byte byte : random) {
    code += kSigns[std::to_integer<std::size_t>(byte) % kSigns.size()];
  }
  return code;
}

}  // namespace

std::vector<std::string> new_recovery_codes() {
  std::vector<std::string> codes(kRecoveryCodes);
  std::ranges::generate(codes, &new_recovery_code);
  return codes;
}

std::vector<std::string> shown_recovery_codes(std::vector<std::string> codes) {
  for (std::string& code : codes) code.insert(kCodeSigns / 2, 1, '-');
  return codes;
}

std::string typed_recovery_code(std::string_view typed) {
  std::string code;
  for (char c : to_lower(typed)) {
    if (c == '-' || c == ' ') continue;
    if (c == 'o') c = '0';
    if (c == 'i' || c == 'l') c = '1';
    if (!kSigns.contains(c)) return {};
    code += c;
  }
  return code.size() == kCodeSigns ? code : std::string();
}

catalog::SecretHash hash_of_recovery_code(const Sealer& sealer, AccountId account,
                                          std::string_view code) {
  return sealer.tag("recovery code", fmt::format("{} {}", account.value, code));
}

std::vector<catalog::SecretHash> hashes_of_recovery_codes(const Sealer& sealer, AccountId account,
                                                          const std::vector<std::string>& codes) {
  std::vector<catalog::SecretHash> hashes;
  for (const std::string& code : codes) {
    hashes.push_back(hash_of_recovery_code(sealer, account, code));
  }
  return hashes;
}

}  // namespace coffer::core
