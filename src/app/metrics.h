#pragma once

#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/request_metrics.h"
#include "async/task.h"
#include "catalog/catalog.h"
#include "core/connectors/circuit_breaker.h"
#include "core/tasks/task_runner.h"
#include "core/tasks/work_pools.h"
#include "http/router.h"
#include "mounts/remote_access.h"

namespace coffer::app {

/// What the server does, in Prometheus' text format (its "exposition formats", version 0.0.4), for
/// those who show the token. Safe from any thread.
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
  };
  /// The sources outlive it.
  Metrics(Sources sources, const std::string& token);

  http::RequestObserver& requests() { return requests_; }
  /// Answers /metrics from now on.
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
