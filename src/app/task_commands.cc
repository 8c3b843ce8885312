#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/command_client.h"
#include "app/output.h"
#include "base/size_format.h"

namespace coffer::app {
namespace {

namespace json = boost::json;

constexpr const char* kTasks = "/api/v2/tasks";

struct TaskOptions : RequestOptions {
  std::string id;
};

/// The items of a task and where they go, in words.
std::string items_of(const json::object& task) {
  const json::array& sources = task.at("sources").as_array();
  std::string items = sources.empty() ? "" : std::string(sources.front().as_string());
  const std::uint64_t count = number_in(task, "sourceCount");
  if (count > 1) items += fmt::format(" and {} more", count - 1);
  if (task.at("destination").is_null()) return items;
  return fmt::format("{} to /{}", items, text_in(task, "destination"));
}

int list_tasks(const TaskOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const auto tasks = client.get(kTasks);
    if (!tasks) return complain(tasks.error());
    Table table({"ID", "BEGUN", "STATE", "KIND", "DONE", "WHAT"});
    for (const json::value& each : tasks->as_array()) {
      const json::object& task = each.as_object();
      table.add({text_in(task, "id"), text_in(task, "createdAt"), text_in(task, "state"),
                 text_in(task, "kind"),
                 fmt::format("{} of {}", format_size(number_in(task, "bytesDone")),
                             format_size(number_in(task, "bytesTotal"))),
                 items_of(task)});
    }
    return show_list(options.json, tasks->as_array(), table);
  });
}

bool has_ended(const json::object& task) {
  constexpr std::array<std::string_view, 2> kLive{"waiting", "running"};
  return std::ranges::find(kLive, text_in(task, "state")) == kLive.end();
}

int cancel_task(const TaskOptions& options) {
  return with_client(options, [&](CommandClient& client) {
    const std::string target = fmt::format("{}/{}", kTasks, segment(options.id));
    const auto task = client.get(target);
    if (!task) return complain_of(options, options.id, task.error());
    // The request would take it off the list.
    if (has_ended(task->as_object())) {
      return complain(fmt::format("{}: The task has ended already.", options.id));
    }
    const auto asked = client.send(http::Method::del, target);
    if (!asked) return complain_of(options, options.id, asked.error());
    // A task that ended before that request has left the list by it.
    const auto after = client.get(target);
    if (!after && after.error().code == ErrorCode::not_found) {
      return complain(fmt::format("{}: The task has ended already.", options.id));
    }
    print(options.json ? json::serialize(json::object{{"stopping", options.id}})
                       : fmt::format("The task {} is asked to stop.", options.id));
    return 0;
  });
}

}  // namespace

void add_task_commands(CLI::App& program, Action& chosen) {
  CLI::App* group = program.add_subcommand("task", "Manage copies, moves and deletions");
  group->require_subcommand(1);
  add_account_command(*group, "list", "List an account's last tasks, the newest first", &list_tasks,
                      chosen);
  const auto cancel = add_account_command(*group, "cancel", "Stop a task; its complete items stay",
                                          &cancel_task, chosen);
  cancel.command->add_option("ID", cancel.options->id, "The task's id, as the list shows it")
      ->required()
      ->check(&check_not_empty);
}

}  // namespace coffer::app
