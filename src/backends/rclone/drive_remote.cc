#include "backends/rclone/drive_remote.h"

#include <spdlog/spdlog.h>

#include <boost/json.hpp>
#include <utility>

#include "async/task_group.h"
#include "backends/rclone/engine/drive_error.h"
#include "backends/rclone/engine/json_members.h"
#include "backends/rclone/engine/rclone_instance.h"
#include "backends/rclone/engine/remote_control.h"
#include "backends/rclone/providers/providers.h"
#include "base/random.h"

namespace coffer::rclone {
namespace {

namespace json = boost::json;

constexpr std::string_view kTokenParameter = "token";
constexpr auto kFolderIsKnownFor = std::chrono::seconds(5);
constexpr std::size_t kMostKnownFolders = 1000;

Features features_of(const json::object& info) {
  const json::value* all = info.if_contains("Features");
  if (all == nullptr || !all->is_object()) return {};
  const json::object& features = all->get_object();
  return {.moves = is_true(features, "Move"),
          .copies = is_true(features, "Copy"),
          .moves_folders = is_true(features, "DirMove"),
          .keeps_empty_folders = is_true(features, "CanHaveEmptyDirectories")};
}

std::string token_of(const RemoteConfig& config) {
  const auto found = config.parameters.find(std::string(kTokenParameter));
  return found == config.parameters.end() ? std::string() : found->second;
}

Task<void> drop_backup(RcloneProcess::Run run, std::string name) {
  using namespace std::chrono_literals;
  json::object parameters{{"name", std::move(name)}};
  const auto gone = co_await call(*run, "config/delete", std::move(parameters), 10s);
  if (!gone)
    spdlog::warn("rclone could not delete the settings of a drive that is no longer used: {}",
                 gone.error().message);
}

}  // namespace

DriveRemote::DriveRemote(DriveOptions chosen, std::shared_ptr<RcloneProcess> chosen_engine,
                         UploadServer& chosen_server, Pool& chosen_pool)
    : options(std::move(chosen)),
      engine(std::move(chosen_engine)),
      upload_server(chosen_server),
      pool(chosen_pool),
      name_("drive-" + random_hex(8)),
      root_(Path::parse(options.root).value()),
      token_(token_of(options.config)) {}

DriveRemote::~DriveRemote() {
  if (upload_server.is_ending()) return;
  if (auto run = engine->current(); run && run->number == known_to_) {
    spawn_background(upload_server.executor(), drop_backup(std::move(run), name_));
  }
}

Features DriveRemote::features() const {
  const std::lock_guard lock(mutex_);
  return features_;
}

std::string DriveRemote::place(const Path& path) const {
  return (root_ / path).str();
}

Task<Result<RcloneProcess::Run>> DriveRemote::ready() {
  CO_TRY(auto run, co_await engine->running());
  const auto is_known = [this, &run] {
    const std::lock_guard lock(mutex_);
    return known_to_ == run->number;
  };
  if (is_known()) co_return run;
  const std::uint64_t tries_before = tries_to_set_up_;
  const auto pass = co_await setting_up_.enter();
  if (is_known()) co_return run;
  // A caller that waited for another one's attempt gets its result.
  if (set_up_failure_ && tries_to_set_up_ != tries_before) {
    co_return std::unexpected(*set_up_failure_);
  }
  auto configured = co_await configure(*run);
  if (!configured && configured.error() == kNeverReached) engine->miss(run->number);
  set_up_failure_ = configured ? std::nullopt : std::optional(configured.error());
  ++tries_to_set_up_;
  if (!configured) co_return failure_of(std::move(configured));
  co_return run;
}

Task<Result<void>> DriveRemote::configure(const RcloneInstance& run) {
  const auto limit = options.deadlines.reply;
  RemoteConfig config = options.config;
  if (auto token = token_.text(); !token.empty()) {
    config.parameters[std::string(kTokenParameter)] = std::move(token);
  }
  auto creation = config_request_of(name_, config);
  CO_TRY([[maybe_unused]] const auto created,
         co_await rclone::call(run, "config/create", std::move(creation), limit));
  json::object which{{"fs", fs()}};
  CO_TRY(const auto info, co_await rclone::call(run, "operations/fsinfo", std::move(which), limit));
  const std::lock_guard lock(mutex_);
  known_to_ = run.number;
  features_ = features_of(info);
  co_return Result<void>{};
}

Task<void> DriveRemote::note_token(RcloneInstance run, bool failed) {
  if (!token_.may_be_renewed(failed)) co_return;
  const auto pass = co_await noting_.enter();
  json::object parameters{{"name", name_}};
  const auto limit = options.deadlines.reply;
  const auto config =
      co_await rclone::call(std::move(run), "config/get", std::move(parameters), limit);
  if (!config || !token_.renew(text_in(*config, kTokenParameter))) co_return;
  if (options.on_token) options.on_token(token_.text());
}

/// True if there is one to try with.
Task<bool> DriveRemote::take_stored_token() {
  if (!options.stored_token) co_return false;
  const auto pass = co_await setting_up_.enter();
  if (!token_.take_stored(options.stored_token())) co_return false;
  const std::lock_guard lock(mutex_);
  known_to_ = 0;
  co_return true;
}

template <class T, class Call>
Task<Result<T>> DriveRemote::with_engine(Call call) {
  for (int tries_left = 1;; --tries_left) {
    auto run = co_await ready();
    Result<T> done = std::unexpected(run ? Error{} : run.error());
    if (run) {
      done = co_await call(*run);
      co_await note_token(**run, !done);
    }
    if (done || tries_left == 0) co_return done;
    if (done.error() == kNeverReached) {
      if (run) engine->miss((*run)->number);
      continue;
    }
    if (!is_login_refused(done.error())) co_return done;
    const bool may_help = co_await take_stored_token();
    if (!may_help) co_return done;
  }
}

Task<Result<json::object>> DriveRemote::call(std::string_view method, json::object parameters) {
  auto once = [&](const RcloneProcess::Run& run) {
    return rclone::call(*run, method, parameters, options.deadlines.reply);
  };
  co_return co_await with_engine<json::object>(std::move(once));
}

Task<Result<JobId>> DriveRemote::start_job(std::string_view method, json::object parameters) {
  parameters["_async"] = true;
  RcloneProcess::Run used;
  auto once = [&](const RcloneProcess::Run& run) {
    used = run;
    return rclone::call(*run, method, parameters, options.deadlines.reply);
  };
  CO_TRY(const auto answer, co_await with_engine<json::object>(std::move(once)));
  co_return JobId{std::move(used), number_in(answer, "jobid")};
}

Task<Result<void>> DriveRemote::list(const Path& folder, ItemSink sink) {
  json::object parameters{{"fs", fs()}, {"remote", place(folder)}};
  co_return co_await list_with(std::move(parameters), std::move(sink));
}

Task<Result<void>> DriveRemote::list_some(const Path& folder, json::object filter, ItemSink sink) {
  json::object parameters{{"fs", fs(folder)}, {"remote", ""}, {"_filter", std::move(filter)}};
  co_return co_await list_with(std::move(parameters), std::move(sink));
}

Task<Result<void>> DriveRemote::list_with(json::object parameters, ItemSink sink) {
  // rclone would look up a type for each name.
  parameters["opt"] = json::object{{"noMimeType", true}};
  std::optional<ItemsParser> parser;
  auto once = [&](const RcloneProcess::Run& run) {
    parser.emplace(sink);
    auto take = [&parser](std::string_view piece) { return parser->parse(piece); };
    return call_for_text(*run, "operations/list", parameters, std::move(take),
                         options.deadlines.reply);
  };
  CO_TRY_VOID(co_await with_engine<void>(std::move(once)));
  co_return parser->end();
}

bool DriveRemote::knows_folder(const Path& folder) const {
  const std::lock_guard lock(mutex_);
  const auto found = folders_.find(folder.str());
  return found != folders_.end() &&
         std::chrono::steady_clock::now() - found->second < kFolderIsKnownFor;
}

void DriveRemote::note_folder(const Path& folder) {
  const std::lock_guard lock(mutex_);
  if (folders_.size() >= kMostKnownFolders) folders_.clear();
  folders_[folder.str()] = std::chrono::steady_clock::now();
}

void DriveRemote::forget_folders() {
  const std::lock_guard lock(mutex_);
  folders_.clear();
}

}  // namespace coffer::rclone
