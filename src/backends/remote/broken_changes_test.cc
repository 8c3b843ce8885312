#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <climits>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "async/run.h"
#include "backends/remote/publish.h"
#include "backends/remote/removal.h"
#include "backends/remote/testing/scripted_adapter.h"
#include "backends/remote/tree_changes.h"
#include "storage/partial_name.h"

namespace coffer::remote {
namespace {

constexpr std::uint64_t kOldBytes = 3;
constexpr std::uint64_t kNewBytes = 5;

/// Sizes of items by their paths, hidden ones left out.
using Shown = std::map<std::string, std::uint64_t>;

/// A change of a server's items.
struct Change {
  std::string name;
  std::function<void(ScriptedAdapter&)> prepare;
  std::function<Result<void>(ScriptedAdapter&)> carry_out;
  bool goes_item_by_item = false;  ///< A failure may leave a part of the folder.
  bool is_rolled_back = false;     ///< It fails; a rollback that is refused cannot be helped.
};
std::ostream& operator<<(std::ostream& out, const Change& change) {
  return out << change.name;
}

/// Failures of a request.
enum class Fault : std::uint8_t {
  refused,
  dropped,  ///< The connection breaks before the request arrives.
  lost,     ///< The request is carried out, and the connection breaks before the reply arrives.
};
constexpr std::array kFaults = {Fault::refused, Fault::dropped, Fault::lost};
constexpr std::array kBreaks = {Fault::dropped, Fault::lost};

ScriptedAdapter::Answer answer_of(Fault fault) {
  const bool is_refusal = fault == Fault::refused;
  return {.code = is_refusal ? ErrorCode::refused : ErrorCode::unavailable,
          .is_done = fault == Fault::lost};
}

/// The faults by the number of the request that meets them; the first request is number 0.
using Faults = std::map<int, Fault>;

struct Outcome {
  Result<void> result;
  Shown shown;
  int requests = 0;
};

bool is_shown(const Path& path) {
  for (const auto name : path.components()) {
    if (storage::is_hidden_name(name)) return false;
  }
  return !path.is_root();
}

Shown shown_on(const ScriptedAdapter& server, bool is_top_only) {
  Shown shown;
  for (const auto& [place, item] : server.items) {
    const Path path = Path::parse(place).value();
    if (is_shown(path) && (!is_top_only || path.depth() == 1)) shown[place] = item.size_bytes;
  }
  return shown;
}

/// Adapters repeat removals of whole trees when a connection breaks, and looks when a second one
/// does.
bool is_repeated(std::string_view call, Fault fault, bool is_only_one) {
  if (fault == Fault::refused) return false;
  return call == "remove_tree" || (!is_only_one && (call == "find" || call == "list"));
}

/// Carries a change out, and then deletes what is left over, as each backend does. From the request
/// number `away_from` on the server answers none until the change has ended.
Outcome outcome_of(const Change& change, const Faults& faults, int away_from = INT_MAX) {
  ScriptedAdapter server;
  change.prepare(server);
  Outcome outcome;
  server.script = [&](auto call, auto) -> std::optional<ScriptedAdapter::Answer> {
    const int number = outcome.requests++;
    if (number >= away_from) return answer_of(Fault::dropped);
    const auto fault = faults.find(number);
    if (fault == faults.end()) return std::nullopt;
    if (is_repeated(call, fault->second, faults.size() == 1)) return std::nullopt;
    return answer_of(fault->second);
  };
  outcome.result = change.carry_out(server);
  server.script = [](auto, auto) { return std::nullopt; };
  run(sweep(server));
  outcome.shown = shown_on(server, change.goes_item_by_item);
  return outcome;
}

Shown before(const Change& change) {
  ScriptedAdapter server;
  change.prepare(server);
  return shown_on(server, change.goes_item_by_item);
}

template <class T>
Result<void> without_value(const Result<T>& result) {
  if (!result) return failure_of(result);
  return {};
}

Result<void> publish(ScriptedAdapter& server, const std::vector<std::string>& names,
                     std::string_view vanished = {}) {
  std::vector<std::unique_ptr<FinishedWriter>> made;
  std::vector<PartialWriter*> writers;
  for (const std::string& name : names) {
    made.push_back(std::make_unique<FinishedWriter>(server, name, kNewBytes));
    writers.push_back(made.back().get());
    if (name == vanished) server.items.erase(made.back()->staged());
  }
  return without_value(run(publish_all(server, writers, UINT64_MAX)));
}

Result<void> copy(ScriptedAdapter& server, std::string_view from) {
  const storage::CopyOptions options;
  const Path source = Path::parse(from).value();
  const Path target = Path::parse("copy").value();
  TRY(const auto copied,
      run(collect_copy(server, source, target, storage::partial_name(), options)));
  return run(end_copy(server, copied, {}, options.watch));
}

Result<void> rename(ScriptedAdapter& server, std::string_view from, std::string_view to) {
  return run(rename_item(server, Path::parse(from).value(), Path::parse(to).value()));
}

Result<void> remove(ScriptedAdapter& server, std::string_view path) {
  return without_value(run(remove_item(server, Path::parse(path).value())));
}

void put_tree(ScriptedAdapter& server) {
  for (const auto* folder : {"tree", "tree/inner"}) server.put(folder, Kind::folder);
  for (const auto* file : {"tree/file", "tree/inner/file"}) server.put(file, Kind::file, kOldBytes);
}

std::vector<Change> publications() {
  const std::map<std::string, Capabilities> servers{
      {"Bare", {}},
      {"RefusingToReplace", {.replaces = Replaces::maybe}},
      {"Replacing", {.replaces = Replaces::surely}},
      {"Linking", {.replaces = Replaces::surely, .links = true}}};
  std::vector<Change> changes;
  for (const auto& [name, can] : servers) {
    const auto prepare = [can](ScriptedAdapter& server) {
      server.can = can;
      for (const auto* old : {"a", "b"}) server.put(old, Kind::file, kOldBytes);
    };
    changes.push_back({name + "New", prepare, [](auto& server) { return publish(server, {"c"}); }});
    changes.push_back({name + "Old", prepare, [](auto& server) { return publish(server, {"a"}); }});
    changes.push_back(
        {name + "Several", prepare, [](auto& server) { return publish(server, {"a", "b", "c"}); }});
    for (const std::string vanished : {"a", "b", "c"}) {
      const auto carry_out = [vanished](auto& server) {
        return publish(server, {"a", "b", "c"}, vanished);
      };
      const auto which = std::string(name).append("Vanished_").append(vanished);
      changes.push_back({which, prepare, carry_out, false, true});
    }
  }
  return changes;
}

std::vector<Change> removals() {
  std::vector<Change> changes;
  const std::map<std::string, Capabilities> servers{
      {"ItemByItem", {}},
      {"WithFolderLinks", {.shows_links_as_folders = true}},
      {"Listed", {.tree_removal = TreeRemoval::listed}},
      {"Whole", {.tree_removal = TreeRemoval::whole}}};
  for (const auto& [name, can] : servers) {
    changes.push_back({"Remove" + name,
                       [can](ScriptedAdapter& server) {
                         server.can = can;
                         put_tree(server);
                       },
                       [](auto& server) { return remove(server, "tree"); }, true});
  }
  return changes;
}

std::vector<Change> all_changes() {
  std::vector<Change> changes = publications();
  for (Change& removal : removals()) changes.push_back(std::move(removal));
  const auto fold_case = [](ScriptedAdapter& server) {
    server.put("photo", Kind::file, kOldBytes);
    server.folds_case = true;
    server.can.changes_case = false;
  };
  changes.push_back(
      {"RemoveFile", put_tree, [](auto& server) { return remove(server, "tree/file"); }});
  changes.push_back(
      {"Rename", put_tree, [](auto& server) { return rename(server, "tree/file", "file"); }});
  changes.push_back(
      {"RenameFolder", put_tree, [](auto& server) { return rename(server, "tree", "other"); }});
  changes.push_back(
      {"RenameCase", fold_case, [](auto& server) { return rename(server, "photo", "Photo"); }});
  changes.push_back({"MakeFolders", put_tree, [](auto& server) {
                       return run(make_folders(server, Path::parse("tree/a/b").value()));
                     }});
  changes.push_back({"CopyFile", put_tree, [](auto& server) { return copy(server, "tree/file"); }});
  changes.push_back({"CopyTree", put_tree, [](auto& server) { return copy(server, "tree"); }});
  return changes;
}

class BrokenChange : public testing::TestWithParam<Change> {
 protected:
  /// The result tells whether the change was made, and it was made whole or not at all.
  void expect_truth(const Outcome& outcome) const {
    EXPECT_EQ(outcome.shown, outcome.result ? unbroken_.shown : before_);
    if (!unbroken_.result) {
      EXPECT_FALSE(outcome.result);
    }
  }

