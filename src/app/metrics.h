#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <vector>

#include "async/task.h"
#include "catalog/catalog.h"
#include "core/connectors/circuit_breaker.h"
#include "core/server_state.h"
#include "core/tasks/task_runner.h"
#include "core/tasks/work_pools.h"
#include "http/router.h"
#include "http/server_options.h"
#include "mounts/remote_access.h"

namespace coffer::app {

/// Measures the durations of requests by route, method and status, and counts the bytes of all
/// requests' bodies and of all responses. Safe from any thread.
class RequestMetrics final : public http::RequestObserver {
 public:
  /// The registry must outlive the object.
  explicit RequestMetrics(prometheus::Registry& registry);

  void note(const http::RequestFigures& figures) override;

 private:
  /// Method, route and status.
  using Kind = std::tuple<std::string, std::string, unsigned>;
  prometheus::Histogram& durations_of(const http::RequestFigures& figures);

  prometheus::Family<prometheus::Histogram>& durations_;
  prometheus::Counter& received_bytes_;
  prometheus::Counter& sent_bytes_;
  std::shared_mutex mutex_;
  std::map<Kind, prometheus::Histogram*, std::less<>> known_;
};

/// Answers requests for /metrics in the text format of Prometheus (version 0.0.4 of its "exposition
/// formats"). Answers with 401 if the bearer token of the request is not the `token` that the
/// constructor received. Safe from any thread.
class Metrics {
 public:
  struct Sources {
    catalog::Catalog& catalog;
    core::TaskRunner& tasks;
    core::WorkPools& pools;
    const mounts::RemoteAccess& servers;
    core::ConnectorHealth& connectors;
    std::function<std::size_t()> connections;
    std::function<std::size_t()> event_streams;
    const core::ServerState& server;
  };
  /// The sources must outlive the object.
  Metrics(Sources sources, const std::string& token);

  http::RequestObserver& requests() { return requests_; }
  void add_to(http::Router& router);

 private:
  Task<http::Response> answer(const http::Request& request);
  bool shows_token(const http::Request& request) const;
  prometheus::Gauge& gauge(const std::string& name, const std::string& help,
                           const prometheus::Labels& labels = {});
  void look_at_work();
  Task<void> look_at_catalog();
  std::vector<prometheus::MetricFamily> connector_family(
      const std::vector<catalog::Connector>& connectors);

  const Sources sources_;
  const catalog::SecretHash token_hash_;
  prometheus::Registry registry_;
  RequestMetrics requests_;
};

}  // namespace coffer::app
