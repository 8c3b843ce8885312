#include "catalog/catalog.h"

#include <system_error>

#include "catalog/database.h"
#include "catalog/migrations.h"
#include "catalog/object_names.h"
#include "catalog/session.h"
#include "catalog/upload_segments.h"
#include "sql/connection.h"

namespace coffer::catalog {

class Catalog::Impl {
 public:
  explicit Impl(std::unique_ptr<Database> opened)
      : database(std::move(opened)),
        accounts(*database),
        audit(*database),
        bin(*database),
        file_locks(*database),
        groups(*database),
        home_moves(*database),
        identities(*database),
        parked_items(*database),
        ledger(*database),
        keys(*database),
        links(*database),
        web_sessions(*database),
        passkeys(*database),
        second_factors(*database),
        sign_in_failures(*database),
        sign_in_flows(*database, "sign_in_flows"),
        logout_tokens(*database, "logout_tokens"),
        folder_locks(*database),
        name_locks(*database),
        people_shares(*database),
        rights_marks(*database),
        run_watch(*database),
        selections(*database),
        setup(*database),
        scope_changes(*database),
        shares(*database),
        shared_events(*database),
        shared_work(*database),
        connectors(*database),
        mounts(*database),
        tasks(*database),
        uploads(*database, ledger),
        object_names(*database, ledger),
        upload_segments(*database) {}

  std::unique_ptr<Database> database;
  Accounts accounts;
  Audit audit;
  Bin bin;
  FileLocks file_locks;
  Groups groups;
  HomeMoves home_moves;
  Identities identities;
  ParkedItems parked_items;
  Ledger ledger;
  Keys keys;
  Links links;
  WebSessions web_sessions;
  Passkeys passkeys;
  SecondFactors second_factors;
  SignInFailures sign_in_failures;
  SpentHashes sign_in_flows;
  SpentHashes logout_tokens;
  PlaceLocks folder_locks;
  PlaceLocks name_locks;
  PeopleShares people_shares;
  RightsMarks rights_marks;
  RunWatch run_watch;
  Selections selections;
  Setup setup;
  ScopeChanges scope_changes;
  Shares shares;
  SharedEvents shared_events;
  SharedWork shared_work;
  Connectors connectors;
  CachedMounts mounts;
  Tasks tasks;
  Uploads uploads;
  ObjectNames object_names;
  UploadSegments upload_segments;
};

Result<bool> Catalog::is_there(const std::string& url) {
  TRY(const auto address, Address::parse(url));
  if (address.kind == Address::Kind::sqlite) {
    std::error_code error;
    const auto size = std::filesystem::file_size(address.target, error);
    return !error && size > 0;
  }
  try {
    const auto sql = open_session(address, Durability::synced);
    return has_schema(*sql);
  } catch (const sql::Failure& error) {
    return fail(ErrorCode::failed, describe(error, address));
  }
}

Result<std::unique_ptr<Catalog>> Catalog::open(const std::string& url) {
  return opened(Database::open(url));
}

Result<std::unique_ptr<Catalog>> Catalog::open_alone(const std::string& url,
                                                     const std::string& holder) {
  return opened(Database::open(url, Servers::none, holder));
}

Result<std::unique_ptr<Catalog>> Catalog::open_shared(const std::string& url,
                                                      const std::string& holder) {
  TRY(const auto address, Address::parse(url));
  if (address.kind == Address::Kind::sqlite) {
    return fail(ErrorCode::invalid, "Several servers need a catalog on PostgreSQL.");
  }
  return opened(Database::open(url, Servers::several, holder));
}

Result<std::unique_ptr<Catalog>> Catalog::opened(Result<std::unique_ptr<Database>> database) {
  TRY(auto connected, std::move(database));
  auto impl = std::make_unique<Impl>(std::move(connected));
  return std::unique_ptr<Catalog>(new Catalog(std::move(impl)));
}

Catalog::Catalog(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Catalog::~Catalog() = default;

void Catalog::on_taken_over(std::function<void()> stop) {
  impl_->database->on_taken_over(std::move(stop));
}

Accounts& Catalog::accounts() {
  return impl_->accounts;
}
Audit& Catalog::audit() {
  return impl_->audit;
}
Bin& Catalog::bin() {
  return impl_->bin;
}
FileLocks& Catalog::file_locks() {
  return impl_->file_locks;
}

Groups& Catalog::groups() {
  return impl_->groups;
}
HomeMoves& Catalog::home_moves() {
  return impl_->home_moves;
}
ParkedItems& Catalog::parked_items() {
  return impl_->parked_items;
}
Keys& Catalog::keys() {
  return impl_->keys;
}

Links& Catalog::links() {
  return impl_->links;
}
Passkeys& Catalog::passkeys() {
  return impl_->passkeys;
}

SecondFactors& Catalog::second_factors() {
  return impl_->second_factors;
}

WebSessions& Catalog::web_sessions() {
  return impl_->web_sessions;
}
Identities& Catalog::identities() {
  return impl_->identities;
}
SpentHashes& Catalog::sign_in_flows() {
  return impl_->sign_in_flows;
}
SpentHashes& Catalog::logout_tokens() {
  return impl_->logout_tokens;
}
SignInFailures& Catalog::sign_in_failures() {
  return impl_->sign_in_failures;
}
Selections& Catalog::selections() {
  return impl_->selections;
}
Setup& Catalog::setup() {
  return impl_->setup;
}
ScopeChanges& Catalog::scope_changes() {
  return impl_->scope_changes;
}
Ledger& Catalog::ledger() {
  return impl_->ledger;
}
Shares& Catalog::shares() {
  return impl_->shares;
}
SharedEvents& Catalog::shared_events() {
  return impl_->shared_events;
}
SharedWork& Catalog::shared_work() {
  return impl_->shared_work;
}
Connectors& Catalog::connectors() {
  return impl_->connectors;
}
CachedMounts& Catalog::mounts() {
  return impl_->mounts;
}
Tasks& Catalog::tasks() {
  return impl_->tasks;
}
PeopleShares& Catalog::people_shares() {
  return impl_->people_shares;
}
RightsMarks& Catalog::rights_marks() {
  return impl_->rights_marks;
}

PlaceLocks& Catalog::folder_locks() {
  return impl_->folder_locks;
}
PlaceLocks& Catalog::name_locks() {
  return impl_->name_locks;
}
RunWatch& Catalog::run_watch() {
  return impl_->run_watch;
}

ObjectNames& Catalog::object_names() {
  return impl_->object_names;
}
UploadSegments& Catalog::upload_segments() {
  return impl_->upload_segments;
}
Uploads& Catalog::uploads() {
  return impl_->uploads;
}

}  // namespace coffer::catalog
