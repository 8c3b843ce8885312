#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace coffer::ldap {

struct DirectoryOptions {
  std::string url;         ///< `ldap://host`, `ldaps://host:port`; several, separated by spaces.
  bool start_tls = false;  ///< Speak TLS on a connection of `ldap://` (RFC 4511, section 4.14).
  std::string ca_file;     ///< What certificates are checked by; empty: the system's.
  std::string bind_dn;     ///< Who searches; empty: nobody (an anonymous search).
  std::string bind_password;
  std::string base;  ///< Where people are searched, at any depth.
  /// Finds a person; `{name}` stands for the name that is typed.
  std::string filter = "(uid={name})";
  std::string id_attribute = "entryUUID";  ///< Never changes and is never given to another person.
  std::string name_attribute = "uid";
  std::string display_name_attribute = "cn";
  std::string groups_attribute = "memberOf";  ///< Empty: nothing is said of groups.
};

struct DirectoryPerson {
  /// The value of the id attribute; `hex:` and digits if that is no text, as objectGUID.
  std::string id;
  std::string name;
  std::string display_name;
  /// The names of groups, and the first part of each that is a DN; nullopt if they are not asked
  /// for.
  std::optional<std::vector<std::string>> groups;
};

/// Returns `text` as it may stand in a filter (RFC 4515, section 3).
std::string escaped_for_filter(std::string_view text);
/// Returns the filter for a name; see DirectoryOptions::filter.
std::string filter_for(std::string_view filter, std::string_view name);
/// Returns the value of the id attribute as DirectoryPerson::id.
std::string id_text(std::string_view value);
/// Returns the filter for a person by DirectoryPerson::id.
std::string filter_for_id(std::string_view attribute, std::string_view id);
/// Returns the groups' names and, of those that are a DN, the value of the first part too.
std::vector<std::string> group_names(const std::vector<std::string>& values);

/// A directory that people's passwords are checked by, over libldap, which is loaded at the first
/// call. Each call has a connection of its own and blocks, for some seconds at most. Errors of all
/// calls: `unavailable` or `timed_out` if the directory cannot be asked or refuses this server;
/// `refused` if it says of one person what is of no use.
/// Safe from any thread.
class Directory {
 public:
  explicit Directory(DirectoryOptions options) : options_(std::move(options)) {}

  /// Checks a name and a password: searches the one entry of that name, and binds as it. nullopt if
  /// there is no such entry, the password is wrong, or it is empty, which directories take for a
  /// bind of nobody. `refused` if several entries have the name.
  Result<std::optional<DirectoryPerson>> check(const std::string& name,
                                               const std::string& password) const;
  /// Checks the password of a person; returns false also if there is no such person any more.
  Result<bool> check_id(const std::string& id, const std::string& password) const;

 private:
  Result<std::optional<DirectoryPerson>> check_entry(const std::string& filter,
                                                     const std::string& password) const;

  friend class DirectoryVisit;
  const DirectoryOptions options_;
};

/// The steps before the check of a password, one by one, for a test of a directory, on one
/// connection. The calls fail as those of Directory, which must outlive this object. For one
/// thread.
class DirectoryVisit {
 public:
  explicit DirectoryVisit(const Directory& directory);
  ~DirectoryVisit();
  DirectoryVisit(const DirectoryVisit&) = delete;
  DirectoryVisit& operator=(const DirectoryVisit&) = delete;

  /// Connects and signs this server's own entry in. The other calls come after it.
  Result<void> bind();
  /// `refused` if the entry below which people are searched is not there.
  Result<void> find_base();
  /// Returns the person of a name; nullopt if there is none.
  Result<std::optional<DirectoryPerson>> find(const std::string& name);

 private:
  struct State;
  const DirectoryOptions& options_;
  std::unique_ptr<State> state_;
};

}  // namespace coffer::ldap
