#include "core/sessions/password.h"

#include <sodium.h>

#include <stdexcept>

namespace coffer::core {
namespace {

constexpr std::size_t kShortest = 8;
constexpr std::size_t kLongest = 1024;
constexpr auto kOperations = crypto_pwhash_OPSLIMIT_INTERACTIVE;
constexpr auto kMemoryBytes = crypto_pwhash_MEMLIMIT_INTERACTIVE;

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium could not be initialised");
}

}  // namespace

Result<void> check_password(std::string_view password) {
  if (password.size() >= kShortest && password.size() <= kLongest) return {};
  return fail(ErrorCode::invalid, "A password has 8 to 1024 bytes.");
}

Result<std::string> hash_password(std::string_view password) {
  require_sodium();
  char text[crypto_pwhash_STRBYTES];
  if (crypto_pwhash_str_alg(text, password.data(), password.size(), kOperations, kMemoryBytes,
                            crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return fail(ErrorCode::failed, "There is not enough memory to hash the password.");
  }
  return std::string(text);
}

bool is_password(std::string_view password, const std::string& hash) {
  require_sodium();
  const char* const against = hash.empty() ? kUnknownHash : hash.c_str();
  // One that is too long to be a password costs no more than others.
  const auto tried = password.substr(0, kLongest + 1);
  return crypto_pwhash_str_verify(against, tried.data(), tried.size()) == 0 && !hash.empty() &&
         password.size() <= kLongest;
}

bool needs_new_hash(const std::string& hash) {
  return crypto_pwhash_str_needs_rehash(hash.c_str(), kOperations, kMemoryBytes) != 0;
}

}  // namespace coffer::core
