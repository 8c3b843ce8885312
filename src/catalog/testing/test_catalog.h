#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/testing/scratch_folder.h"
#include "catalog/catalog.h"

namespace coffer::catalog {

enum class Kind { sqlite, postgresql };

/// A catalog on an empty database of each kind, removed with the test.
class CatalogTest : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::unique_ptr<Catalog> open() const;
  /// Returns a second connection to the catalog, as another process has it; on SQLite, where no
  /// other process may write, the same one.
  Catalog* beside();
  /// Executes a statement past the catalog's calls.
  void change(const std::string& statement);
  Account add_account(const std::string& name, std::uint64_t quota_bytes = 0);
  /// Adds a key that was made with the key of the hash `maker`, if given.
  Key add_key(AccountId account, std::uint8_t hash, std::optional<std::string> folder = {},
              std::optional<std::uint8_t> maker = {});
  static SecretHash hash_of(std::uint8_t number);

  std::string url_;
  const ScratchFolder folder_;
  std::unique_ptr<Catalog> catalog_;

 private:
  std::unique_ptr<Catalog> beside_;
};

/// Runs the tests of a suite on both databases.
#define COFFER_ON_BOTH_DATABASES(suite)                                  \
  INSTANTIATE_TEST_SUITE_P(                                              \
      Databases, suite, testing::Values(Kind::sqlite, Kind::postgresql), \
      [](const auto& info) { return info.param == Kind::sqlite ? "sqlite" : "postgresql"; })

}  // namespace coffer::catalog
