#include "app/server_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "api/routes.h"
#include "api/services.h"
#include "app/instance_lock.h"
#include "app/node.h"
#include "app/output.h"
#include "core/background.h"
#include "core/recount.h"
#include "core/sweep.h"
#include "http/server.h"

namespace coffer::app {
namespace {

/// Enough that a hundred durable uploads can wait for the disk at the same time.
constexpr std::size_t kPoolThreads = 64;

/// Every connection takes a descriptor and every open file another.
void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    spdlog::warn("the limit of open files stays low");
  }
}

http::ServerOptions server_options(const Settings& settings) {
  http::ServerOptions options;
  options.address = settings.listen.address;
  options.port = settings.listen.port;
  options.threads = settings.threads;
  options.header_timeout = settings.header_timeout;
  options.idle_timeout = settings.idle_timeout;
  options.stall_timeout = settings.stall_timeout;
  options.access_log = settings.access_log;
  options.cors_origins = settings.cors_origins;
  return options;
}

/// Opens every account's folder, so that what a crash left there is swept, and after an unclean
/// stop counts what is on disk: reservations and figures of that run are void.
Task<Result<void>> prepare_accounts(Node& node) {
  const auto unclean = co_await node.catalog().ledger().begin_run();
  if (!unclean) co_return failure_of(unclean);
  const auto accounts = co_await node.catalog().accounts().list();
  if (!accounts) co_return failure_of(accounts);
  if (accounts->empty()) {
    spdlog::warn("there is no account yet: make one with `coffer account add`");
  }
  if (*unclean) spdlog::warn("the last run did not stop cleanly: counting all files anew");
  for (const catalog::Account& account : *accounts) {
    const auto home = node.homes().of(account);
    if (!home) co_return failure_of(home);
    if (!*unclean) continue;
    const auto counted = co_await core::recount(node.catalog().ledger(), node.homes(), account);
    if (!counted) co_return failure_of(counted);
  }
  co_return Result<void>{};
}

/// Tells which tasks an earlier run's end interrupted.
Task<Result<void>> end_old_tasks(Node& node) {
  constexpr auto kTasksAreKept = std::chrono::days(90);
  catalog::Tasks& tasks = node.catalog().tasks();
  auto forgotten = co_await tasks.forget_older_than(now() - kTasksAreKept);
  if (!forgotten) co_return forgotten;
  const auto interrupted = co_await tasks.interrupt_running();
  if (!interrupted) co_return failure_of(interrupted);
  for (const catalog::TaskRecord& task : *interrupted) {
    spdlog::warn("the end of the last run interrupted a {} of account {} from \"{}\" to \"{}\"",
                 catalog::to_string(task.kind), task.account.value, task.from, task.to);
  }
  co_return Result<void>{};
}

/// A server with all that it stands on, from start to stop.
class Run {
 public:
  Run(const Settings& settings, Node& node)
      : settings_(settings),
        node_(node),
        background_(context_.get_executor()),
        authenticator_(node.catalog().keys()),
        long_work_(node.catalog().tasks(), background_),
        files_(node.catalog(), node.homes(), node.mounts(), background_, long_work_),
        keys_(node.catalog().keys(), node.homes(), node.mounts()),
        accounts_(node.catalog(), node.homes(), node.pool()),
        services_{authenticator_, files_, keys_, accounts_, node.pool()} {
    api::add_routes(router_, services_);
  }

  Result<void> serve() {
    auto prepared = wait_for(prepare_accounts(node_));
    if (!prepared) return prepared;
    auto ended = wait_for(end_old_tasks(node_));
    if (!ended) return ended;
    background_.spawn(core::sweep_left_overs(node_.catalog(), node_.homes(), node_.mounts()));
    http::Server server(server_options(settings_), router_);
    auto started = server.start();
    if (!started) {
      const auto wound = wind_down();
      return wound ? started : wound;
    }
    const ListenAddress listen{settings_.listen.address, server.port()};
    spdlog::info("listening on http://{}", listen.str());
    wait_for_signal();
    spdlog::info("stopping");
    if (!stop(server)) spdlog::warn("requests that still ran were cut off");
    return wind_down();
  }

