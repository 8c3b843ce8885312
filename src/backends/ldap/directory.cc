#include "backends/ldap/directory.h"

#include <fmt/format.h>

#include <cctype>
#include <memory>
#include <utility>

#include "backends/ldap/ldap.h"
#include "base/text.h"

namespace coffer::ldap {
namespace {

/// Of each step, and of a connection.
constexpr timeval kPatience{5, 0};
constexpr int kVersion = LDAP_VERSION3;
/// One more than is allowed tells that a name is not unique.
constexpr int kMostEntries = 2;
constexpr std::string_view kHex = "hex:";
constexpr std::size_t kLongestGroup = 256;
constexpr std::size_t kMostGroups = 1'000;

struct Unbind {
  void operator()(LDAP* ld) const { unbind_ext_s(ld, nullptr, nullptr); }
};
using Connection = std::unique_ptr<LDAP, Unbind>;

struct FreeMessage {
  void operator()(LDAPMessage* message) const { msgfree(message); }
};
using Message = std::unique_ptr<LDAPMessage, FreeMessage>;

/// The error of a call. What the directory says may name people, so only the code's text is told.
std::unexpected<Error> cannot_be_asked(int code, std::string_view what) {
  const bool is_late = code == LDAP_TIMEOUT || code == LDAP_TIMELIMIT_EXCEEDED;
  return fail(is_late ? ErrorCode::timed_out : ErrorCode::unavailable,
              fmt::format("The directory cannot be asked ({}): {}.", what, err2string(code)));
}

Result<void> set(LDAP* ld, int option, const void* value) {
  const int code = set_option(ld, option, value);
  if (code != LDAP_OPT_SUCCESS) return cannot_be_asked(code, "options");
  return {};
}

Result<void> set_tls(LDAP* ld, const DirectoryOptions& options) {
  const int demand = LDAP_OPT_X_TLS_DEMAND;
  TRY_VOID(set(ld, LDAP_OPT_X_TLS_REQUIRE_CERT, &demand));
  if (!options.ca_file.empty()) {
    TRY_VOID(set(ld, LDAP_OPT_X_TLS_CACERTFILE, options.ca_file.c_str()));
  }
  const int as_client = 0;
  return set(ld, LDAP_OPT_X_TLS_NEWCTX, &as_client);
}

Result<Connection> connect(const DirectoryOptions& options) {
  LDAP* made = nullptr;
  const int code = initialize(&made, options.url.c_str());
  if (code != LDAP_SUCCESS) return cannot_be_asked(code, "address");
  Connection ld(made);
  TRY_VOID(set(made, LDAP_OPT_PROTOCOL_VERSION, &kVersion));
  TRY_VOID(set(made, LDAP_OPT_NETWORK_TIMEOUT, &kPatience));
  TRY_VOID(set(made, LDAP_OPT_TIMEOUT, &kPatience));
  TRY_VOID(set(made, LDAP_OPT_REFERRALS, LDAP_OPT_OFF));
  TRY_VOID(set_tls(made, options));
  if (!options.start_tls) return ld;
  const int started =
      start_tls_s(made, static_cast<LDAPControl**>(nullptr), static_cast<LDAPControl**>(nullptr));
  if (started != LDAP_SUCCESS) return cannot_be_asked(started, "TLS");
  return ld;
}

int bind_as(LDAP* ld, const std::string& dn, const std::string& password) {
  berval secret{password.size(), const_cast<char*>(password.data())};
  return sasl_bind_s(ld, dn.c_str(), static_cast<const char*>(LDAP_SASL_SIMPLE), &secret,
                     static_cast<LDAPControl**>(nullptr), static_cast<LDAPControl**>(nullptr),
                     static_cast<berval**>(nullptr));
}

Result<void> bind_itself(LDAP* ld, const DirectoryOptions& options) {
  const int code = bind_as(ld, options.bind_dn, options.bind_password);
  if (code != LDAP_SUCCESS) return cannot_be_asked(code, "its own sign-in");
  return {};
}

std::vector<std::string> values_of(LDAP* ld, LDAPMessage* entry, const std::string& attribute) {
  std::vector<std::string> found;
  if (attribute.empty()) return found;
  berval** const values = get_values_len(ld, entry, attribute.c_str());
  if (values == nullptr) return found;
  for (berval** one = values; *one != nullptr && found.size() < kMostGroups; ++one) {
    found.emplace_back((*one)->bv_val, (*one)->bv_len);
  }
  value_free_len(values);
  return found;
}

std::string first_text(LDAP* ld, LDAPMessage* entry, const std::string& attribute) {
  const auto values = values_of(ld, entry, attribute);
  return values.empty() || !is_utf8(values.front()) ? std::string() : values.front();
}

Result<DirectoryPerson> person_in(LDAP* ld, LDAPMessage* entry, const DirectoryOptions& options) {
  const auto ids = values_of(ld, entry, options.id_attribute);
  if (ids.size() != 1 || ids.front().empty()) {
    return fail(ErrorCode::refused,
                fmt::format("The directory does not tell the attribute {} of an entry.",
                            options.id_attribute));
  }
  DirectoryPerson person;
  person.id = id_text(ids.front());
  person.name = first_text(ld, entry, options.name_attribute);
  person.display_name = first_text(ld, entry, options.display_name_attribute);
  if (!options.groups_attribute.empty()) {
    person.groups = group_names(values_of(ld, entry, options.groups_attribute));
  }
  return person;
}

/// An entry that was found, with its name for a bind.
struct Found {
  std::string dn;
  DirectoryPerson person;
};

Result<std::optional<Found>> search(LDAP* ld, const DirectoryOptions& options,
                                    const std::string& filter) {
  std::vector<std::string> names = {options.id_attribute, options.name_attribute,
                                    options.display_name_attribute};
  if (!options.groups_attribute.empty()) names.push_back(options.groups_attribute);
  std::vector<char*> attributes;
  for (std::string& name : names) attributes.push_back(name.data());
  attributes.push_back(nullptr);
  timeval patience = kPatience;
  LDAPMessage* answer = nullptr;
  const int code =
      search_ext_s(ld, options.base.c_str(), LDAP_SCOPE_SUBTREE, filter.c_str(), attributes.data(),
                   0, static_cast<LDAPControl**>(nullptr), static_cast<LDAPControl**>(nullptr),
                   &patience, kMostEntries, &answer);
  const Message held(answer);
  if (code != LDAP_SUCCESS && code != LDAP_SIZELIMIT_EXCEEDED) {
    return cannot_be_asked(code, "search");
  }
  const int count = count_entries(ld, answer);
  if (count > 1 || code == LDAP_SIZELIMIT_EXCEEDED) {
    return fail(ErrorCode::refused, "The directory has several entries of this name.");
  }
  LDAPMessage* const entry = first_entry(ld, answer);
  if (count < 1 || entry == nullptr) return std::nullopt;
  char* const dn = get_dn(ld, entry);
  Found found{dn == nullptr ? std::string() : std::string(dn), {}};
  memfree(static_cast<void*>(dn));
  // A bind of nobody always succeeds.
  if (found.dn.empty()) return std::nullopt;
  TRY(found.person, person_in(ld, entry, options));
  return found;
}

}  // namespace

std::string escaped_for_filter(std::string_view text) {
  constexpr std::string_view kPlain = "-_.@ ";
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kPlain.contains(c)) {
      escaped += c;
    } else {
      escaped += fmt::format("\\{:02x}", byte);
    }
  }
  return escaped;
}

