#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "api/dav/xml.h"
#include "catalog/file_locks.h"
#include "core/files/item_locks.h"
#include "http/message.h"

namespace coffer::api::dav {

/// A lock as an answer tells of it.
struct ShownLock {
  catalog::FileLock lock;
  std::string root_href;  ///< The address of the item that was locked.
};

/// Appends the value of `lockdiscovery` (RFC 4918, section 15.8).
void append_locks(std::string& out, const std::vector<ShownLock>& locks);
/// The value of `supportedlock` (RFC 4918, section 15.10).
extern const std::string_view kSupportedLocks;

/// Reads the body of a LOCK (RFC 4918, section 14.11): the scope and the owner. `invalid` if it is
/// no `lockinfo` of a write lock.
Result<core::ItemLocks::Wanted> read_lock_info(const XmlElement& body);

/// Returns how long the first time of the header `Timeout` is (RFC 4918, section 10.7), or the
/// usual time if there is none that is understood.
std::chrono::seconds timeout_of(const http::Request& request);

/// Returns the token of the header `Lock-Token`, without its brackets; `invalid` if it is
/// malformed.
Result<std::string> lock_token_of(const http::Request& request);

/// Returns the address of the item that is `levels` folders above the one at `shown`.
std::string root_href_of(std::string_view base_path, std::string_view shown, bool is_folder,
                         std::size_t levels);

}  // namespace coffer::api::dav
