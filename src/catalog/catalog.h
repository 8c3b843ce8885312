#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "catalog/accounts.h"
#include "catalog/audit.h"
#include "catalog/bin.h"
#include "catalog/connectors.h"
#include "catalog/file_locks.h"
#include "catalog/groups.h"
#include "catalog/home_moves.h"
#include "catalog/identities.h"
#include "catalog/keys.h"
#include "catalog/ledger.h"
#include "catalog/links.h"
#include "catalog/mounts.h"
#include "catalog/parked_items.h"
#include "catalog/passkeys.h"
#include "catalog/people_shares.h"
#include "catalog/place_locks.h"
#include "catalog/rights_marks.h"
#include "catalog/run_watch.h"
#include "catalog/scope_changes.h"
#include "catalog/second_factors.h"
#include "catalog/selections.h"
#include "catalog/setup.h"
#include "catalog/shared_events.h"
#include "catalog/shared_work.h"
#include "catalog/shares.h"
#include "catalog/sign_in_failures.h"
#include "catalog/spent_hashes.h"
#include "catalog/tasks.h"
#include "catalog/uploads.h"
#include "catalog/web_sessions.h"

namespace coffer::catalog {

class Database;
class ObjectNames;
class UploadSegments;

/// Coffer's database, which holds everything except files: on SQLite or on PostgreSQL.
class Catalog {
 public:
  /// Returns true if there is a catalog at the address; changes nothing. `invalid` if the address
  /// is malformed; `failed`, with a message of one line, if PostgreSQL cannot be reached.
  static Result<bool> is_there(const std::string& url);
  /// Opens `sqlite:///absolute/file` or `postgresql://...` (a libpq connection URI), and makes or
  /// migrates the schema. Errors, with a message of one line:
  /// - `exists` if a running server uses an older schema;
  /// - `invalid` if the address is malformed;
  /// - `failed` if the database cannot be reached or is newer than this program.
  static Result<std::unique_ptr<Catalog>> open(const std::string& url);
  /// Takes the catalog's lock, which the returned object holds, and then opens the catalog like
  /// `open`. A server that is the only one calls this, and so do commands that must not run beside
  /// a server. `exists` if another process has the lock; the catalog is then unchanged. `holder`
  /// describes this process in the error messages of other processes (see `lock_holder`).
  static Result<std::unique_ptr<Catalog>> open_alone(const std::string& url,
                                                     const std::string& holder);
  /// Like `open_alone`, for a server that others use the catalog beside, which call this too.
  /// `invalid` on SQLite, which is for one server.
  static Result<std::unique_ptr<Catalog>> open_shared(const std::string& url,
                                                      const std::string& holder);
  ~Catalog();

  /// Sets the function that is called once, from any thread, when another server has taken over the
  /// catalog, or has ended this one's run. That can happen after the connection to PostgreSQL was
  /// lost. After it, all writes of this server fail. An empty function removes the current one.
  void on_taken_over(std::function<void()> stop);

  Accounts& accounts();
  Audit& audit();
  Bin& bin();
  FileLocks& file_locks();
  Groups& groups();
  HomeMoves& home_moves();
  Identities& identities();
  Keys& keys();
  Links& links();
  WebSessions& web_sessions();
  Passkeys& passkeys();
  SecondFactors& second_factors();
  SignInFailures& sign_in_failures();
  SpentHashes& sign_in_flows();  ///< States of sign-ins at a provider that were answered.
  SpentHashes& logout_tokens();  ///< Logout tokens of a provider that were obeyed.
  PeopleShares& people_shares();
  RightsMarks& rights_marks();
  PlaceLocks& folder_locks();  ///< See core::FolderLocks.
  PlaceLocks& name_locks();    ///< Of names on connectors' servers.
  RunWatch& run_watch();
  Selections& selections();
  Setup& setup();
  ScopeChanges& scope_changes();
  Ledger& ledger();
  Shares& shares();
  SharedEvents& shared_events();
  SharedWork& shared_work();
  Connectors& connectors();
  CachedMounts& mounts();
  ObjectNames& object_names();
  ParkedItems& parked_items();
  Tasks& tasks();
  Uploads& uploads();
  UploadSegments& upload_segments();

 private:
  class Impl;
  static Result<std::unique_ptr<Catalog>> opened(Result<std::unique_ptr<Database>> database);
  explicit Catalog(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace coffer::catalog
