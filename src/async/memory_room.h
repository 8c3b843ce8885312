#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"

namespace coffer {

/// The account that something is made for, or whose links' guests it is made for.
struct MemoryHolder {
  std::string account;  ///< The account's name; empty if nobody is known.
  bool is_guest = false;
  std::string network = {};  ///< Of a guest: see network_of.
};

/// Limits the memory of all that is made for clients and that they have not yet taken: answers,
/// listings while they are read, archives and searches under way. Safe from any thread.
class MemoryRoom {
  struct State;

 public:
  /// All in bytes.
  struct Limits {
    std::uint64_t all = 0;
    /// The limit of an account with its guests. A holder's only Hold may exceed its limit: that of
    /// guests up to `of_account`, and any as long as the account with its guests has at most
    /// `of_only_one()`.
    std::uint64_t of_account = 0;
    /// The limit of all guests of an account together. Those of one network may have four times
    /// what they leave free to others.
    std::uint64_t of_guests = 0;
    /// An account, and its guests together, may always hold this much, even if `all` is exhausted.
    std::uint64_t assured = 0;

    /// The rest stays for the others.
    std::uint64_t of_only_one() const { return all - of_guests; }
  };
  /// Returns the limits for so many bytes in all: 2/5 for an account, half of that for guests.
  static Limits limits_of(std::uint64_t all);

  explicit MemoryRoom(const Limits& limits);

  const Limits& limits() const;
  /// Returns the number of bytes that all holders hold.
  std::uint64_t taken() const;

  /// Makes somebody give way: a guest of the account, or whoever if it is empty.
  using Relieve = std::function<void(const std::string& guests_of)>;
  /// Sets the function that is called if `all` is exhausted, or the limit of an account's guests
  /// for the first of a network; null for none. Any thread may call it. It must not block.
  void on_short(Relieve relieve) const;

  /// The memory reserved for one answer, which is released when the Hold is destroyed. Movable. Not
  /// safe for concurrent calls.
  class Hold {
   public:
    /// A Hold without a room, which may grow without limit.
    Hold() = default;
    ~Hold() { shrink_to(0); }
    Hold(Hold&& other) noexcept;
    Hold& operator=(Hold&& other) noexcept;

    std::uint64_t bytes() const { return bytes_; }
    /// Reserves more bytes. If they do not fit, reserves nothing: `rate_limited` if the holder has
    /// too much, `overloaded` if all together have, or if its only Hold would be too large. Both
    /// have a `retry_after`.
    Result<void> grow(std::uint64_t bytes);
    /// Reserves more bytes for what only makes things faster: as `grow`, but only if half of the
    /// room stays free. Returns whether it did.
    bool grow_if_ample(std::uint64_t bytes);
    /// Releases all but so many bytes. Does nothing if it holds fewer.
    void shrink_to(std::uint64_t bytes);

   private:
    friend class MemoryRoom;
    Hold(std::shared_ptr<State> state, MemoryHolder holder);

    std::shared_ptr<State> state_;
    MemoryHolder holder_;
    std::uint64_t bytes_ = 0;
  };
  /// Returns a Hold without any bytes.
  Hold begin(MemoryHolder holder) const;

 private:
  const std::shared_ptr<State> state_;  ///< Shared with the holds, which may outlive this object.
};

}  // namespace coffer
