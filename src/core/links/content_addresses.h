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

/// Texts that stand for one file for a while, for programs that send no header: to have one is to
/// be let in. A text is sealed, holds all there is to know, and is worth no more than the right of
/// the principal that it was made for: it ends with that. Safe from any thread.
class ContentAddresses {
 public:
  static constexpr std::chrono::seconds kLongest{3600};

  ContentAddresses(catalog::Catalog& catalog, const Sealer& sealer)
      : catalog_(catalog), sealer_(sealer) {}

  /// What an address is made for.
  struct Target {
    Path path;              ///< From the principal's root.
    std::string etag;       ///< Of the content: with another one the address stands for nothing.
    bool is_shown = false;  ///< Rather than saved.
  };
  /// A text of the letters, digits, `-` and `_`.
  std::string make(const Principal& principal, const Target& target, Timestamp expires_at) const;

  struct Address {
    Principal principal;
    Target target;
  };
  /// What such a text stands for. `not_found` for any other, one that has expired, and one whose
  /// key or session has ended, or may reach another folder now.
  Task<Result<Address>> open(std::string_view text) const;

 private:
  Task<Result<Principal>> principal_by(const catalog::Credential& credential) const;

  catalog::Catalog& catalog_;
  const Sealer& sealer_;
};

}  // namespace coffer::core
