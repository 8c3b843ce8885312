#include "core/identity/totp.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sodium.h>

#include <array>
#include <chrono>
#include <stdexcept>

#include "base/encoding.h"

namespace coffer::core {
namespace {

constexpr std::size_t kDigits = 6;
constexpr std::uint32_t kModulus = 1'000'000;
constexpr std::chrono::seconds kStep{30};

using Mac = std::array<unsigned char, 20>;

Mac mac_of(std::string_view secret, std::int64_t step) {
  std::array<unsigned char, 8> counter{};
  for (std::size_t i = 0; i < counter.size(); ++i) {
    counter[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(step) >> (56 - 8 * i));
  }
  Mac mac{};
  unsigned length = 0;
  if (::HMAC(::EVP_sha1(), secret.data(), static_cast<int>(secret.size()), counter.data(),
             counter.size(), mac.data(), &length) == nullptr ||
      length != mac.size()) {
    throw std::runtime_error("HMAC-SHA-1 failed");
  }
  return mac;
}

std::string without_spaces(std::string_view code) {
  std::string digits;
  for (const char c : code) {
    if (c != ' ') digits += c;
  }
  return digits;
}

bool are_equal(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         ::sodium_memcmp(left.data(), right.data(), left.size()) == 0;
}

}  // namespace

std::string totp_code(std::string_view secret, std::int64_t step) {
  const Mac mac = mac_of(secret, step);
  const std::size_t offset = mac.back() & 0xFU;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | mac.at(offset + i);
  return fmt::format("{:0{}}", (number & 0x7FFF'FFFFU) % kModulus, kDigits);
}

std::int64_t totp_step(Timestamp at) {
  return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()) / kStep;
}

std::optional<std::int64_t> step_of_code(std::string_view secret, std::string_view code,
                                         Timestamp at) {
  const std::string shown = without_spaces(code);
  const std::int64_t present = totp_step(at);
  std::optional<std::int64_t> found;
  for (const std::int64_t step : {present - 1, present, present + 1}) {
    if (are_equal(totp_code(secret, step), shown)) found = step;
  }
  return found;
}

std::string totp_uri(std::string_view account, std::string_view secret) {
  return fmt::format("otpauth://totp/Coffer:{}?{}", account,
                     to_form({{"secret", std::string(secret)}, {"issuer", "Coffer"}}));
}

}  // namespace coffer::core
