#include "app/task_commands.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <string>

#include "app/account_command.h"
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

std::string line_of(const catalog::TaskRecord& task) {
  const bool is_remove = task.kind == catalog::TaskKind::remove;
  const std::string_view kind = is_remove ? "delete" : to_string(task.kind);
  std::string line = fmt::format("{}  {}  {}  {}  {} of {} bytes  {}", task.id.value,
                                 format_timestamp(task.created_at), to_string(task.state), kind,
                                 task.bytes_done, task.bytes_total, task.from);
  if (!is_remove) line += fmt::format(" to {}", task.to);
  return line;
}

int list_tasks(const TaskOptions& options) {
  return with_account(options, [&](AppContext& app, const catalog::Account& account) {
    catalog::Tasks& tasks = app.catalog().tasks();
    const auto found = run(tasks.list(account.id));
    if (!found) return complain(found.error());
    boost::json::array all;
    for (const catalog::TaskRecord& task : *found) {
      if (options.json) {
        all.push_back(json_of(task));
      } else {
        print(line_of(task));
      }
    }
    if (options.json) print(boost::json::serialize(all));
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
