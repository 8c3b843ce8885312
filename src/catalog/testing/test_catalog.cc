#include "catalog/testing/test_catalog.h"

#include <stdexcept>

#include "async/run.h"
#include "catalog/database.h"
#include "sql/connection.h"
#include "sql/testing/postgres_server.h"

namespace coffer::catalog {

void CatalogTest::SetUp() {
  url_ = GetParam() == Kind::sqlite ? "sqlite://" + (folder_.path() / "catalog.db").string()
                                    : sql::PostgresServer::shared().make_database();
  catalog_ = open();
}

void CatalogTest::TearDown() {
  beside_.reset();
  catalog_.reset();
}

std::unique_ptr<Catalog> CatalogTest::open() const {
  auto opened = Catalog::open(url_);
  if (!opened) throw std::runtime_error(opened.error().message);
  return std::move(*opened);
}

Catalog* CatalogTest::beside() {
  if (GetParam() == Kind::sqlite) return catalog_.get();
  if (!beside_) beside_ = open();
  return beside_.get();
}

void CatalogTest::change(const std::string& statement) {
  const auto database = Database::open(url_).value();
  auto job = [&](sql::Connection& sql) -> Result<void> {
    sql.run_once(statement);
    return {};
  };
  ASSERT_TRUE(run(database->run(Lane::write, Turn::server(), job)));
}

Account CatalogTest::add_account(const std::string& name, std::uint64_t quota_bytes) {
  NewAccount account{name, "", Role::user, quota_bytes, ""};
  return run(catalog_->accounts().add(std::move(account))).value();
}

Key CatalogTest::add_key(AccountId account, std::uint8_t hash, std::optional<std::string> folder,
                         std::optional<std::uint8_t> maker) {
  NewKey key{account, "key", "00000000", std::nullopt, hash_of(hash)};
  if (maker) key.asker = Asker{Credential{Credential::Kind::key, hash_of(*maker)}};
  if (folder) key.folder = Path::parse(*folder).value();
  return run(catalog_->keys().create(std::move(key))).value();
}

SecretHash CatalogTest::hash_of(std::uint8_t number) {
  SecretHash hash;
  hash.fill(std::byte{number});
  return hash;
}

}  // namespace coffer::catalog
