#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "catalog/sign_in_failures.h"

namespace coffer::core {

// How often one may guess wrongly before one has to wait, whether passwords, codes or answers.

/// Of one session, known device, or pair of an account or link and an address.
inline catalog::SignInLimit limit_of_one(std::string subject) {
  return {std::move(subject), 10, std::chrono::minutes(1)};
}
/// Of all strangers at an account or link. One address alone cannot get so far.
inline catalog::SignInLimit limit_of_strangers(std::string subject) {
  return {std::move(subject), 100, std::chrono::minutes(1)};
}
/// Of an address, whatever names it tries. Others may have the same one (behind a proxy, say), so
/// this only slows sprays of guesses: it never locks the address.
inline catalog::SignInLimit limit_of_address(std::string subject) {
  return {std::move(subject), 30, std::chrono::seconds(8)};
}

}  // namespace coffer::core
