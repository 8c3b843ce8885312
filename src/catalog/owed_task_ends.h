#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "catalog/task_record.h"

namespace soci {
class session;
}

namespace coffer::catalog {

class Database;

/// Ends of tasks that the database did not take when they came: they are written as soon as it
/// does. What is left when the program ends is lost, and the next start calls those tasks
/// interrupted. Safe from any thread.
class OwedTaskEnds {
 public:
  /// Writes one end in a transaction; `not_found` if the task does not run any more.
  using Write = Result<void> (*)(soci::session&, const TaskId&, const TaskEnd&);
  OwedTaskEnds(Database& database, Write write) : database_(database), write_(write) {}
  /// Waits for the last try.
  ~OwedTaskEnds();

  void add(TaskId id, TaskEnd end);

 private:
  struct Owed {
    TaskId id;
    TaskEnd end;
  };
  void try_after(std::chrono::milliseconds delay);
  bool write_all();
  bool write_one(const Owed& owed);

  Database& database_;
  const Write write_;
  std::mutex mutex_;
  std::vector<Owed> owed_;
  std::atomic<bool> is_due_ = false;
  std::atomic<int> tries_ = 0;  ///< That are due or run.
  std::atomic<bool> is_ending_ = false;
};

}  // namespace coffer::catalog
