#include "catalog/key_removal.h"

#include <soci/soci.h>

namespace coffer::catalog {

void erase_key(soci::session& sql, const KeyId& id) {
  sql << "UPDATE api_keys SET made_by = (SELECT m.made_by FROM api_keys m WHERE m.id = :id) "
         "WHERE made_by = :id AND EXISTS "
         "(SELECT 1 FROM api_keys m WHERE m.id = :id AND m.made_by IS NOT NULL)",
      soci::use(id.value, "id");
  sql << "DELETE FROM api_keys WHERE id = :id", soci::use(id.value, "id");
}

}  // namespace coffer::catalog
