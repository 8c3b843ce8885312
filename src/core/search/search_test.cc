#include "core/search/search.h"

#include <gtest/gtest.h>

#include <boost/asio/this_coro.hpp>
#include <set>

#include "async/task_group.h"
#include "core/testing/transfer_fixture.h"
#include "storage/partial_name.h"

namespace coffer::core {
namespace {

class SearchTest : public testing::Test {
 protected:
  SearchTest() {
    put_folder(memory_, "Photos/Deep photo");
    put(memory_, "Photos/photo.jpg", "12345");
    put(memory_, "Photos/Deep photo/other.txt", "1");
    put(memory_, "photo.txt", "123");
  }

  SearchOrder order_of(std::string_view text) {
    SearchOrder order{SearchTerms{NamePattern(text)}};
    SearchTop top;
    top.backend = {std::shared_ptr<void>(), &hooked_};
    order.tops.push_back(top);
    order.limit = 1'000;
    order.may_go_on = [this](std::size_t) { return done_with(may_go_on_); };
    return order;
  }

  Task<Result<std::set<std::string>>> collect(SearchOrder order) {
    TaskGroup group;
    const auto executor = co_await asio::this_coro::executor;
    order.spawn = [&](Task<void> task) { group.spawn(executor, std::move(task)); };
    const auto search = std::make_shared<Search>(std::move(order), pool_);
    Result<std::set<std::string>> paths;
    for (;;) {
      const auto items = co_await search->next();
      if (!items) paths = std::unexpected(items.error());
      if (!items || !*items) break;
      for (const FoundItem& item : **items) {
        paths->insert((item.folder / Path::parse(item.entry.name).value()).str());
      }
    }
    summary_ = search->summary();
    co_await group.join(std::chrono::seconds(30));
    co_return paths;
  }

  std::set<std::string> found(SearchOrder order) { return run(collect(std::move(order))).value(); }

  storage::MemoryBackend memory_;
  HookedBackend hooked_{memory_};
  Pool pool_{1};
  Result<void> may_go_on_;
  SearchSummary summary_;
};

TEST_F(SearchTest, FindsNamesInAllFolders) {
  const std::set<std::string> expected{"Photos", "Photos/Deep photo", "Photos/photo.jpg",
                                       "photo.txt"};
  EXPECT_EQ(found(order_of("PHOTO")), expected);
  EXPECT_EQ(summary_.found, 4u);
  EXPECT_EQ(summary_.unread_folders, 0u);
  EXPECT_FALSE(summary_.was_limited);
  EXPECT_EQ(found(order_of("none")), std::set<std::string>());
}

TEST_F(SearchTest, KeepsToItsTerms) {
  SearchOrder folders = order_of("photo");
  folders.terms.is_directory = true;
  EXPECT_EQ(found(std::move(folders)), (std::set<std::string>{"Photos", "Photos/Deep photo"}));
  SearchOrder sized = order_of("photo");
  sized.terms.min_bytes = 4;
  EXPECT_EQ(found(std::move(sized)), std::set<std::string>{"Photos/photo.jpg"});
  SearchOrder late = order_of("photo");
  late.terms.modified_after = kLatest;
  EXPECT_EQ(found(std::move(late)), std::set<std::string>());
}

TEST_F(SearchTest, EndsWithItsLimit) {
  SearchOrder order = order_of("photo");
  order.limit = 2;
  EXPECT_EQ(found(std::move(order)).size(), 2u);
  EXPECT_TRUE(summary_.was_limited);
  SearchOrder exact = order_of("photo");
  exact.limit = 4;
  EXPECT_EQ(found(std::move(exact)).size(), 4u);
  EXPECT_FALSE(summary_.was_limited);
}

TEST_F(SearchTest, CountsWhatCannotBeRead) {
  hooked_.hooks.before = [](std::string_view call, const Path& path) {
    const bool breaks = call == "list" && path.name() == "Photos";
    return breaks ? std::optional(Error{ErrorCode::forbidden, "No."}) : std::nullopt;
  };
  EXPECT_EQ(found(order_of("photo")), (std::set<std::string>{"Photos", "photo.txt"}));
  EXPECT_EQ(summary_.unread_folders, 1u);
}

TEST_F(SearchTest, FollowsNoLinksAndShowsNothingHidden) {
  hooked_.hooks.show = [](const Path& path, storage::Entry& entry) {
    entry.is_link = path.name() == "Deep photo";
  };
  hooked_.hooks.list = [](const Path&, std::vector<storage::Entry>& entries) {
    entries.push_back(entries.front());
    entries.back().name = storage::partial_name();
  };
  EXPECT_EQ(found(order_of("*")), (std::set<std::string>{"Photos", "Photos/Deep photo",
                                                         "Photos/photo.jpg", "photo.txt"}));
}

/// An index of pages that a test gives it.
class PagedSearch final : public storage::TreeSearch {
 public:
  explicit PagedSearch(std::vector<storage::SearchPage> pages) : pages_(std::move(pages)) {}

  Task<Result<storage::SearchPage>> next() override {
    if (next_ == pages_.size()) co_return fail(ErrorCode::unready, "Away.");
    co_return pages_[next_++];
  }

