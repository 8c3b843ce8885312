#pragma once

#include <array>

#include "api/described.h"
#include "catalog/links.h"

namespace coffer::api {

template <>
struct Words<catalog::LinkMode> {
  static constexpr std::array all{catalog::LinkMode::read, catalog::LinkMode::upload};
};

}  // namespace coffer::api
