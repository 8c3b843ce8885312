#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "async/task.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/path.h"
#include "catalog/catalog.h"
#include "core/connectors/sealer.h"
#include "core/namespace/principal.h"

namespace coffer::core {

/// Makes and opens signed addresses. With a signed address, a program can read one file for a
/// limited time without an authorization header. The address contains all its data, encrypted. It
/// expires early if the key or session that made it ends. Safe from any thread.
class ContentAddresses {
 public:
  /// The longest time for which an address may be valid.
  static constexpr std::chrono::seconds kLongest{3600};

  ContentAddresses(catalog::Catalog& catalog, const Sealer& sealer)
      : catalog_(catalog), sealer_(sealer) {}

  struct Target {
    Path path;              ///< From the principal's root.
    std::string etag;       ///< The file's ETag. If the file now has another ETag, do not serve it.
    bool is_shown = false;  ///< True if the browser should display the file, not save it.
  };
  /// Returns a text of letters, digits, `-`, `_` and `.`. The principal must have a credential.
  std::string make(const Principal& principal, const Target& target, Timestamp expires_at) const;

  struct Address {
    Principal principal;
    Target target;
  };
  /// Decrypts an address and finds its principal. `not_found` if:
  /// - the address is invalid or has expired
  /// - the key or session of the principal has ended
  /// - the key's folder was renamed or moved, or is being changed now (see FolderChanges)
  Task<Result<Address>> open(std::string_view text) const;

 private:
  Task<Result<Principal>> principal_by(const catalog::Credential& credential) const;

  catalog::Catalog& catalog_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
