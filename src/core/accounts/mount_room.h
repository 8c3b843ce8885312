#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "async/task.h"
#include "base/error.h"
#include "base/id.h"
#include "catalog/uploads.h"
#include "core/accounts/account_bytes.h"

namespace coffer::core {

/// Bounds what an account may have on the disk of the data folder of contents that are on their way
/// to mounts: its unfinished uploads to them, and bodies of requests that are collected for servers
/// which need a size first. Must outlive its shares. Safe from any thread.
class MountRoom {
 public:
  /// Returns how many bytes are free on the disk of the data folder.
  using FreeBytes = std::function<Task<Result<std::uint64_t>>()>;
  /// `limit_bytes` is the bound for each account; 0 stands for a quarter of what is free and what
  /// the account has there together.
  MountRoom(catalog::Uploads& uploads, FreeBytes free_bytes, std::uint64_t limit_bytes)
      : uploads_(uploads), free_bytes_(std::move(free_bytes)), limit_bytes_(limit_bytes) {}

  /// Returns the account's limit for Uploads::hold.
  Task<Result<catalog::RoomLimit>> limit_of(AccountId account);

  /// The part that one request takes. Gives it back when it is destroyed. Not safe for concurrent
  /// calls.
  class Share {
   public:
    Share(MountRoom& room, AccountId account) : room_(room), account_(account) {}
    ~Share() { room_.collected_.take_off(account_, bytes_); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    /// Grows the part to at least `bytes`; `over_quota` if they are not allowed.
    Task<Result<void>> grow_to(std::uint64_t bytes);

   private:
    Task<Result<void>> try_grow_to(std::uint64_t bytes);

    MountRoom& room_;
    const AccountId account_;
    std::uint64_t bytes_ = 0;
  };

 private:
  catalog::Uploads& uploads_;
  const FreeBytes free_bytes_;
  const std::uint64_t limit_bytes_;
  AccountBytes collected_;
};

}  // namespace coffer::core
