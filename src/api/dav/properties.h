#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/dav/dead_properties.h"
#include "api/dav/lock_words.h"
#include "api/dav/xml.h"
#include "base/error.h"
#include "core/files/listing.h"

namespace coffer::api::dav {

/// What RFC 4331 tells of the place of an item.
struct Room {
  std::uint64_t used_bytes = 0;
  std::optional<std::uint64_t> available_bytes;  ///< nullopt if there is no limit.
};

/// An item with all that its properties are made of.
struct Described {
  const core::ListedItem& item;
  std::string href;
  std::string name;  ///< For people.
  DeadProperties dead = {};
  std::vector<ShownLock> locks = {};
  std::optional<Room> room = {};
};

/// What a PROPFIND asks for (RFC 4918, section 9.1).
struct PropertyQuery {
  enum class Kind : std::uint8_t { named, all, names_only } kind = Kind::all;
  std::vector<XmlName> names = {};  ///< For `named`; for `all`, those of `include`.
  bool is_minimal = false;          ///< Leaves out what an item does not have (RFC 8144).

  /// True if the answer can have what is stored with an item: properties that clients have set, and
  /// checksums.
  bool wants_dead() const;
  bool wants_locks() const;
  bool wants_room() const;
  /// Returns about how many bytes the answer has at most for each item, without what is stored.
  std::size_t bytes_of_item() const;
};

/// Reads the body of a PROPFIND; none asks for all. `invalid` if it is no `propfind`.
Result<PropertyQuery> read_query(const std::optional<XmlElement>& body);

/// Appends the element `response` of an item, with the properties that are asked for.
void append_response(std::string& out, const Described& described, const PropertyQuery& query);

/// How a property of a PROPPATCH is changed.
enum class Settable : std::uint8_t {
  no,        ///< The server computes it.
  modified,  ///< It is the modification time.
  ignored,   ///< It is stored where properties can be kept, and otherwise accepted all the same.
  dead,      ///< It is stored.
};
Settable settable(const XmlName& name);
/// Returns the time that the value of a property of the kind `modified` tells; nullopt if it is
/// none.
std::optional<Timestamp> modified_in(const XmlElement& property);

}  // namespace coffer::api::dav