 private:
  std::vector<storage::SearchPage> pages_;
  std::size_t next_ = 0;
};

class IndexedBackend final : public HookedBackend {
 public:
  using HookedBackend::HookedBackend;
  Task<Result<std::unique_ptr<storage::TreeSearch>>> search(const Path& folder,
                                                            storage::TreeQuery query) override {
    asked = std::move(query);
    if (!folder.is_root()) co_return fail(ErrorCode::not_found, "Gone.");
    co_return std::make_unique<PagedSearch>(pages);
  }

  std::vector<storage::SearchPage> pages;
  storage::TreeQuery asked;
};

storage::FoundEntry found_at(std::string_view folder, std::string name) {
  storage::Entry entry;
  entry.name = std::move(name);
  return {Path::parse(folder).value(), std::move(entry)};
}

TEST_F(SearchTest, AsksTheIndexOfABackend) {
  IndexedBackend indexed(memory_);
  indexed.pages.push_back({{found_at("", "photo.txt"), found_at("", "other"),
                            found_at("a/b", "Photo"), found_at("", storage::partial_name())},
                           3,
                           false});
  indexed.pages.push_back({{}, 1'000, false});
  indexed.pages.push_back({{found_at("mount/b", "photo"), found_at("b", "photo")}, 1, true});
  SearchOrder order = order_of("*photo*");
  order.tops[0].backend = {std::shared_ptr<void>(), &indexed};
  order.tops[0].shown = Path::parse("shown").value();
  order.tops[0].is_reserved = [](std::string_view name) { return name == "mount"; };
  const std::set<std::string> expected{"shown/photo.txt", "shown/a/b/Photo", "shown/b/photo"};
  EXPECT_EQ(found(std::move(order)), expected);
  EXPECT_EQ(indexed.asked.contains, "photo");
  EXPECT_EQ(summary_.unread_folders, 0u);
  EXPECT_EQ(indexed.seen.calls["list"], 0);
}

TEST_F(SearchTest, CountsAnIndexThatFails) {
  IndexedBackend indexed(memory_);
  indexed.pages.push_back({{found_at("", "photo")}, 1, false});
  SearchOrder order = order_of("photo");
  order.tops[0].backend = {std::shared_ptr<void>(), &indexed};
  EXPECT_EQ(found(std::move(order)), std::set<std::string>{"photo"});
  EXPECT_EQ(summary_.unread_folders, 1u);
  SearchOrder gone = order_of("photo");
  gone.tops[0].backend = {std::shared_ptr<void>(), &indexed};
  gone.tops[0].path = Path::parse("gone").value();
  EXPECT_EQ(found(std::move(gone)), std::set<std::string>());
  EXPECT_EQ(summary_.unread_folders, 0u);
}

TEST_F(SearchTest, AnIndexIsAskedForNoMoreThanTheLimit) {
  IndexedBackend indexed(memory_);
  for (int i = 0; i < 3; ++i) {
    indexed.pages.push_back({{found_at("a", "photo"), found_at("b", "photo")}, 2, false});
  }
  SearchOrder order = order_of("photo");
  order.tops[0].backend = {std::shared_ptr<void>(), &indexed};
  order.limit = 2;
  EXPECT_EQ(found(std::move(order)).size(), 2u);
  EXPECT_TRUE(summary_.was_limited);
}

/// Takes the first items, and lets what has begun end.
Task<void> take_once(SearchOrder order, Pool& pool) {
  TaskGroup group;
  const auto executor = co_await asio::this_coro::executor;
  order.spawn = [&](Task<void> task) { group.spawn(executor, std::move(task)); };
  const auto search = std::make_shared<Search>(std::move(order), pool);
  EXPECT_TRUE(co_await search->next());
  co_await group.join(std::chrono::seconds(30));
}

TEST_F(SearchTest, AStalledSearchListsNoFurtherFolder) {
  constexpr int kFolders = 50;
  for (int folder = 0; folder < kFolders; ++folder) {
    const std::string name = "photos " + std::to_string(folder);
    put_folder(memory_, name);
    for (int file = 0; file < 500; ++file)
      put(memory_, name + "/photo " + std::to_string(file), "");
  }
  run(take_once(order_of("photo"), pool_));
  EXPECT_LT(hooked_.seen.calls["list"], kFolders / 4);
}

TEST_F(SearchTest, ItHoldsTheMemoryOfWhatWaits) {
  const MemoryRoom room({.all = 1'000'000, .of_account = 1'000'000});
  SearchOrder order = order_of("photo");
  order.hold = room.begin({"ann"});
  ASSERT_TRUE(order.hold.grow(1'000));
  EXPECT_EQ(found(std::move(order)).size(), 4u);
  EXPECT_EQ(room.taken(), 0u);
  SearchOrder large = order_of("photo");
  large.hold = room.begin({"ann"});
  ASSERT_TRUE(large.hold.grow(999'990));
  EXPECT_EQ(code_of(run(collect(std::move(large)))), ErrorCode::overloaded);
}

TEST_F(SearchTest, FailsOnceTheRightIsLost) {
  may_go_on_ = fail(ErrorCode::unauthenticated, "The key was revoked.");
  EXPECT_EQ(code_of(run(collect(order_of("photo")))), ErrorCode::unauthenticated);
}

}  // namespace
}  // namespace coffer::core
