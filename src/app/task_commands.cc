#include "app/task_commands.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>

#include "app/account_command.h"
#include "app/table.h"
#include "base/size_format.h"
#include "catalog/tasks.h"

namespace coffer::app {
namespace {

struct TaskOptions : AccountCommandOptions {
  std::string id;
};

/// A task as `--json` prints it: members that the API has too are called as there.
boost::json::object json_of(const catalog::TaskRecord& task) {
  const bool is_remove = task.kind == catalog::TaskKind::remove;
  return {{"id", task.id.value},
          {"kind", is_remove ? "delete" : to_string(task.kind)},
          {"state", to_string(task.state)},
          {"from", task.from},
          {"destination", task.to},
          {"bytesDone", task.bytes_done},
          {"bytesTotal", task.bytes_total},
          {"itemsDone", task.items_done},
          {"itemsTotal", task.items_total},
          {"skippedCount", task.skipped_count},
          {"error", task.error},
          {"createdAt", format_timestamp(task.created_at)},
          {"updatedAt", format_timestamp(task.updated_at)}};
}

void add_to(Table& table, const catalog::TaskRecord& task) {
  const bool is_remove = task.kind == catalog::TaskKind::remove;
  table.add({task.id.value, format_timestamp(task.created_at), std::string(to_string(task.state)),
             is_remove ? "delete" : std::string(to_string(task.kind)),
             fmt::format("{} of {}", format_size(task.bytes_done), format_size(task.bytes_total)),
             is_remove ? task.from : fmt::format("{} to {}", task.from, task.to)});
}

int list_tasks(const TaskOptions& options) {
  return with_account(options, [&](AppContext& app, const catalog::Account& account) {
    catalog::Tasks& tasks = app.catalog().tasks();
    const auto found = run(tasks.list(account.id));
    if (!found) return complain(found.error());
    boost::json::array all;
    Table table({"ID", "BEGUN", "STATE", "KIND", "DONE", "WHAT"});
    for (const catalog::TaskRecord& task : *found) {
      if (options.json) {
        all.push_back(json_of(task));
      } else {
        add_to(table, task);
      }
    }
    if (options.json) print(boost::json::serialize(all));
    table.print();
    return 0;
  });
}

int cancel_task(const TaskOptions& options) {
  return with_account(options, [&](AppContext& app, const catalog::Account& account) {
    catalog::Tasks& tasks = app.catalog().tasks();
    const auto asked = run(tasks.stop(account.id, TaskId{options.id}));
    if (!asked) return complain(options.id, asked.error());
    print(options.json ? boost::json::serialize(boost::json::object{{"stopping", options.id}})
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
  const auto [command, options] = add_account_command(
      *group, "cancel", "Stop a task: what it has done stays", &cancel_task, chosen);
  command->add_option("ID", options->id, "The task's id, as the list shows it")->required();
}

}  // namespace coffer::app
