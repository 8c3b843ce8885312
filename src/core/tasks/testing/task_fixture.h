#pragma once

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/run.h"
#include "async/suspend.h"
#include "base/log.h"
#include "catalog/testing/scratch_catalog.h"
#include "core/tasks/task_runner.h"

namespace coffer::core {

/// A catalog with one account, and what runs work in the background.
class TaskRunnerTest : public testing::Test {
 protected:
  TaskRunnerTest() {
    background_.emplace(context_.get_executor());
    task_runner_.emplace(catalog_->tasks(), *background_);
  }

  AccountId add_account(const std::string& name) { return catalog_.add_account(name).id; }
  /// Begins the work; the end shows in `result_`.
  void start(TaskRunner::TaskBody work, CancelReason cancel_reason = {}) {
    start(task(), TaskLoad::disks, std::move(work), std::move(cancel_reason));
  }
  void start(catalog::NewTask task, TaskLoad load, TaskRunner::TaskBody work,
             CancelReason cancel_reason = {}) {
    ++started_;
    asio::co_spawn(
        context_,
        task_runner_->run(std::move(task), load, std::move(work), std::move(cancel_reason)),
        [this](std::exception_ptr error, Result<void> result) {
          ++ended_;
          thrown_ = error;
          result_ = std::move(result);
        });
  }
  /// Lets everything run until nothing waits any more.
  void run_all() {
    context_.restart();
    context_.run();
  }
  template <class Done>
  void run_until(Done done) {
    context_.restart();
    while (!done()) context_.run_one();
  }
  catalog::NewTask task() const { return {account_, catalog::TaskKind::copy, "a", "b"}; }
  std::vector<catalog::TaskRecord> all_noted() {
    return coffer::run(catalog_->tasks().list(account_)).value();
  }
  catalog::TaskRecord noted() {
    const auto all = all_noted();
    if (all.size() != 1) throw std::runtime_error("not one task");
    return all.front();
  }

  catalog::ScratchCatalog catalog_;
  const AccountId account_ = catalog_.add_account("ada").id;
  asio::io_context context_;
  std::optional<Background> background_;
  std::optional<TaskRunner> task_runner_;
  std::optional<Result<void>> result_;
  std::exception_ptr thrown_;
  int started_ = 0;
  int ended_ = 0;
};

/// TaskBody that goes on until it is stopped, or resumed by the test.
struct Held {
  Task<Result<void>> operator()(RunningTask& running) {
    this->running = &running;
    co_await suspend([this](Resume go_on) { resume = std::move(go_on); });
    if (running.progress().was_cancelled()) co_return fail(ErrorCode::failed, "Stopped.");
    co_return Result<void>();
  }
  /// It keeps the context running as long as it is there.
  void go_on() { std::exchange(resume, nullptr)(); }

  RunningTask* running = nullptr;
  Resume resume;
};

/// What is logged while it lives.
class LogText {
 public:
  LogText() : before_(spdlog::default_logger()) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(text_);
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", std::move(sink)));
  }
  ~LogText() { spdlog::set_default_logger(before_); }
  std::string str() const { return text_.str(); }

 private:
  std::shared_ptr<spdlog::logger> before_;
  std::ostringstream text_;
};

}  // namespace coffer::core