std::string filter_for(std::string_view filter, std::string_view name) {
  constexpr std::string_view kHole = "{name}";
  const std::string escaped = escaped_for_filter(name);
  std::string filled;
  while (true) {
    const auto hole = filter.find(kHole);
    filled += filter.substr(0, hole);
    if (hole == std::string_view::npos) return filled;
    filled += escaped;
    filter.remove_prefix(hole + kHole.size());
  }
}

std::string id_text(std::string_view value) {
  if (is_utf8(value) && !has_control_character(value) && !value.starts_with(kHex)) {
    return std::string(value);
  }
  std::string text(kHex);
  for (const char c : value) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

std::string filter_for_id(std::string_view attribute, std::string_view id) {
  if (!id.starts_with(kHex)) return fmt::format("({}={})", attribute, escaped_for_filter(id));
  std::string value;
  for (std::string_view digits = id.substr(kHex.size()); digits.size() >= 2;
       digits.remove_prefix(2)) {
    value.append("\\").append(digits.substr(0, 2));
  }
  return fmt::format("({}={})", attribute, value);
}

std::vector<std::string> group_names(const std::vector<std::string>& values) {
  std::vector<std::string> names;
  for (const std::string& value : values) {
    if (!is_utf8(value) || value.size() > kLongestGroup) continue;
    names.push_back(value);
    // `cn=staff,ou=groups,dc=example` is called `staff` too.
    const auto equals = value.find('=');
    const auto comma = value.find(',');
    if (equals < comma && comma != std::string::npos) {
      names.push_back(value.substr(equals + 1, comma - equals - 1));
    }
  }
  return names;
}

Result<std::optional<DirectoryPerson>> Directory::check_entry(const std::string& filter,
                                                              const std::string& password) const {
  if (password.empty()) return std::nullopt;
  TRY(const Connection ld, connect(options_));
  TRY_VOID(bind_itself(ld.get(), options_));
  TRY(auto found, search(ld.get(), options_, filter));
  if (!found) return std::nullopt;
  const int code = bind_as(ld.get(), found->dn, password);
  if (code == LDAP_SUCCESS) return std::move(found->person);
  // What a directory answers to a wrong password, a locked account, and one that may not sign in.
  const bool is_refused = code == LDAP_INVALID_CREDENTIALS || code == LDAP_INSUFFICIENT_ACCESS ||
                          code == LDAP_CONSTRAINT_VIOLATION || code == LDAP_INAPPROPRIATE_AUTH ||
                          code == LDAP_UNWILLING_TO_PERFORM || code == LDAP_NO_SUCH_OBJECT;
  if (is_refused) return std::nullopt;
  return cannot_be_asked(code, "sign-in");
}

Result<std::optional<DirectoryPerson>> Directory::check(const std::string& name,
                                                        const std::string& password) const {
  if (name.empty()) return std::nullopt;
  return check_entry(filter_for(options_.filter, name), password);
}

Result<bool> Directory::check_id(const std::string& id, const std::string& password) const {
  TRY(const auto person, check_entry(filter_for_id(options_.id_attribute, id), password));
  return person.has_value();
}

struct DirectoryVisit::State {
  Connection connection;
};

DirectoryVisit::DirectoryVisit(const Directory& directory)
    : options_(directory.options_), state_(std::make_unique<State>()) {}
DirectoryVisit::~DirectoryVisit() = default;

Result<void> DirectoryVisit::bind() {
  TRY(state_->connection, connect(options_));
  return bind_itself(state_->connection.get(), options_);
}

Result<void> DirectoryVisit::find_base() {
  LDAP* const ld = state_->connection.get();
  char no_attributes[] = LDAP_NO_ATTRS;
  char* attributes[] = {no_attributes, nullptr};
  timeval patience = kPatience;
  LDAPMessage* answer = nullptr;
  const int code =
      search_ext_s(ld, options_.base.c_str(), LDAP_SCOPE_BASE, "(objectClass=*)",
                   static_cast<char**>(attributes), 0, static_cast<LDAPControl**>(nullptr),
                   static_cast<LDAPControl**>(nullptr), &patience, kMostEntries, &answer);
  const Message held(answer);
  const bool is_missing =
      code == LDAP_NO_SUCH_OBJECT || (code == LDAP_SUCCESS && count_entries(ld, answer) != 1);
  if (is_missing || code == LDAP_INVALID_DN_SYNTAX) {
    return fail(ErrorCode::refused, "The directory does not show the entry of ldap_base.");
  }
  if (code != LDAP_SUCCESS) return cannot_be_asked(code, "base");
  return {};
}

Result<std::optional<DirectoryPerson>> DirectoryVisit::find(const std::string& name) {
  TRY(auto found, search(state_->connection.get(), options_, filter_for(options_.filter, name)));
  if (!found) return std::nullopt;
  return std::move(found->person);
}

}  // namespace coffer::ldap
