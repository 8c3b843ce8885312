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

/// Makes and opens signed addresses. With an address, a program that cannot send an authorization
/// header can read one file for a limited time. The address contains all its data, encrypted. It
/// becomes invalid early if its principal's key or session ends. Safe from any thread.
class ContentAddresses {
 public:
  /// The longest time for which an address may be valid.
  static constexpr std::chrono::seconds kLongest{3600};

  ContentAddresses(catalog::Catalog& catalog, const Sealer& sealer)
      : catalog_(catalog), sealer_(sealer) {}

  struct Target {
    Path path;         ///< From the principal's root.
    std::string etag;  ///< Of the content. The caller must not serve content with another ETag.
    bool is_shown = false;  ///< True if the browser should display the file, not save it.
  };
  /// Returns an address of letters, digits, `-`, `_` and `.`. The principal must have a credential.
  std::string make(const Principal& principal, const Target& target, Timestamp expires_at) const;

  struct Address {
    Principal principal;
    Target target;
  };
  /// Returns the contents of an address. `not_found` if:
  /// - the address is invalid or has expired
  /// - the key or session of the principal has ended
  /// - the key is now limited to another folder, or is suspended (see FolderChanges)
  Task<Result<Address>> open(std::string_view text) const;

 private:
  Task<Result<Principal>> principal_by(const catalog::Credential& credential) const;

  catalog::Catalog& catalog_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
