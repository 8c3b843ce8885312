#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "async/run.h"
#include "base/testing/scratch_folder.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/connectors/connector_service.h"
#include "core/testing/no_backends.h"
#include "mounts/connector_types.h"
#include "mounts/testing/fake_providers.h"

namespace coffer::mounts {

/// A catalog with the account `ada`, and all types of connectors. No backend is opened.
class ConnectorsFixture : public testing::Test {
 protected:
  core::ConnectorService service(bool by_administrator = true) {
    return {*catalog_, backends_, types_, sealer_, by_administrator};
  }
  catalog::Connector found(const std::string& name) {
    const auto all = run(service().list(account_)).value();
    return *std::ranges::find(all, name, &catalog::Connector::name);
  }
  core::ConnectorSettings settings(const std::string& name) {
    return service().settings_of(found(name)).value();
  }

  const ScratchFolder folder_;
  const core::Sealer sealer_{core::Sealer::make_key()};
  core::FakeProviders providers_;
  core::NoBackends backends_;
  core::WorkPools pools_{1};
  catalog::ScratchCatalog catalog_;
  RemoteAccess access_{false, folder_.path() / "drives", catalog_->name_locks()};
  const core::ConnectorTypes types_ = connector_types({access_, providers_, pools_, sealer_, {}});
  const AccountId account_ = catalog_.add_account("ada").id;
};

}  // namespace coffer::mounts
