#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/account.h"

namespace coffer::core {

/// A browser in which somebody signed in before, as its cookie says: `ID.MARK.MARK…`, with a mark
/// for each account. A mark follows from the id, the account and its password's hash: nothing has
/// to be stored, no name shows, and a new password makes all marks of the account invalid.
class KnownDevice {
 public:
  /// Reads a cookie. A malformed one counts as absent: the device gets a new id and has no marks.
  static KnownDevice parse(std::string_view cookie);

  /// Returns true if the account signed in here with its present password. Always false for an
  /// account without a password.
  bool knows(const catalog::Account& account) const;
  /// Adds a mark for the account. Keeps at most five marks, the newest.
  void add(const catalog::Account& account);
  /// Returns the cookie's value.
  std::string str() const;
  const std::string& id() const { return id_; }

 private:
  std::string mark_of(const catalog::Account& account) const;

  std::string id_;
  std::vector<std::string> marks_;  ///< The newest first.
};

}  // namespace coffer::core
