#pragma once

#include <atomic>
#include <string>

#include "async/pool.h"
#include "backends/oidc/provider.h"
#include "core/identity/identity_provider.h"

namespace coffer::app {

/// The provider of sign-in that the settings name, for core/: its calls run on threads of their
/// own, so that a slow provider holds up nothing else.
class OidcProvider final : public core::IdentityProvider {
 public:
  explicit OidcProvider(oidc::ProviderOptions options) : provider_(std::move(options)) {}

  Task<Result<std::string>> authorization_address(core::ProviderRequest request) override;
  Task<Result<core::ProvidedPerson>> exchange(core::ProviderAnswer answer) override;
  Task<Result<core::ProviderLogout>> read_logout_token(std::string token) override;
  Task<Result<std::string>> logout_address(std::string return_to, std::string proof) override;
  Task<Result<core::ProviderProbe>> probe() override;
  Result<core::ProvidedPerson> describe(const boost::json::object& claims) const override;

 private:
  /// Runs `work()`, which returns a Result<T>, on a thread that may wait for the provider.
  template <class T, class Work>
  Task<Result<T>> ask(Work work);

  oidc::Provider provider_;
  std::atomic<std::size_t> waiting_ = 0;
  Pool pool_{kThreads};

  static constexpr std::size_t kThreads = 4;
  static constexpr std::size_t kMostWaiting = 256;  ///< Calls that run or wait for a thread.
};

}  // namespace coffer::app
