#include "sql/testing/postgres_server.h"

#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sql/postgres_connection.h"

namespace coffer::sql {
namespace {

const std::filesystem::path kPrograms = "/usr/lib/postgresql/15/bin";

const passwd* unprivileged_user() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("nobody");
  if (!user) throw std::runtime_error("There is no user nobody to run PostgreSQL as.");
  return user;
}

// PostgreSQL refuses to run as root. The parent's end kills the child.
pid_t spawn(const std::vector<std::string>& words, const std::filesystem::path& folder) {
  const passwd* user = unprivileged_user();
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string log = (folder / "log").string();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (user && (::setgid(user->pw_gid) != 0 || ::setuid(user->pw_uid) != 0)) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (::getppid() != parent) ::_exit(126);
  if (!::freopen(log.c_str(), "a", stdout) || !::freopen(log.c_str(), "a", stderr)) ::_exit(126);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

void ignore(void* /*unused*/, const char* /*notice*/) {}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

PostgresServer& PostgresServer::shared() {
  static PostgresServer server;
  return server;
}

PostgresServer::PostgresServer() {
  if (!std::filesystem::exists(kPrograms / "postgres")) {
    throw std::runtime_error("PostgreSQL 15 is not installed; script/setup installs it.");
  }
  const passwd* user = unprivileged_user();
  if (user && ::chown(folder().c_str(), user->pw_uid, user->pw_gid) != 0) {
    throw std::runtime_error("The scratch folder for PostgreSQL cannot be handed over.");
  }
  const auto made =
      spawn({kPrograms / "initdb", "-D", folder() / "data", "-U", "coffer", "-A", "trust",
             "--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C.UTF-8"},
            folder());
  if (wait_for(made) != 0) throw std::runtime_error("PostgreSQL's initdb failed.");
  start();
}

PostgresServer::~PostgresServer() {
  stop();
}

void PostgresServer::start() {
  process_ = spawn({kPrograms / "postgres", "-D", folder() / "data", "-k", folder(), "-c",
                    "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=4MB"},
                   folder());
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    try {
      const PostgresConnection probe(url("postgres"), &ignore);
      return;
    } catch (const Failure&) {
      if (std::chrono::steady_clock::now() > limit) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void PostgresServer::stop() {
  ::kill(process_, SIGINT);  // A fast shutdown: connections are cut.
  wait_for(process_);
}

std::string PostgresServer::url(const std::string& database) const {
  return "postgresql:///" + database + "?user=coffer&host=" + folder().string();
}

std::string PostgresServer::make_database() {
  const std::string name = "test" + std::to_string(++databases_);
  PostgresConnection sql(url("postgres"), &ignore);
  sql.run_once("CREATE DATABASE " + name);
  sql.flush();
  return url(name);
}

}  // namespace coffer::sql
