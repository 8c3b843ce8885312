#pragma once

#include "api/v2/route.h"

namespace coffer::api::v2 {

/// The providers of drives, for forms.
Route connector_provider_route();

}  // namespace coffer::api::v2
