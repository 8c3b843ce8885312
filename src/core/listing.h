#pragma once

#include <vector>

#include "storage/entry.h"

namespace coffer::core {

/// Puts entries into the order of a listing: folders first, each kind by name in natural order.
void sort_for_listing(std::vector<storage::Entry>& entries);

}  // namespace coffer::core
