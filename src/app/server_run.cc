#include "app/server_run.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "api/dav/routes.h"
#include "api/routes.h"
#include "api/v2/routes.h"
#include "app/command_client.h"
#include "app/freed_memory.h"
#include "app/home_routes.h"
#include "app/input.h"
#include "app/metrics.h"
#include "app/redirect_server.h"
#include "app/server_services.h"
#include "app/service_manager.h"
#include "app/start_up.h"
#include "app/tls_certificate.h"
#include "backends/objects/garbage.h"
#include "base/cleared_flag.h"
#include "base/text.h"
#include "catalog/object_names.h"
#include "core/files/parked_recovery.h"
#include "core/files/sweep.h"
#include "http/server.h"
#include "moving/home_mover.h"
#include "web/built_files.h"
#include "web/interface.h"

namespace coffer::app {
namespace {

/// Raises the limit of open files (RLIMIT_NOFILE) as far as possible. Returns the limit.
std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    spdlog::warn("the limit of open files could not be raised");
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur;
}

/// Returns the number of connections that `descriptors` suffice for, at most `most`. A third is
/// kept for the files that requests open.
std::size_t connections_within(std::size_t descriptors, std::size_t most) {
  constexpr std::size_t kReserved = 64;  // Neither for connections nor for files of requests.
  constexpr std::size_t kLeast = 8;
  const std::size_t rest = descriptors > kReserved ? descriptors - kReserved : 0;
  return std::clamp<std::size_t>(rest / 3 * 2, kLeast, most);
}

/// Event streams last long: they get half of the connections, so that other requests have the rest.
std::size_t most_streams(std::size_t descriptors) {
  return connections_within(descriptors, http::ServerOptions().max_connections) / 2;
}

http::ServerOptions server_options(const Settings& settings, std::size_t descriptors) {
  http::ServerOptions options;
  options.max_connections = connections_within(descriptors, options.max_connections);
  options.address = settings.listen.address;
  options.port = settings.listen.port;
  options.threads = settings.threads;
  options.header_timeout = settings.header_timeout;
  options.idle_timeout = settings.idle_timeout;
  options.stall_timeout = settings.stall_timeout;
  options.min_rate_bytes = settings.min_rate_bytes;
  options.min_rate_window = settings.min_rate_window;
  options.base_path = settings.base_path;
  options.hsts = std::chrono::days(settings.hsts_days);
  options.access_log = settings.access_log;
  options.cors_origins = settings.cors_origins;
  options.trusted_proxies = http::TrustedProxies::parse(settings.trusted_proxies).value();
  for (const std::string& header : {settings.proxy_user_header, settings.proxy_groups_header}) {
    if (!header.empty()) options.proxy_headers.push_back(header);
  }
  return options;
}

http::ServerOptions command_options(const Settings& settings) {
  http::ServerOptions options;
  options.socket = settings.data / kCommandSocket;
  options.access_log = false;  // The audit log has what commands change.
  return options;
}

/// All of a file but the end of its last line.
Result<std::string> secret_in(const std::string& file, const std::string& what) {
  NamedFiles files;
  files.read(file);
  TRY(std::string secret, files.text(file, what));
  while (secret.ends_with('\n') || secret.ends_with('\r')) secret.pop_back();
  return secret;
}

api::dav::Options webdav_options(const Settings& settings, ServerServices& services) {
  api::dav::Options options;
  options.takes_mac_files = settings.webdav_mac_files == MacFiles::keep;
  if (settings.webdav_passwords) options.passwords = &services.basic_sessions;
  return options;
}

constexpr std::chrono::hours kHourly{1};
constexpr std::chrono::minutes kOldRows{10};
constexpr std::chrono::minutes kMemoryReturn{1};

/// A server with all that it stands on, from start to stop.
class Run {
 public:
  Run(const Settings& settings, LiveSettings::Load load, AppContext& app, storage::Spool& spool,
      std::size_t descriptors)
      : settings_(settings),
        descriptors_(descriptors),
        app_(app),
        audit_days_(settings.audit_days),
        background_(context_.get_executor()),
        services_(settings, std::move(load), app, spool, background_, most_streams(descriptors)),
        setup_link_(settings.data),
        home_mover_({app.catalog(), app.homes(), app.pools(), background_,
                     [&settings, &app] { return app.prepare_files(settings); }}),
        home_routes_{services_.api, app.catalog(), app.homes(),
                     settings.servers == ServerCount::one ? &home_mover_ : nullptr},
        commands_(command_options(settings), router_) {
    api::add_routes(router_, services_.api);
    api::v2::add_routes(router_, services_.api);
    if (settings.webdav) {
      api::dav::add_routes(router_, services_.api, webdav_options(settings, services_));
    }
    web::add_interface(router_, web::built_files(), settings.base_path);
    add_home_routes(router_, home_routes_);
    services_.accounts.on_set_up([this] { setup_link_.remove(); });
    keep_versions(settings);
    app_.catalog().on_taken_over([this] {
      asio::post(context_, [this] {
        is_taken_over_ = true;
        services_.task_runner.interrupt_all();  // Others may do their work by now.
        signals_.cancel();
      });
    });
  }
  ~Run() { app_.catalog().on_taken_over({}); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Result<void> serve() {
    // Before a run begins, which these failures would leave unended.
    TRY_VOID(load_certificate());
    TRY_VOID(offer_metrics());
    TRY_VOID(offer_sign_ins());
    TRY_VOID(prepare_redirects());
    TRY_VOID(wait_for(prepare_accounts(settings_, app_, services_.counting)));
    TRY_VOID(wait_for(end_old_tasks(app_)));
    TRY_VOID(make_administrator());
    TRY_VOID(wait_for(services_.folder_changes.revoke_interrupted()));
    services_.counting.start(background_);
    background_.spawn(tidy());
    sweep_catalog();
    look_at_events();
    if (settings_.servers == ServerCount::one) home_mover_.clear_left();
    look_at_doubts();
    if (settings_.servers == ServerCount::several) {
      look_at_runs();
      look_at_other_events();
    }
    http::ServerOptions options = server_options(settings_, descriptors_);
    if (metrics_) options.observer = &metrics_->requests();
    options.proxy_watch = &services_.proxy_watch;
    if (certificate_) options.tls = tls_port();
    http::Server server(std::move(options), router_);
    server_ = &server;
    if (auto started = listen(server); !started) {
      redirects_.reset();
      const auto wound = wind_down();
      return wound ? started : wound;
    }
    services_.memory.on_short([&server](const std::string& guests_of) {
      if (guests_of.empty()) {
        server.relieve();
      } else {
        server.relieve_guests_of(guests_of);
      }
    });
    listen_for_hang_up();
    look_at_settings();
    // Without it the server does its work, and commands tell that it cannot be reached.
    if (auto taken = commands_.start(); !taken) spdlog::error("{}", taken.error().message);
    const ListenAddress listen{settings_.listen.address, server.port()};
    if (auto offered = offer_setup(listen); !offered) spdlog::error("{}", offered.error().message);
    ::malloc_trim(0);  // Returns memory that only the start needed.
    return_memory();
    tell_addresses(listen, server.tls_port());
    manager_.tell_ready();
    wait_for_signal();
    manager_.tell_stopping();
    services_.readiness.end();
    drain(server);
    redirects_.reset();
    spdlog::info("stopping");
    services_.memory.on_short({});
    services_.lister.end();
    services_.bin.end();
    services_.bin_keeper.end();
    home_mover_.stop();
    services_.version_keeper.end();
    is_stopping_ = true;
    are_cut_off_ = !stop(server);
    auto wound = wind_down();
    if (!is_taken_over_) return wound;
    return fail(
        ErrorCode::failed,
        "Another server has taken over the catalog, or has ended this one's run, so this one "
        "has stopped.");
  }

 private:
  /// The server comes last: what it takes must not be cut off because the other has no port.
  Result<void> listen(http::Server& server) {
    if (redirects_) TRY_VOID(redirects_->start());
    return server.start();
  }

  /// Sweeps move and delete in shares, for which it must be known which folders several hold.
  Task<void> tidy() {
    co_await resolve_share_folders(app_);
    if (is_ending_) co_return;
    background_.spawn(core::sweep_orphans(app_.catalog(), app_.homes(), app_.mounts()));
    background_.spawn(services_.uploads.reconcile_interrupted());
    if (settings_.servers == ServerCount::several) background_.spawn(recover_and_sweep_bins());
    sweep_old();
  }

  /// Now and every hour, until the server stops.
  void sweep_old() {
    background_.spawn(services_.uploads.sweep());
    background_.spawn(sweep_shared());
    sweep_.expires_after(kHourly);
    sweep_.async_wait([this](boost::system::error_code error) {
      if (!error && !is_ending_) sweep_old();
    });
  }

  /// What one of the servers on the catalog does.
  Task<void> sweep_shared() {
    const auto is_ours = co_await app_.catalog().shared_work().take("hourly sweep", kHourly);
    if (!is_ours) spdlog::warn("bins and versions were not swept: {}", is_ours.error().message);
    if (!is_ours || !*is_ours) co_return;
    background_.spawn(services_.links.sweep_visits());
    co_await recover_and_sweep_bins();
    co_await services_.version_keeper.sweep(now() - services_.versions.kept());
  }

  /// Every two seconds, until the server stops.
  void look_at_runs() {
    runs_check_.expires_after(catalog::RunWatch::kPeriod);
    runs_check_.async_wait([this](boost::system::error_code error) {
      if (error || is_ending_) return;
      background_.spawn([](Run& run) -> Task<void> {
        const int ended = co_await run.app_.catalog().run_watch().look();
        if (ended > 0) spdlog::warn("{} of the servers on this catalog died", ended);
        run.owes_take_over_ |= ended > 0;
        if (run.owes_take_over_) co_await run.take_over();
        if (!run.is_ending_) run.look_at_runs();
      }(*this));
    });
  }

  /// Ends what servers that died have left, as the next start would where there is one server.
  Task<void> take_over() {
    spdlog::warn("ending what a server left");
    auto done = co_await end_old_tasks(app_);
    if (done) done = co_await services_.folder_changes.revoke_interrupted();
    if (done) done = co_await services_.counting.begin();
    owes_take_over_ = !done;  // The next look tries again.
    if (!done) spdlog::error("what a server left was not ended: {}", done.error().message);
    services_.counting.start(background_);
    background_.spawn(core::sweep_orphans(app_.catalog(), app_.homes(), app_.mounts()));
    background_.spawn(services_.uploads.reconcile_interrupted());
    background_.spawn(recover_and_sweep_bins());
  }

  /// Now and every ten minutes, until the server stops.
  void sweep_catalog() {
    background_.spawn(drop_old_rows());
    if (app_.object_store() != nullptr) background_.spawn(clear_objects());
    rows_sweep_.expires_after(kOldRows);
    rows_sweep_.async_wait([this](boost::system::error_code error) {
      if (!error && !is_ending_) sweep_catalog();
    });
  }

  void return_memory() {
    return_freed_memory();
    memory_return_.expires_after(kMemoryReturn);
    memory_return_.async_wait([this](boost::system::error_code error) {
      if (!error && !is_ending_) return_memory();
    });
  }

  Task<void> clear_objects() {
    const auto is_ours = co_await app_.catalog().shared_work().take("garbage of objects", kOldRows);
    if (!is_ours || !*is_ours || std::exchange(clears_objects_, true)) co_return;
    const ClearedFlag cleared(clears_objects_);
    const std::chrono::days kept(settings_.objects_keep_days);
    const auto removed = co_await objects::remove_garbage(
        app_.catalog().object_names(), *app_.object_store(), kept, [this] { return is_ending_; });
    if (!removed) {
      spdlog::error("objects of deleted files are not removed: {}", removed.error().message);
    } else if (*removed > 0) {
      spdlog::info("{} objects of deleted files were removed", *removed);
    }
  }

  /// First what a restoring has left beside its own name in a bin.
  Task<void> recover_and_sweep_bins() {
    const bool is_durable = settings_.durability == Durability::durable;
    co_await core::recover_parked({app_.catalog(), app_.homes(), app_.mounts(), services_.move_copy,
                                   services_.files, is_durable});
    co_await services_.bin_keeper.sweep(now() - services_.bin.kept(), background_);
  }

  /// Every second, until the server stops.
  void look_at_events() {
    events_check_.expires_after(std::chrono::seconds(1));
    events_check_.async_wait([this](boost::system::error_code error) {
      if (error || is_ending_) return;
      background_.spawn([](Run& run) -> Task<void> {
        co_await run.services_.events.check_rights();
        if (!run.is_ending_) run.look_at_events();
      }(*this));
    });
  }

  /// Every second, until the server stops.
  void look_at_doubts() {
    doubts_check_.expires_after(std::chrono::seconds(1));
    doubts_check_.async_wait([this](boost::system::error_code error) {
      if (error || is_ending_) return;
      background_.spawn([](Run& run) -> Task<void> {
        co_await run.end_doubts();
        if (!run.is_ending_) run.look_at_doubts();
      }(*this));
    });
  }

  /// Finds out what became of changes whose answers from the database were lost.
  Task<void> end_doubts() {
    co_await services_.uploads.reconcile_unrecorded();
    const auto noted = co_await app_.catalog().object_names().note_doubtful();
    owes_count_ |= (noted && *noted) || services_.counting.is_owed();
    if (!owes_count_) co_return;
    const auto begun = co_await services_.counting.begin();
    owes_count_ = !begun;
    services_.counting.start(background_);
  }

  /// Every half second, until the server stops.
  void look_at_other_events() {
    other_events_check_.expires_after(std::chrono::milliseconds(500));
    other_events_check_.async_wait([this](boost::system::error_code error) {
      if (error || is_ending_) return;
      background_.spawn([](Run& run) -> Task<void> {
        co_await run.services_.watches_for_others.look();
        if (!run.is_ending_) run.look_at_other_events();
      }(*this));
    });
  }

  /// Every second, and at once when SIGHUP tells so, until the server stops.
  void look_at_settings() {
    settings_check_.expires_after(std::chrono::seconds(1));
    settings_check_.async_wait([this](boost::system::error_code) {
      if (!is_stopping_) background_.spawn(follow_settings());
    });
  }

  void listen_for_hang_up() {
    hang_up_.async_wait([this](boost::system::error_code error, int) {
      if (error || is_stopping_) return;
      is_told_ = true;
      manager_.tell_reloading();
      settings_check_.cancel();
      listen_for_hang_up();
    });
  }

  Result<void> load_certificate() {
    if (!settings_.tls_listen) return {};
    TRY(certificate_, TlsCertificate::load({.certificate = settings_.tls_certificate,
                                            .key = settings_.tls_key,
                                            .least = settings_.tls_min,
                                            .http2 = settings_.http2}));
    services_.live_settings.show_certificate(*certificate_);
    return {};
  }

  void tell_addresses(const ListenAddress& listen, std::uint16_t tls_port) const {
    spdlog::info("listening on http://{}{}", listen.str(), settings_.base_path);
    if (certificate_) {
      const ListenAddress by_tls{settings_.tls_listen->address, tls_port};
      spdlog::info("listening on https://{}{}", by_tls.str(), settings_.base_path);
    }
    if (redirects_) {
      const ListenAddress without{settings_.redirect_listen->address, redirects_->port()};
      spdlog::info("sending http://{} to {}", without.str(), settings_.public_url);
    }
  }

  Result<void> prepare_redirects() {
    if (!settings_.redirect_listen) return {};
    if (!settings_.public_url.starts_with("https://")) {
      return fail(ErrorCode::invalid,
                  "With redirect_listen, public_url must be set to an address that begins with "
                  "https://: clients are sent there.");
    }
    RedirectServer::Options options;
    options.listen = *settings_.redirect_listen;
    options.public_url = settings_.public_url;
    options.acme_webroot = settings_.acme_webroot;
    options.max_connections = std::min<std::size_t>(options.max_connections, descriptors_ / 16);
    options.header_timeout = settings_.header_timeout;
    options.idle_timeout = settings_.idle_timeout;
    options.access_log = settings_.access_log;
    redirects_.emplace(std::move(options), app_.pools().common());
    return {};
  }

  http::ServerOptions::TlsPort tls_port() const {
    return {settings_.tls_listen->address, settings_.tls_listen->port, &certificate_->source()};
  }

  Task<void> follow_settings() {
    const bool is_told = std::exchange(is_told_, false);
    auto look = [this, is_told] {
      if (certificate_) certificate_->look(is_told);
      return services_.live_settings.look(is_told);
    };
    try {
      const auto changed = co_await app_.pools().common().run(std::move(look));
      if (changed && !is_stopping_) apply(*changed);
    } catch (const std::exception& error) {
      spdlog::error("the settings were not looked at: {}", error.what());
    }
    if (is_stopping_) co_return;
    if (is_told) manager_.tell_ready();
    look_at_settings();
  }

  void apply(const Settings& settings) {
    services_.share_roots.set(settings.share_roots);
    services_.bin.keep_for(std::chrono::days(settings.bin_days));
    services_.person_shares.let_share_with(settings.share_with);
    keep_versions(settings);
    audit_days_ = settings.audit_days;
    server_->change({settings.access_log,
                     http::TrustedProxies::parse(settings.trusted_proxies).value(),
                     settings.cors_origins});
  }

  void keep_versions(const Settings& settings) {
    services_.versions.keep_for(std::chrono::days(settings.version_days));
    const bool keeps = settings.version_days > 0;
    app_.catalog().object_names().versions()->keep(keeps ? settings.versions_kept : 0);
  }

  Task<void> drop_old_rows() {
    const auto is_ours = co_await app_.catalog().shared_work().take("old rows", kOldRows);
    if (is_ours && !*is_ours) co_return;
    const std::chrono::days kept(audit_days_);
    auto dropped =
        co_await app_.catalog().audit().drop_old(now() - kept, catalog::kMostAuditEvents);
    const core::ProvidedSessionLives lives{std::chrono::hours(settings_.oidc_session_hours),
                                           std::chrono::hours(settings_.proxy_session_hours)};
    if (dropped) dropped = co_await services_.sign_in.drop_expired(lives);
    if (dropped) dropped = co_await sweep_rows(app_.catalog());
    if (!dropped) spdlog::warn("old rows were not dropped: {}", dropped.error().message);
  }

  /// By the password file, where there is no account and the settings name one.
  Result<void> make_administrator() {
    const std::string file = settings_.admin_password_file.string();
    if (file.empty()) return {};
    TRY(const bool is_open, wait_for(services_.accounts.is_setup_open()));
    if (!is_open) return {};
    TRY(std::string password, secret_in(file, "The password file " + file));
    core::AccountPatch patch;
    patch.role = catalog::Role::admin;
    patch.password = {std::move(password), core::PasswordAsker::command()};
    TRY(const auto made, wait_for(services_.accounts.add("admin", std::move(patch))));
    spdlog::info("made the administrator \"admin\" with the password in {}", file);
    return {};
  }

  Result<void> offer_sign_ins() {
    TRY_VOID(offer_provider());
    TRY_VOID(offer_directory());
    return offer_proxy();
  }

  Result<void> offer_proxy() {
    if (settings_.proxy_user_header.empty()) {
      if (settings_.proxy_groups_header.empty()) return {};
      return fail(ErrorCode::invalid, "With proxy_groups_header, proxy_user_header must be set.");
    }
    if (settings_.trusted_proxies.empty()) {
      return fail(ErrorCode::invalid,
                  "With proxy_user_header, trusted_proxies must name the proxy: whoever may send "
                  "that header signs in as anybody.");
    }
    if (equal_ignoring_case(settings_.proxy_user_header, settings_.proxy_groups_header)) {
      return fail(ErrorCode::invalid,
                  "proxy_user_header and proxy_groups_header must be two headers.");
    }
    services_.offer_proxy(settings_, app_);
    return {};
  }

  /// The provider itself is asked when somebody signs in first: it may be down now.
  Result<void> offer_provider() {
    if (settings_.oidc_issuer.empty()) return {};
    if (settings_.public_url.empty() || settings_.oidc_client_id.empty()) {
      return fail(ErrorCode::invalid,
                  "With oidc_issuer, public_url and oidc_client_id must be set: the provider sends "
                  "people back there, and knows this server by that id.");
    }
    if (!app_.has_secret_key()) return app_.has_secret_key();
    const std::string file = settings_.oidc_client_secret_file.string();
    std::string secret;
    if (!file.empty()) {
      TRY(secret, secret_in(file, "The file with the client's secret " + file));
    }
    services_.offer_provider(settings_, app_, std::move(secret));
    return {};
  }

  Result<void> offer_directory() {
    if (settings_.ldap_url.empty()) return {};
    if (settings_.ldap_base.empty() || !settings_.ldap_filter.contains("{name}")) {
      return fail(ErrorCode::invalid,
                  "With ldap_url, ldap_base must be set, and ldap_filter must hold {name}.");
    }
    if (settings_.ldap_bind_dn.empty() != settings_.ldap_bind_password_file.empty()) {
      return fail(ErrorCode::invalid,
                  "ldap_bind_dn and ldap_bind_password_file must be set together, or neither.");
    }
    const std::string file = settings_.ldap_bind_password_file.string();
    std::string password;
    if (!file.empty()) {
      TRY(password, secret_in(file, "The file with the password of ldap_bind_dn " + file));
    }
    services_.offer_directory(settings_, app_, std::move(password));
    return {};
  }

  /// Where the settings name a file with a token.
  Result<void> offer_metrics() {
    constexpr std::size_t kLeastBytes = 16;
    const std::string file = settings_.metrics_token_file.string();
    if (file.empty()) return {};
    TRY(const std::string token, secret_in(file, "The metrics' token file " + file));
    if (token.size() < kLeastBytes) {
      return fail(ErrorCode::invalid,
                  fmt::format("The metrics' token in {} must have at least {} characters.", file,
                              kLeastBytes));
    }
    const auto connections = [this] { return server_->connections(); };
    metrics_.emplace(
        Metrics::Sources{app_.catalog(), services_.task_runner, app_.pools(), app_.remote_access(),
                         app_.mount_backends(), connections,
                         [this] { return services_.events.streams(); }, services_.live_settings},
        token);
    metrics_->add_to(router_);
    return {};
  }

  Result<void> offer_setup(const ListenAddress& listen) {
    setup_link_.remove();
    TRY(const auto token, wait_for(services_.accounts.offer_setup()));
    if (!token) return {};
    const std::string link = SetupLink::at(listen, settings_, *token);
    spdlog::warn("there is no account yet: make the first one at {}", link);
    return setup_link_.write(link);
  }

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

  /// Or for another server's taking over.
  void wait_for_signal() {
    if (is_taken_over_) return;
    bool stop = false;
    signals_.async_wait([&stop](boost::system::error_code, int) { stop = true; });
    context_.restart();
    while (!stop) context_.run_one();
  }

  /// Serves on until a balancer has seen that this server is not ready, or another signal comes.
  void drain(http::Server& server) {
    if (settings_.drain_time.count() == 0 || is_taken_over_) return;
    spdlog::info("draining: /health/ready answers 503 for {} ms", settings_.drain_time.count());
    server.drain();
    bool is_over = false;
    asio::steady_timer limit(context_, settings_.drain_time);
    limit.async_wait([&is_over](boost::system::error_code error) { is_over |= !error; });
    signals_.async_wait([&is_over](boost::system::error_code, int) { is_over = true; });
    context_.restart();
    while (!is_over) context_.run_one();
    // Neither may call back later.
    limit.cancel();
    signals_.cancel();
    context_.restart();
    context_.poll();
  }

  /// Runs this thread's work for requests meanwhile. Interrupts tasks after the stop timeout, and
  /// ends connections to servers after it has passed again.
  bool stop(http::Server& server) {
    std::optional<bool> stopped;
    const std::jthread stopper([this, &server, &stopped] {
      auto commands =
          std::async(std::launch::async, [this] { return commands_.stop(settings_.stop_timeout); });
      const bool is_done = server.stop(settings_.stop_timeout);
      const bool all_done = commands.get() && is_done;
      asio::post(context_, [&stopped, all_done] { stopped = all_done; });
    });
    asio::steady_timer limit(context_, settings_.stop_timeout);
    limit.async_wait([this](boost::system::error_code error) {
      if (!error) services_.task_runner.interrupt_all();
    });
    asio::steady_timer last_limit(context_, 2 * settings_.stop_timeout);
    last_limit.async_wait([this](boost::system::error_code error) {
      if (!error) app_.end_remote_work();
    });
    context_.restart();
    const auto stays = asio::make_work_guard(context_);  // Without work it would end for good.
    while (!stopped) context_.run_one();
    return *stopped;
  }

  Result<void> wind_down() {
    is_ending_ = true;
    sweep_.cancel();
    rows_sweep_.cancel();
    memory_return_.cancel();
    events_check_.cancel();
    doubts_check_.cancel();
    runs_check_.cancel();
    other_events_check_.cancel();
    settings_check_.cancel();
    hang_up_.cancel();
    manager_.end();
    bool has_ended = wait_for(background_.join(settings_.stop_timeout));
    if (!has_ended) {
      services_.task_runner.interrupt_all();
      has_ended = wait_for(background_.join(settings_.stop_timeout));
    }
    app_.end_remote_work();
    auto flushed = wait_for(app_.catalog().keys().flush_uses());
    if (flushed) flushed = wait_for(app_.catalog().web_sessions().flush_uses());
    // If changes could not be recorded, such as those of a request that was cut off, this is an
    // unclean stop, and the next start counts the files.
    auto ended =
        has_ended && !are_cut_off_ ? wait_for(app_.catalog().ledger().end_run()) : Result<void>{};
    context_.run();  // Until no thread of a pool is still handing something over.
    return flushed ? ended : flushed;
  }

  const Settings& settings_;
  const std::size_t descriptors_;
  AppContext& app_;
  std::uint64_t audit_days_;
  bool is_taken_over_ = false;  ///< On the context's thread.
  bool clears_objects_ = false;
  bool owes_take_over_ = false;  ///< Of what a server left that died.
  bool owes_count_ = false;      ///< Of accounts with changes that are in doubt.
  bool are_cut_off_ = false;     ///< Requests, by the stop.
  bool is_stopping_ = false;     ///< The server may not be there any more.
  bool is_ending_ = false;
  asio::io_context context_{1};
  asio::signal_set signals_{context_, SIGINT, SIGTERM};  // From the start: none may be missed.
  asio::steady_timer sweep_{context_};
  asio::steady_timer rows_sweep_{context_};
  asio::steady_timer memory_return_{context_};
  asio::steady_timer events_check_{context_};
  asio::steady_timer runs_check_{context_};
  asio::steady_timer doubts_check_{context_};
  asio::steady_timer other_events_check_{context_};
  asio::steady_timer settings_check_{context_};
  asio::signal_set hang_up_{context_, SIGHUP};
  bool is_told_ = false;  ///< Since the last look at the settings, by that signal.
  ServiceManager manager_{context_, process_environment()};
  core::Background background_;
  ServerServices services_;
  const SetupLink setup_link_;
  moving::HomeMover home_mover_;
  const HomeRoutes home_routes_;
  http::Router router_;
  http::Server commands_;  ///< At the socket for commands.
  std::optional<Metrics> metrics_;
  std::unique_ptr<TlsCertificate> certificate_;  ///< Null without `tls_listen`.
  std::optional<RedirectServer> redirects_;
  http::Server* server_ = nullptr;  ///< While it serves.
};

}  // namespace

Result<void> run_until_stopped(const Settings& settings, LiveSettings::Load load, AppContext& app,
                               storage::Spool& spool) {
  Run run(settings, std::move(load), app, spool, raise_descriptor_limit());
  return run.serve();
}

}  // namespace coffer::app
