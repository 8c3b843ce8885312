#include "app/metrics.h"

#include <prometheus/text_serializer.h>
#include <sodium.h>

#include <chrono>
#include <mutex>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "core/keys/authenticator.h"
#include "http/problem.h"

namespace coffer::app {
namespace {

using core::ServerHealth;

http::Response refused() {
  auto response = http::problem_response(
      Error{ErrorCode::unauthenticated, "This takes the metrics' token: Authorization: Bearer …"});
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

/// From an answer out of memory to an upload that takes an hour.
const prometheus::Histogram::BucketBoundaries kSeconds{0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5,
                                                       1,      5,     10,    60,   600,  3600};

prometheus::Counter& counter(prometheus::Registry& registry, const std::string& name,
                             const std::string& help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

}  // namespace

RequestMetrics::RequestMetrics(prometheus::Registry& registry)
    : durations_(prometheus::BuildHistogram()
                     .Name("coffer_http_request_duration_seconds")
                     .Help("From a request's head to the last byte of its answer.")
                     .Register(registry)),
      received_bytes_(counter(registry, "coffer_http_received_bytes_total",
                              "Bytes of the bodies of requests.")),
      sent_bytes_(counter(registry, "coffer_http_sent_bytes_total", "Bytes of answers.")) {}

void RequestMetrics::note(const http::RequestFigures& figures) {
  const std::chrono::duration<double> took = figures.took;
  durations_of(figures).Observe(took.count());
  received_bytes_.Increment(static_cast<double>(figures.received_bytes));
  sent_bytes_.Increment(static_cast<double>(figures.sent_bytes));
}

prometheus::Histogram& RequestMetrics::durations_of(const http::RequestFigures& figures) {
  const auto key = std::tuple(figures.method, figures.pattern, figures.status);
  {
    const std::shared_lock lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return *found->second;
  }
  Kind kind{figures.method, figures.pattern, figures.status};
  const std::string route = figures.pattern.empty() ? "none" : std::get<1>(kind);
  prometheus::Histogram& made = durations_.Add(
      {{"method", std::get<0>(kind)}, {"route", route}, {"status", std::to_string(figures.status)}},
      kSeconds);
  const std::unique_lock lock(mutex_);
  return *known_.try_emplace(std::move(kind), &made).first->second;
}

Metrics::Metrics(Sources sources, const std::string& token)
    : sources_(std::move(sources)), token_hash_(core::hash_secret(token)), requests_(registry_) {}

void Metrics::add_to(http::Router& router) {
  router.set_error_format("/metrics", &http::problem_response, &http::problem_response);
  router.add(http::Method::get, "/metrics",
             [this](http::Request& request) { return answer(request); });
}

bool Metrics::shows_token(const http::Request& request) const {
  constexpr std::string_view kScheme = "bearer ";
  const auto shown = request.header("Authorization");
  // The scheme's name has no case (RFC 9110, section 11.1).
  if (!shown || to_lower(shown->substr(0, kScheme.size())) != kScheme) return false;
  const auto hash = core::hash_secret(shown->substr(kScheme.size()));
  return ::sodium_memcmp(hash.data(), token_hash_.data(), hash.size()) == 0;
}

Task<http::Response> Metrics::answer(const http::Request& request) {
  if (!shows_token(request)) co_return refused();
  look_at_work();
  co_await look_at_catalog();
  auto families = registry_.Collect();
  const auto connectors = co_await sources_.catalog.connectors().list_all();
  if (connectors && !connectors->empty()) {
    for (auto& family : connector_family(*connectors)) families.push_back(std::move(family));
  }
  http::Response response;
  response.headers.emplace_back("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.headers.emplace_back("Cache-Control", "no-store");
  response.body = prometheus::TextSerializer().Serialize(families);
  co_return response;
}

prometheus::Gauge& Metrics::gauge(const std::string& name, const std::string& help,
                                  const prometheus::Labels& labels) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry_).Add(labels);
}

void Metrics::look_at_work() {
  const auto set = [this](const std::string& name, const std::string& help, std::size_t running,
                          std::size_t waiting, prometheus::Labels labels) {
    labels["state"] = "running";
    gauge(name, help, labels).Set(static_cast<double>(running));
    labels["state"] = "waiting";
    gauge(name, help, labels).Set(static_cast<double>(waiting));
  };
  const auto set_pool = [&set](const std::string& pool, SharedThreads::Load load) {
    set("coffer_pool_calls",
        "Calls that block: brief ones of requests, lengthy ones of tasks, packing of archives, "
        "those to other servers.",
        load.running, load.waiting, {{"pool", pool}});
  };
  gauge("coffer_http_connections", "Connections, also those without a request under way.")
      .Set(static_cast<double>(sources_.connections()));
  gauge("coffer_event_streams", "Clients that are told what changes.")
      .Set(static_cast<double>(sources_.event_streams()));
  if (const auto certificate = sources_.server.certificate()) {
    const std::chrono::duration<double> at = certificate->expires_at.time_since_epoch();
    gauge("coffer_tls_certificate_expires_seconds",
          "When the certificate of tls_listen expires, in seconds since 1970.")
        .Set(at.count());
  }
  const auto tasks = sources_.tasks.counts();
  set("coffer_tasks", "Copies, moves and deletions that have not ended.", tasks.running,
      tasks.waiting, {});
  set_pool("brief", sources_.pools.brief_load());
  set_pool("lengthy", sources_.pools.lengthy_load());
  set_pool("packing", sources_.pools.packing_load());
  set_pool("servers", sources_.servers.load());
}

Task<void> Metrics::look_at_catalog() {
  const auto begun = std::chrono::steady_clock::now();
  const auto used = co_await sources_.catalog.ledger().total_used_bytes();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  gauge("coffer_catalog_up", "1 if the catalog answered just now, else 0.").Set(used ? 1 : 0);
  gauge("coffer_catalog_answer_seconds", "How long it took to.").Set(took.count());
  if (!used) co_return;
  gauge("coffer_storage_used_bytes", "Bytes in all accounts' own files.")
      .Set(static_cast<double>(*used));
}

/// By the connectors that there are now: one that was removed shows no more.
std::vector<prometheus::MetricFamily> Metrics::connector_family(
    const std::vector<catalog::Connector>& connectors) {
  prometheus::MetricFamily family;
  family.name = "coffer_connector_up";
  family.help = "1 if the server behind a connector did what it was last asked for, else 0.";
  family.type = prometheus::MetricType::Gauge;
  for (const catalog::Connector& connector : connectors) {
    const ServerHealth health = sources_.connectors.health_of(connector.id);
    if (health.state == ServerHealth::State::unknown) continue;
    prometheus::ClientMetric metric;
    metric.label = {{"connector", connector.id.value},
                    {"kind", std::string(to_string(connector.kind))}};
    metric.gauge.value = health.state == ServerHealth::State::works ? 1 : 0;
    family.metric.push_back(std::move(metric));
  }
  return {std::move(family)};
}

}  // namespace coffer::app
