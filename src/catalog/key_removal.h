#pragma once

#include "base/id.h"

namespace soci {
class session;
}

namespace coffer::catalog {

/// Deletes a key, or the key of a link with the link. What was made with it is its maker's from
/// then on. In a job that bumped the generation `auth` before.
void erase_key(soci::session& sql, const KeyId& id);

}  // namespace coffer::catalog
