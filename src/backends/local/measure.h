#pragma once

#include <string>

#include "base/error.h"
#include "storage/entry.h"

namespace coffer::local {

/// Adds up the tree in an open folder, the folder itself included, without following links. Items
/// that vanish meanwhile do not count. `hidden` names an item directly in it to leave out, if any.
Result<storage::TreeSize> measure_tree(int folder, const std::string& hidden = {});

}  // namespace coffer::local