 private:
  template <class T>
  T wait_for(Task<T> task) {
    std::optional<T> value;
    asio::co_spawn(context_, std::move(task), [&](std::exception_ptr thrown, T result) {
      if (thrown) std::rethrow_exception(thrown);
      value.emplace(std::move(result));
    });
    context_.restart();
    while (!value) context_.run_one();
    return *std::move(value);
  }

  void wait_for_signal() {
    bool stop = false;
    signals_.async_wait([&stop](boost::system::error_code, int) { stop = true; });
    context_.restart();
    while (!stop) context_.run_one();
  }

  /// What requests wait for runs on this thread meanwhile, and is interrupted when it takes longer
  /// than they may; what cannot be is ended after as long again.
  bool stop(http::Server& server) {
    std::optional<bool> stopped;
    const std::jthread stopper([this, &server, &stopped] {
      const bool all_done = server.stop(settings_.stop_timeout);
      asio::post(context_, [&stopped, all_done] { stopped = all_done; });
    });
    asio::steady_timer limit(context_, settings_.stop_timeout);
    limit.async_wait([this](boost::system::error_code error) {
      if (!error) long_work_.interrupt_all();
    });
    asio::steady_timer last_limit(context_, 2 * settings_.stop_timeout);
    last_limit.async_wait([this](boost::system::error_code error) {
      if (!error) node_.mount_backends().end();
    });
    context_.restart();
    const auto stays = asio::make_work_guard(context_);  // Without work it would end for good.
    while (!stopped) context_.run_one();
    return *stopped;
  }

  Result<void> wind_down() {
    bool settled = wait_for(background_.join(settings_.stop_timeout));
    if (!settled) {
      long_work_.interrupt_all();
      settled = wait_for(background_.join(settings_.stop_timeout));
    }
    node_.mount_backends().end();
    auto flushed = wait_for(node_.catalog().keys().flush_uses());
    if (!flushed) return flushed;
    // What could not be settled makes this an unclean stop, which the next start mends.
    auto ended = settled ? wait_for(node_.catalog().ledger().end_run()) : Result<void>{};
    context_.run();  // Until no thread of a pool is still handing something over.
    return ended;
  }

  const Settings& settings_;
  Node& node_;
  asio::io_context context_{1};
  asio::signal_set signals_{context_, SIGINT, SIGTERM};  // From the start: none may be missed.
  core::Background background_;
  core::Authenticator authenticator_;
  core::LongWork long_work_;
  core::Files files_;
  core::KeyService keys_;
  core::AccountService accounts_;
  api::Services services_;
  http::Router router_;
};

int serve(const CommonOptions& common, const std::string& listen, bool print_config) {
  Flags flags;
  if (!listen.empty()) flags["listen"] = listen;
  const auto settings = common.load(std::move(flags));
  if (!settings) return complain(settings.error());
  if (print_config) {
    fmt::print("{}", print_settings(*settings));
    return 0;
  }
  start_log(settings->log_level);
  raise_descriptor_limit();
  const auto node = Node::open(*settings, kPoolThreads);
  if (!node) return complain(node.error());
  const auto lock = InstanceLock::take(settings->data);
  if (!lock) return complain(lock.error());
  Run run(*settings, **node);
  const auto served = run.serve();
  return served ? 0 : complain(served.error());
}

}  // namespace

void add_serve_command(CLI::App& program, Action& chosen) {
  CLI::App* command = program.add_subcommand("serve", "Run the server until it is told to stop");
  auto common = add_common_options(*command);
  auto listen = std::make_shared<std::string>();
  auto print_config = std::make_shared<bool>(false);
  command->add_option("--listen", *listen, "Address and port, 127.0.0.1:8080 by default")
      ->type_name("ADDRESS:PORT");
  command->add_flag("--print-config", *print_config, "Print the settings in force, and stop");
  command->callback([&chosen, common, listen, print_config] {
    chosen = [common, listen, print_config] { return serve(*common, *listen, *print_config); };
  });
}

}  // namespace coffer::app
