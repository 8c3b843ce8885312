#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/command_client.h"
#include "app/home_routes.h"
#include "app/output.h"
#include "app/wrong_words.h"
#include "base/size_format.h"
#include "http/query.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr std::chrono::milliseconds kPollPause{200};

struct HomeOptions : RequestOptions {
  std::string name;
  bool all = false;
  std::string to;
  bool drop_versions = false;
};

std::string place_of(std::string_view store) {
  return store == "objects" ? "the store of objects" : "plain files";
}

int list_homes(const HomeOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto homes = client.get(std::string(kHomesTarget));
    if (!homes) return complain(homes.error());
    Table table({"NAME", "STORE", "MOVE", "FOLDER"});
    for (const json::value& each : homes->as_array()) {
      const json::object& home = each.as_object();
      const json::value& move = home.at("move");
      table.add({text_in(home, "username"), text_in(home, "store"),
                 move.is_null() ? ""
                                : fmt::format("{} to {}", text_in(move.as_object(), "phase"),
                                              text_in(move.as_object(), "to")),
                 text_in(home, "folder")});
    }
    return show_list(options.json, homes->as_array(), table);
  });
}

std::atomic<bool> is_interrupted = false;

void note_interrupt(int) {
  is_interrupted = true;
}

/// A terminal's line that tells how far a move is, written anew each time.
class ProgressLine {
 public:
  explicit ProgressLine(bool shows) : shows_(shows && ::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() { write(""); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const json::object& state) {
    write(fmt::format("{}: {}: {} of {} files, {} of {}", text_in(state, "username"),
                      text_in(state, "phase"), number_in(state, "filesDone"),
                      number_in(state, "filesTotal"), format_size(number_in(state, "bytesDone")),
                      format_size(number_in(state, "bytesTotal"))));
  }

 private:
  void write(std::string_view text) {
    if (!shows_ || (text.empty() && !has_shown_)) return;
    has_shown_ = true;
    const std::string line = fmt::format("\r\x1b[K{}", text);
    // What does not get to the terminal is not needed.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  }

  const bool shows_;
  bool has_shown_ = false;
};

/// The moves of one call.
class HomeMoves {
 public:
  HomeMoves(const HomeOptions& options, CommandClient& client)
      : options_(options), client_(client) {}

  /// Moves all that is not there, also accounts that are added meanwhile. Goes on behind one that
  /// cannot be moved.
  int move_all() {
    std::set<std::string> tried;
    while (!is_interrupted) {
      const auto next = next_of(tried);
      if (!next) return complain(next.error());
      if (next->empty()) return finish();
      tried.insert(*next);
      move(*next);
    }
    return finish();
  }
  int move_one(const std::string& name) {
    move(name);
    return finish();
  }

 private:
  /// Returns an account that is still to be moved; empty if there is none.
  Result<std::string> next_of(const std::set<std::string>& tried) {
    TRY(const auto homes, client_.get(std::string(kHomesTarget)));
    for (const json::value& each : homes.as_array()) {
      const json::object& home = each.as_object();
      std::string name = text_in(home, "username");
      const bool is_left = text_in(home, "store") != options_.to || !home.at("move").is_null();
      if (is_left && !tried.contains(name)) return name;
    }
    return std::string();
  }

  void move(const std::string& name) {
    const auto moved = try_to_move(name);
    if (!moved) {
      has_failed_ = true;
      failures_.push_back(json::object{{"username", name}, {"error", moved.error().message}});
      complain(name, moved.error());
      return;
    }
    moved_.push_back(*moved);
    if (!options_.json) tell(moved->as_object());
  }

  void tell(const json::object& state) const {
    const std::string name = text_in(state, "username");
    const std::string place = place_of(options_.to);
    if (is_true(state, "wasThere")) return print(fmt::format("{}: is in {}.", name, place));
    const auto dropped = number_in(state, "removedVersionBytes");
    print(fmt::format(
        "{}: moved to {}: {} files, {}.{}", name, place, number_in(state, "filesDone"),
        format_size(number_in(state, "bytesDone")),
        dropped == 0 ? "" : fmt::format(" Versions of {} were removed.", format_size(dropped))));
  }

  Result<json::value> try_to_move(const std::string& name) {
    const std::string target(kHomeMoveTarget);
    TRY([[maybe_unused]] const auto begun,
        client_.send(http::Method::post,
                     fmt::format("{}?account={}&to={}{}", target, segment(name), options_.to,
                                 options_.drop_versions ? "&dropVersions=true" : "")));
    ProgressLine line(!options_.json);
    for (bool has_asked = false;;) {
      TRY(auto state, client_.get(target));
      const json::object& now = state.as_object();
      if (is_true(now, "hasEnded")) return result_of(std::move(state));
      line.show(now);
      if (is_interrupted && !std::exchange(has_asked, true)) {
        TRY([[maybe_unused]] const auto asked, client_.send(http::Method::del, target));
      }
      std::this_thread::sleep_for(kPollPause);
    }
  }

  static Result<json::value> result_of(json::value state) {
    const json::value& error = state.at("error");
    if (error.is_null()) return state;
    std::string text(error.as_string());
    if (is_interrupted) text += " Call the command again to go on.";
    return fail(ErrorCode::failed, std::move(text));
  }

  /// Their errors may have scrolled away.
  void tell_failures() const {
    std::vector<std::string> names;
    for (const json::value& each : failures_)
      names.push_back(text_in(each.as_object(), "username"));
    complain(
        fmt::format("Not moved: {}. Call the command again to go on.", fmt::join(names, ", ")));
  }

  int finish() const {
    if (options_.all && has_failed_ && !options_.json) tell_failures();
    if (options_.json) {
      print(json::serialize(json::object{{"moved", moved_}, {"failed", failures_}}));
    }
    return has_failed_ || is_interrupted ? 1 : 0;
  }

  const HomeOptions& options_;
  CommandClient& client_;
  json::array moved_;
  json::array failures_;
  bool has_failed_ = false;
};

int move_homes(const HomeOptions& options) {
  if (options.all == !options.name.empty()) {
    return complain("Give either --account NAME or --all.");
  }
  if (options.drop_versions && options.to != "files") {
    return complain("--drop-versions goes with --to files: a store of objects keeps versions.");
  }
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, &note_interrupt);
  return with_client(options, [&](CommandClient& client) {
    HomeMoves moves(options, client);
    return options.all ? moves.move_all() : moves.move_one(options.name);
  });
}

}  // namespace

void add_home_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("home", "Show and move where accounts' own files lie");
  group->require_subcommand(1);
  add_command(*group, "list", "List the accounts with the stores of their own files", &list_homes,
              chosen);
  const auto move = add_command(
      *group, "move", "Move own files to another store; call it again to go on with a move",
      &move_homes, chosen);
  move.command->add_option("--account", move.options->name, "The account's name")
      ->check(&check_not_empty);
  move.command->add_flag("--all", move.options->all, "Move those of all accounts, one by one");
  move.command->add_option("--to", move.options->to, "The store: files or objects")
      ->required()
      ->check(CLI::IsMember({"files", "objects"}));
  move.command->add_flag(
      "--drop-versions", move.options->drop_versions,
      "With --to files: remove the accounts' earlier versions of files for good, "
      "since plain files have none");
}

}  // namespace coffer::app
