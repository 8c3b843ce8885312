#include "core/namespace/principal.h"

namespace coffer::core {

Principal principal_of(const std::shared_ptr<const catalog::Grant>& grant) {
  Principal principal;
  principal.account = {grant, &grant->account};
  principal.key = {grant, &grant->hash};
  if (grant->key.folder) principal.scope = {grant, &*grant->key.folder};
  return principal;
}

}  // namespace coffer::core
