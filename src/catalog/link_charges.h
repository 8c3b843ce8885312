#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/id.h"

namespace coffer::sql {
class Connection;
}

namespace coffer::catalog {

/// Bytes of a file that a guest of a link is about to get.
struct LinkCharge {
  KeyId link;
  std::string file;  ///< Stands for the file and its content.
  std::uint64_t size_bytes = 0;
  std::string visit;        ///< Stands for the guest; not empty.
  std::uint64_t bytes = 0;  ///< At most `size_bytes`.
};

/// Takes the bytes of what the guest has left of a counted download, of what the file gives to all
/// (half its size, once), or of a further download, which is counted; of the first bytes a few are
/// given before one is. False, and nothing changes, if the link gives no more, or has ended.
/// See docs/adr/0045. Must run where all charges of the catalog run one after another.
bool charge_download(sql::Connection& sql, const LinkCharge& charge);

/// Counts a download; false if the link's limit was reached before or the link has ended.
bool count_download(sql::Connection& sql, const KeyId& link);

/// Deletes what guests have left who took nothing since `before`.
void drop_visits(sql::Connection& sql, Timestamp before);

}  // namespace coffer::catalog