  const Outcome unbroken_ = outcome_of(GetParam(), {});
  const Shown before_ = before(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Remote, BrokenChange, testing::ValuesIn(all_changes()),
                         [](const auto& info) { return info.param.name; });

TEST_P(BrokenChange, IsMadeWholeOrNotAtAllWhicheverRequestFails) {
  int failed = 0;
  for (int request = 0; request < unbroken_.requests; ++request) {
    for (const Fault fault : kFaults) {
      if (GetParam().is_rolled_back && fault == Fault::refused) continue;
      SCOPED_TRACE(std::to_string(request) + " of fault " +
                   std::to_string(static_cast<int>(fault)));
      const Outcome outcome = outcome_of(GetParam(), {{request, fault}});
      expect_truth(outcome);
      failed += !outcome.result;
    }
  }
  EXPECT_GT(failed, 0);
}

TEST_P(BrokenChange, HidesNothingWhenTheServerGoesAway) {
  for (int request = 0; request < unbroken_.requests; ++request) {
    SCOPED_TRACE(request);
    const Outcome outcome = outcome_of(GetParam(), {}, request);
    if (outcome.result) {
      EXPECT_EQ(outcome.shown, unbroken_.shown);
      continue;
    }
    const bool may_be_removed = outcome.result.error().message.contains("may be removed");
    for (const auto& [place, size] : before_) {
      const auto is_left = [&](const auto& item) {
        return item.first.starts_with(place) && item.second == size;
      };
      EXPECT_TRUE(may_be_removed || std::ranges::any_of(outcome.shown, is_left)) << place;
    }
  }
}

class BrokenPublication : public BrokenChange {};

INSTANTIATE_TEST_SUITE_P(Remote, BrokenPublication, testing::ValuesIn(publications()),
                         [](const auto& info) { return info.param.name; });

TEST_P(BrokenPublication, IsMadeWholeOrNotAtAllWhicheverTwoRequestsBreakTheConnection) {
  // A broken connection makes for requests that the unbroken change has not.
  const int requests = 2 * unbroken_.requests;
  for (int first = 0; first < unbroken_.requests; ++first) {
    for (int second = first + 1; second < requests; ++second) {
      for (const Fault one : kBreaks) {
        for (const Fault other : kBreaks) {
          SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second));
          expect_truth(outcome_of(GetParam(), {{first, one}, {second, other}}));
        }
      }
    }
  }
}

}  // namespace
}  // namespace coffer::remote
