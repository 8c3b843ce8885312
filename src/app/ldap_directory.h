#pragma once

#include <atomic>
#include <string>

#include "async/pool.h"
#include "backends/ldap/directory.h"
#include "core/identity/directory_sign_in.h"

namespace coffer::app {

/// The directory of LDAP that the settings name, for core/: its calls run on threads of their own,
/// so that a slow directory holds up nothing else.
class LdapDirectory final : public core::Directory {
 public:
  /// `issuer` names the directory in the catalog.
  LdapDirectory(ldap::DirectoryOptions options, std::string issuer)
      : directory_(std::move(options)), issuer_(std::move(issuer)) {}

  Task<Result<std::optional<core::ProvidedPerson>>> check(std::string name,
                                                          std::string password) override;
  Task<Result<bool>> check_subject(std::string subject, std::string password) override;
  Task<Result<core::DirectoryProbe>> probe(std::optional<std::string> name) override;
  const std::string& issuer() const override { return issuer_; }

 private:
  template <class T, class Work>
  Task<Result<T>> ask(Work work);
  core::ProvidedPerson to_core(ldap::DirectoryPerson found, const std::string& name) const;
  core::DirectoryProbe probe_now(const std::optional<std::string>& name) const;

  const ldap::Directory directory_;
  const std::string issuer_;
  std::atomic<std::size_t> waiting_ = 0;
  Pool pool_{kThreads};

  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kMostWaiting = 256;  ///< Calls that run or wait for a thread.
};

}  // namespace coffer::app
