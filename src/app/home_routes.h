#pragma once

#include "api/services.h"
#include "catalog/catalog.h"
#include "http/router.h"
#include "mounts/account_homes.h"
#include "moving/home_mover.h"

namespace coffer::app {

/// Where the requests of `coffer home` are served: GET lists the stores of all accounts' own files.
inline constexpr std::string_view kHomesTarget = "/command/homes";
/// POST, with the parameters `account`, `to` and perhaps `dropVersions=true`, begins a move; GET
/// tells how far the last one is, and DELETE asks it to stop.
inline constexpr std::string_view kHomeMoveTarget = "/command/home-move";

/// What the routes of the command line for own files stand on.
struct HomeRoutes {
  api::Services& services;
  catalog::Catalog& catalog;
  mounts::AccountHomes& homes;
  moving::HomeMover* mover = nullptr;  ///< Null: nothing can be moved here.
};

/// Adds the routes, which answer only the command line: 404 for others. `routes` must outlive the
/// router.
void add_home_routes(http::Router& router, const HomeRoutes& routes);

}  // namespace coffer::app
