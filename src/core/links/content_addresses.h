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

/// Signed addresses, which give access to one file for a while to programs that send no header. An
/// address is encrypted, holds all data itself, and ends with the right of the principal that it
/// was made for. Safe from any thread.
class ContentAddresses {
 public:
  static constexpr std::chrono::seconds kLongest{3600};

  ContentAddresses(catalog::Catalog& catalog, const Sealer& sealer)
      : catalog_(catalog), sealer_(sealer) {}

  /// The target of an address.
  struct Target {
    Path path;              ///< From the principal's root.
    std::string etag;       ///< Of the content; the address is invalid for another one.
    bool is_shown = false;  ///< The browser shows the file instead of saving it.
  };
  /// Returns a text of letters, digits, `-`, `_` and `.`.
  std::string make(const Principal& principal, const Target& target, Timestamp expires_at) const;

  struct Address {
    Principal principal;
    Target target;
  };
  /// Reads an address. `not_found` for an invalid or expired one, and for one whose key or session
  /// has ended or is limited to another folder now.
  Task<Result<Address>> open(std::string_view text) const;

 private:
  Task<Result<Principal>> principal_by(const catalog::Credential& credential) const;

  catalog::Catalog& catalog_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
