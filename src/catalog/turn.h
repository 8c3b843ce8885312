#pragma once

#include <cstdint>
#include <string_view>

#include "base/id.h"
#include "catalog/credential.h"

namespace coffer::catalog {

/// Whose turn a job takes in its lane (see Database). The jobs of one turn begin in the order in
/// which they came. Turns alternate, so that who asks for much keeps only itself waiting.
class Turn {
 public:
  /// What an account asks for, and what its guests do.
  Turn(AccountId account)  // NOLINT(google-explicit-constructor): a job has its account's turn.
      : Turn(Kind::account, static_cast<std::uint64_t>(account.value)) {}
  /// What an account does while others may wait for its end, such as under a lock. It does not wait
  /// for the other jobs of the account.
  static Turn of_change(AccountId account) {
    return {Kind::change, static_cast<std::uint64_t>(account.value)};
  }
  /// The look-up of a credential whose account is not known yet.
  static Turn of(const SecretHash& credential);
  /// Of somebody who is known only by a text, such as an address.
  static Turn of(std::string_view text);
  /// What is asked of a tree of names, such as an account's own files.
  static Turn of_tree(std::int64_t tree) { return {Kind::tree, static_cast<std::uint64_t>(tree)}; }
  /// What administrators look at that concerns all accounts.
  static Turn administration() { return {Kind::own, 0}; }
  /// The server's own work.
  static Turn server() { return {Kind::own, 1}; }

  /// The same for the same turn, and nearly always another for another one.
  std::uint64_t key() const { return key_; }

 private:
  enum class Kind : std::uint8_t { own, account, change, credential, text, tree };
  Turn(Kind kind, std::uint64_t number);

  std::uint64_t key_;
};

}  // namespace coffer::catalog
