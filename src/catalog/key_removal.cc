#include "catalog/key_removal.h"

#include <soci/soci.h>

namespace coffer::catalog {

void erase_key(soci::session& sql, const KeyId& id) {
  sql << "UPDATE api_keys SET made_by = coalesce("
         "(SELECT m.made_by FROM api_keys m WHERE m.id = :id), made_by) WHERE made_by = :id",
      soci::use(id.value, "id");
  sql << "DELETE FROM api_keys WHERE id = :id", soci::use(id.value, "id");
}

}  // namespace coffer::catalog
