#include "catalog/account.h"

namespace coffer::catalog {

std::string_view to_string(Role role) {
  return role == Role::admin ? "admin" : "user";
}

std::optional<Role> role_from(std::string_view text) {
  if (text == "admin") return Role::admin;
  if (text == "user") return Role::user;
  return std::nullopt;
}

}  // namespace coffer::catalog
