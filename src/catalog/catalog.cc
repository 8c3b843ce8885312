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
        parked_items(*database),
        ledger(*database),
        keys(*database),
        links(*database),
        web_sessions(*database),
        sign_in_failures(*database),
        folder_locks(*database),
        name_locks(*database),
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
  ParkedItems parked_items;
  Ledger ledger;
  Keys keys;
  Links links;
  WebSessions web_sessions;
  SignInFailures sign_in_failures;
  PlaceLocks folder_locks;
  PlaceLocks name_locks;
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
ParkedItems& Catalog::parked_items() {
  return impl_->parked_items;
}
Keys& Catalog::keys() {
  return impl_->keys;
}

Links& Catalog::links() {
  return impl_->links;
}
WebSessions& Catalog::web_sessions() {
  return impl_->web_sessions;
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
