#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace coffer {

/// An identifier that cannot be mistaken for another kind's. `Value` is what the catalog stores.
template <class Tag, class Value>
struct StrongId {
  Value value{};

  auto operator<=>(const StrongId&) const = default;
};

using AccountId = StrongId<struct AccountTag, std::int64_t>;
using KeyId = StrongId<struct KeyTag, std::string>;              ///< Random and opaque to callers.
using ShareId = StrongId<struct ShareTag, std::string>;          ///< Likewise; never used again.
using ConnectorId = StrongId<struct ConnectorTag, std::string>;  ///< Likewise; never used again.
using SessionId = StrongId<struct SessionTag, std::string>;      ///< Likewise.
using TaskId = StrongId<struct TaskTag, std::string>;            ///< Likewise.
using UploadId = StrongId<struct UploadTag, std::string>;        ///< Likewise.
using BinItemId = StrongId<struct BinItemTag, std::string>;      ///< Likewise.

}  // namespace coffer

template <class Tag, class Value>
struct std::hash<coffer::StrongId<Tag, Value>> {
  std::size_t operator()(const coffer::StrongId<Tag, Value>& id) const noexcept {
    return std::hash<Value>{}(id.value);
  }
};
