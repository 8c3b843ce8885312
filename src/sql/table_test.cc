#include "sql/table.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <tuple>

#include "sql/testing/databases.h"

namespace coffer::sql {
namespace {

struct Item {
  int id = 0;
  std::string name;
  std::optional<long long> size;
  bool operator==(const Item&) const = default;
};

/// Stored backwards.
struct Backwards {
  static Value to(const std::string& text) { return std::string(text.rbegin(), text.rend()); }
  static std::string from(const Value& value) {
    const std::string& text = text_of(value);
    return {text.rbegin(), text.rend()};
  }
};

}  // namespace

template <>
struct Table<Item> {
  static constexpr std::string_view kName = "items";
  static constexpr auto kColumns =
      std::tuple{Column{"id", &Item::id}, Column{"name", &Item::name, Backwards()},
                 Column{"size", &Item::size}};
};

namespace {

class TableTest : public OnBoth {
 protected:
  TableTest() {
    sql.run_once("CREATE TABLE items (id BIGINT NOT NULL PRIMARY KEY, name TEXT, size BIGINT)");
  }
};

INSTANTIATE_TEST_SUITE_P(Sql, TableTest, testing::Bool(), &database_of);

TEST_P(TableTest, ARowComesBackAsItWas) {
  EXPECT_EQ(insert(sql, Item{1, "abc", 5}), 1);
  EXPECT_EQ(insert(sql, Item{2, "x", {}}), 1);
  EXPECT_EQ(insert(sql, Item{2, "y", {}}, "ON CONFLICT (id) DO NOTHING"), 0);
  const auto text = "SELECT " + columns<Item>("i.") + " FROM items i ORDER BY id";
  EXPECT_EQ(select<Item>(sql, text), (std::vector<Item>{{1, "abc", 5}, {2, "x", {}}}));
  EXPECT_EQ(sql.only<std::string>("SELECT name FROM items WHERE id = 1"), "cba");
}

TEST_P(TableTest, ARowIsChangedByItsPrimaryKey) {
  insert(sql, Item{1, "abc", 5});
  insert(sql, Item{2, "x", {}});
  EXPECT_EQ(update(sql, Item{1, "new", {}}), 1);
  EXPECT_EQ(update(sql, Item{3, "none", {}}), 0);
  run_update(sql, Item{2, "y", 7});
  const auto text = "SELECT " + columns<Item>() + " FROM items WHERE id = $1";
  EXPECT_EQ(select_first<Item>(sql, text, 1), (Item{1, "new", {}}));
  EXPECT_EQ(select_first<Item>(sql, text, 2), (Item{2, "y", 7}));
  EXPECT_EQ(select_first<Item>(sql, text, 3), std::nullopt);
}

TEST_P(TableTest, RowsOfTwoTablesAreReadTogether) {
  insert(sql, Item{1, "abc", 5});
  const auto text = "SELECT " + columns<Item>("a.") + ", " + columns<Item>("b.") +
                    " FROM items a JOIN items b ON a.id = b.id";
  const auto row = sql.first(text);
  ASSERT_TRUE(row);
  EXPECT_EQ(read<Item>(*row, kColumnCount<Item>), (Item{1, "abc", 5}));
}

}  // namespace
}  // namespace coffer::sql
