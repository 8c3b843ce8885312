#include "app/check.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <system_error>

#include "app/node.h"
#include "app/output.h"
#include "async/run.h"
#include "base/size_format.h"
#include "base/text.h"
#include "core/recount.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

/// A name with what a terminal could not show spelled out.
std::string printable(const std::string& text) {
  std::string out;
  const bool utf8 = is_utf8(text);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte != 0x7F && (byte < 0x80 || utf8);
    out += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return out;
}

/// Counts and reports what is wrong, or was and is mended.
class Check {
 public:
  Check(Node& node, fs::path data) : node_(node), data_(std::move(data)) {}

  Result<void> run_all() {
    const auto accounts = run(node_.catalog().accounts().list());
    if (!accounts) return failure_of(accounts);
    std::set<std::string> names;
    for (const catalog::Account& account : *accounts) {
      names.insert(account.name);
      auto checked = check_account(account);
      if (!checked) return checked;
    }
    report_strangers(names);
    say(fmt::format("{} accounts checked, {} problems left.", accounts->size(), problems_));
    return {};
  }

  bool clean() const { return problems_ == 0; }

 private:
  void problem(std::string_view line) {
    ++problems_;
    say(line);
  }

  Result<void> check_account(const catalog::Account& account) {
    auto counted = run(core::recount(node_.catalog().ledger(), node_.homes(), account));
    if (!counted) return failure_of(counted);
    report_count(account, *counted);
    report_names(account);
    return report_scopes(account);
  }

  void report_count(const catalog::Account& account, const core::Recount& count) {
    if (!count.settled) {
      problem(fmt::format("{}: is being written to; its quota was not checked.", account.name));
    } else if (count.counted_bytes != count.recorded_bytes) {
      say(fmt::format("{}: the catalog had {} bytes, the disk has {}; corrected.", account.name,
                      count.recorded_bytes, count.counted_bytes));
    } else {
      say(fmt::format("{}: {} bytes ({}).", account.name, count.counted_bytes,
                      format_size(count.counted_bytes)));
    }
  }

  void report_names(const catalog::Account& account) {
    std::error_code error;
    const fs::path root = data_ / "files" / account.name;
    fs::recursive_directory_iterator entry(root, fs::directory_options::none, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (is_utf8(name) && !has_control_character(name)) continue;
      problem(
          fmt::format("{}: {} cannot be listed: its name is not UTF-8 or has control characters.",
                      account.name, printable(entry->path().lexically_relative(root).string())));
    }
    if (error) problem(fmt::format("{}: {}: {}.", account.name, root.string(), error.message()));
  }

  Result<void> report_scopes(const catalog::Account& account) {
    const auto keys = run(node_.catalog().keys().list(account.id, std::nullopt));
    if (!keys) return failure_of(keys);
    const auto home = node_.homes().of(account);
    if (!home) return failure_of(home);
    for (const catalog::Key& key : *keys) {
      if (!key.folder || run((*home)->stat(*key.folder))) continue;
      problem(fmt::format("{}: the folder of the key {} ({}) is missing: {}.", account.name,
                          key.id.value, key.name, key.folder->str()));
    }
    return {};
  }

  void report_strangers(const std::set<std::string>& names) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(data_ / "files", error)) {
      const std::string name = entry.path().filename().string();
      if (names.contains(name)) continue;
      problem(fmt::format("files/{} belongs to no account.", printable(name)));
    }
  }

  Node& node_;
  fs::path data_;
  std::size_t problems_ = 0;
};

int check(const CommonOptions& common) {
  const auto settings = common.load();
  if (!settings) return complain(settings.error());
  const auto node = Node::open(*settings, 2);
  if (!node) return complain(node.error());
  Check check(**node, settings->data);
  const auto done = check.run_all();
  if (!done) return complain(done.error());
  return check.clean() ? 0 : 1;
}

}  // namespace

void add_check_command(CLI::App& program, Action& chosen) {
  CLI::App* command =
      program.add_subcommand("check", "Recount the quota and hold the catalog against the disk");
  auto common = add_common_options(*command);
  command->callback([&chosen, common] { chosen = [common] { return check(*common); }; });
}

}  // namespace coffer::app
