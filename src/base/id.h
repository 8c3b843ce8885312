#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace coffer {

/// An identifier that cannot be confused with an identifier of another kind. `Value` is the type
/// that the catalog stores.
template <class Tag, class Value>
struct StrongId {
  Value value{};

  auto operator<=>(const StrongId&) const = default;
};

using AccountId = StrongId<struct AccountTag, long long>;
// The ids below are random and opaque to callers. Ids of shares and connectors are never reused.
using KeyId = StrongId<struct KeyTag, std::string>;
using ShareId = StrongId<struct ShareTag, std::string>;
using ConnectorId = StrongId<struct ConnectorTag, std::string>;
using SessionId = StrongId<struct SessionTag, std::string>;
using TaskId = StrongId<struct TaskTag, std::string>;
using UploadId = StrongId<struct UploadTag, std::string>;
using SelectionId = StrongId<struct SelectionTag, std::string>;
using BinItemId = StrongId<struct BinItemTag, std::string>;

}  // namespace coffer

template <class Tag, class Value>
struct std::hash<coffer::StrongId<Tag, Value>> {
  std::size_t operator()(const coffer::StrongId<Tag, Value>& id) const noexcept {
    return std::hash<Value>{}(id.value);
  }
};
