#include "app/app_context.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/data_owner.h"
#include "app/unfinished_restore.h"
#include "async/run.h"
#include "base/disk.h"
#include "base/random.h"
#include "base/size_format.h"
#include "core/connectors/connector_service.h"
#include "mounts/connector_types.h"
#include "mounts/object_home_directories.h"

namespace coffer::app {
namespace {

namespace fs = std::filesystem;

Result<void> check_usable(const fs::path& folder) {
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) == 0) return {};
  const int error = errno;
  struct stat status{};
  if (error != EACCES || ::stat(folder.c_str(), &status) != 0) {
    return fail(ErrorCode::failed, fmt::format("The folder {} cannot be written to: {}.",
                                               folder.string(), std::strerror(error)));
  }
  return fail(
      ErrorCode::failed,
      fmt::format("The folder {0} belongs to the user {1}, and this program runs as {2}, who "
                  "may not write to it: as root, chown -R {2} {0}",
                  folder.string(), status.st_uid, ::geteuid()));
}

Result<void> make_usable(const fs::path& folder) {
  auto made = make_folder(folder);
  return made ? check_usable(folder) : made;
}

constexpr std::array kSweptFolders{"staging", "uploads",     "thumbnails",
                                   "drives",  "content-log", "content-log.read"};

/// `failed` if the start of a server would delete files in the folder that are not Coffer's.
Result<void> check_own(const fs::path& data) {
  std::error_code error;
  for (const char* mark : {"catalog.sqlite", "secret.key", "server.lock"}) {
    if (fs::exists(data / mark, error)) return {};
  }
  for (const char* name : kSweptFolders) {
    if (fs::directory_iterator(data / name, error) == fs::directory_iterator()) continue;
    return fail(ErrorCode::failed, fmt::format("{} is not a data folder of Coffer, which would "
                                               "delete what is in {}: choose an empty folder.",
                                               data.string(), (data / name).string()));
  }
  return {};
}

/// `failed` if a folder in which the server deletes or writes files is a link of another user: it
/// may lead to files of others. The server's user may put such a folder on another disk.
Result<void> check_links(const fs::path& data) {
  std::vector<const char*> names(kSweptFolders.begin(), kSweptFolders.end());
  names.insert(names.end(), {"files", "recovered"});
  for (const char* name : names) {
    struct stat status{};
    if (::lstat((data / name).c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) continue;
    if (status.st_uid == 0 || status.st_uid == ::geteuid()) continue;
    return fail(ErrorCode::failed, fmt::format("{} is a link that another user made: remove it.",
                                               (data / name).string()));
  }
  return {};
}

Result<void> prepare_data(const fs::path& data) {
  TRY_VOID(check_restored(data));
  TRY_VOID(check_own(data));
  TRY_VOID(check_links(data));
  for (const auto& folder : {data, data / "staging"}) {
    TRY_VOID(make_usable(folder));
  }
  return {};
}

/// Makes the folder if no files are stored; otherwise its volume may not be mounted.
Result<void> prepare_homes(const fs::path& files, catalog::Catalog& catalog,
                           HomeStore store_of_old_accounts) {
  std::error_code error;
  if (fs::status(files, error).type() != fs::file_type::not_found) return make_usable(files);
  TRY(const auto accounts, run(catalog.accounts().list()));
  std::uint64_t stored_bytes = 0;
  for (const catalog::Account& account : accounts) {
    if (account.home_store.value_or(store_of_old_accounts) != HomeStore::files) continue;
    TRY(const auto usage, run(catalog.ledger().usage(account.id)));
    stored_bytes += usage.used_bytes;
  }
  if (stored_bytes == 0) return make_usable(files);
  return fail(ErrorCode::failed,
              fmt::format("The folder {} is missing although accounts have {} in it: mount or "
                          "restore it, or make it by hand if the files are gone for good.",
                          files.string(), format_size(stored_bytes)));
}

mounts::ObjectStoreOptions object_store_options(const Settings& settings) {
  return {.endpoint = settings.objects_endpoint,
          .bucket = settings.objects_bucket,
          .region = settings.objects_region,
          .path_style = settings.objects_path_style,
          .credentials_file = settings.objects_credentials_file};
}

constexpr std::string_view kCommandHolder = "a command of coffer";
/// The facts of the catalog that all servers have the same key, where the own files of accounts lie
/// that have no note of it, where the last server had those of new accounts, which mark the bucket
/// of objects has, and which it is to get.
constexpr const char* kKeyFact = "secret_key";
constexpr const char* kHomeStoreFact = "home_store";
constexpr const char* kNewHomeStoreFact = "new_home_store";
constexpr const char* kBucketFact = "bucket";
constexpr const char* kNewBucketFact = "new_bucket";

/// The bucket has the mark of the catalog, which servers agree on before the first of them puts it
/// there. Another bucket, or one of another catalog, has not.
mounts::BucketClaim bucket_claim(catalog::SharedWork& shared) {
  using Mark = mounts::BucketClaim::Mark;
  constexpr std::size_t kMarkBytes = 16;
  return {.mark = [&shared]() -> Result<Mark> {
            TRY(auto known, run(shared.known(kBucketFact)));
            if (known) return Mark{*std::move(known), true};
            TRY(auto wanted, run(shared.agree_on(kNewBucketFact, random_hex(kMarkBytes))));
            return Mark{std::move(wanted), false};
          },
          .note_taken = [&shared](const Mark& mark) -> Result<void> {
            TRY([[maybe_unused]] const auto agreed, run(shared.agree_on(kBucketFact, mark.text)));
            return {};
          }};
}

/// A catalog of earlier versions has no fact: then they are files, if any were ever stored.
Result<HomeStore> store_of_old_accounts(const Settings& settings, catalog::Catalog& catalog) {
  TRY(const auto known, run(catalog.shared_work().known(kHomeStoreFact)));
  if (known) return enum_from<HomeStore>(*known).value_or(HomeStore::files);
  TRY(const auto used, run(catalog.ledger().total_used_bytes()));
  return used == 0 ? settings.home_store : HomeStore::files;
}

/// A command may have other settings than the server.
Result<HomeStore> store_of_new_accounts(const Settings& settings, catalog::Catalog& catalog) {
  TRY(const auto known, run(catalog.shared_work().known(kNewHomeStoreFact)));
  return known ? enum_from<HomeStore>(*known).value_or(settings.home_store) : settings.home_store;
}

/// How many accounts have their own files in each store.
Result<std::map<HomeStore, std::uint64_t>> count_homes(catalog::Catalog& catalog,
                                                       HomeStore store_of_old_accounts) {
  TRY(const auto stores, run(catalog.accounts().home_stores()));
  std::map<HomeStore, std::uint64_t> counts;
  for (const auto& [store, count] : stores) {
    counts[store.value_or(store_of_old_accounts)] += count;
  }
  return counts;
}

/// `invalid` if own files of accounts are objects, and the settings do not say where.
Result<void> check_objects_are_there(const Settings& settings, std::uint64_t accounts) {
  if (accounts == 0 || !settings.objects_endpoint.empty()) return {};
  return fail(ErrorCode::invalid,
              fmt::format("The own files of {} account{} lie in a store of objects: set "
                          "objects_endpoint and objects_bucket, or give the settings file with "
                          "--config.",
                          accounts, accounts == 1 ? "" : "s"));
}

/// `invalid` if several servers are to serve files that one machine has.
Result<void> check_none_on_disk(catalog::Catalog& catalog, HomeStore store_of_old_accounts) {
  TRY(const auto accounts, run(catalog.accounts().list()));
  const auto is_on_disk = [&](const catalog::Account& account) {
    return account.home_store.value_or(store_of_old_accounts) == HomeStore::files;
  };
  const auto first = std::ranges::find_if(accounts, is_on_disk);
  if (first == accounts.end()) return {};
  const auto count = std::ranges::count_if(accounts, is_on_disk);
  return fail(ErrorCode::invalid,
              fmt::format("Several servers need all own files in a store of objects, and those of "
                          "{} account{} lie on one machine, such as those of {}: start one server "
                          "there without `servers`, and run `coffer home move --all --to objects`.",
                          count, count == 1 ? "" : "s", first->name));
}

/// Uploads that began while one server was alone go on at that server.
Result<void> warn_of_uploads_on_disks(catalog::Catalog& catalog) {
  TRY(const auto uploads, run(catalog.uploads().count_on_disks()));
  if (uploads > 0) {
    spdlog::warn(
        "{} unfinished upload{} lie{} on the disk of the server that received them while it was "
        "alone: only that one goes on with them, and others answer 503",
        uploads, uploads == 1 ? "" : "s", uploads == 1 ? "s" : "");
  }
  return {};
}

/// Takes the lock on the data folder as `holder`. Waits for commands, which have it for a moment;
/// `exists`, naming the holder, if a server has it.
Result<LockFile> lock_data_folder(const fs::path& data, const std::string& holder) {
  constexpr std::chrono::milliseconds kPause{10};
  const auto file = data / "server.lock";
  LockPatience patience(std::chrono::steady_clock::now());
  for (;;) {
    TRY(auto lock, LockFile::take(file, LockFile::Mode::alone, holder));
    if (lock) return *std::move(lock);
    const std::string other = LockFile::holder_of(file);
    if (!patience.waits_for(other, std::chrono::steady_clock::now())) {
      const std::string_view use =
          LockPatience::is_command(other) ? "command uses" : "server runs on";
      return fail(ErrorCode::exists,
                  fmt::format("Another {} the data folder {}: {}.", use, data.string(), other));
    }
    std::this_thread::sleep_for(kPause);
  }
}

std::unexpected<Error> no_data(const Settings& settings) {
  return fail(ErrorCode::not_found,
              fmt::format("There is no data of Coffer in {}: `coffer account add` and `coffer "
                          "serve` make a data folder.",
                          settings.data.string()));
}

std::unexpected<Error> cannot_key(std::string_view what, const fs::path& file) {
  return fail(ErrorCode::failed, fmt::format("The key file {} cannot be {}: {}.", file.string(),
                                             what, std::strerror(errno)));
}

/// Writes another file and links it, so that no process reads half of a key. Another process may
/// be first.
Result<void> make_key_file(const fs::path& file) {
  const auto key = core::Sealer::make_key();
  const std::string part = file.string() + '.' + random_hex(8);
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return cannot_key("made", file);
  const bool is_written = ::write(descriptor, key.data(), key.size()) == ssize_t(key.size()) &&
                          ::fsync(descriptor) == 0;
  ::close(descriptor);
  const bool is_linked = is_written && (::link(part.c_str(), file.c_str()) == 0 || errno == EEXIST);
  const bool is_made = is_linked && sync_folder(file.parent_path());
  const int error = errno;
  ::unlink(part.c_str());
  errno = error;
  if (!is_made) return cannot_key("made", file);
  return {};
}

/// Reads the key that seals connectors' secrets. `not_found` if the file is missing, `failed` if it
/// cannot be read, has another size, or others may read it.
Result<core::Sealer::Key> read_secret_key(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) {
    return fail(ErrorCode::not_found, fmt::format("The key file {} is missing.", file.string()));
  }
  if (descriptor < 0) return cannot_key("read", file);
  struct stat status{};
  core::Sealer::Key key{};
  const bool is_known = ::fstat(descriptor, &status) == 0;
  const auto count = ::read(descriptor, key.data(), key.size());
  ::close(descriptor);
  if (!is_known || count < 0) return cannot_key("read", file);
  if (status.st_size != off_t(key.size()) || count != ssize_t(key.size())) {
    return fail(ErrorCode::failed, fmt::format("The key file {} is damaged: it must have {} "
                                               "bytes and has {}.",
                                               file.string(), key.size(), status.st_size));
  }
  if ((status.st_mode & 077) != 0) {
    return fail(
        ErrorCode::failed,
        fmt::format("The key file {} must not be open to others: chmod 600 it.", file.string()));
  }
  return key;
}

/// Makes the key's file (0600) with a random key.
Result<core::Sealer::Key> make_secret_key(const fs::path& file) {
  TRY_VOID(make_key_file(file));
  return read_secret_key(file);
}

/// Reads the key, or makes it if no secret was sealed yet; `not_found` if it is missing although
/// secrets were sealed.
Result<core::Sealer::Key> secret_key_for(catalog::Catalog& catalog, const fs::path& file) {
  auto key = read_secret_key(file);
  if (key || key.error().code != ErrorCode::not_found) return key;
  TRY(const auto connectors, run(catalog.connectors().list_all()));
  const auto sealed = std::ranges::count_if(
      connectors, [](const catalog::Connector& one) { return !one.sealed_secret.empty(); });
  TRY(const auto totp, run(catalog.second_factors().count_totp()));
  if (sealed == 0 && totp == 0) return make_secret_key(file);
  return fail(ErrorCode::not_found,
              fmt::format("The key file {} is missing, and with it the secrets of connectors ({}) "
                          "and authenticators ({}) cannot be read: put the file back from a "
                          "backup, or remove these with `coffer connector remove` and `coffer "
                          "account second-factor remove`.",
                          file.string(), sealed, totp));
}

}  // namespace

bool LockPatience::is_command(std::string_view holder) {
  return holder.starts_with(kCommandHolder);
}

bool LockPatience::waits_for(std::string_view holder, Instant now) {
  constexpr std::chrono::seconds kWithCommands{10};
  constexpr std::chrono::milliseconds kWithOthers{200};
  if (now - begin_ > kWithCommands) return false;
  if (is_command(holder)) {
    other_since_.reset();
    return true;
  }
  if (!other_since_) other_since_ = now;
  return now - *other_since_ <= kWithOthers;
}

AppContext::AppContext(const Settings& settings, std::unique_ptr<core::WorkPools> pools,
                       std::unique_ptr<local::LocalStore> store,
                       const Result<core::Sealer::Key>& key,
                       std::unique_ptr<catalog::Catalog> catalog,
                       std::optional<mounts::ObjectStore> object_store, const HomeStores& stores)
    : pools_(std::move(pools)),
      store_(std::move(store)),
      has_secret_key_(key ? Result<void>() : failure_of(key)),
      sealer_(key ? std::optional(*key) : std::nullopt),
      catalog_(std::move(catalog)),
      object_store_(std::move(object_store)),
      homes_(open_homes(settings, stores)),
      drive_providers_([this](mounts::EngineUser user) { return remote_access_.begin_calls(user); },
                       settings.private_connectors),
      connector_types_(mounts::connector_types(
          {remote_access_, drive_providers_, *pools_, sealer_,
           [this](const catalog::Connector& connector, const std::string& token) {
             tokens_.keep(connector, token);
           }})),
      tokens_([this](const catalog::Connector& connector, const std::string& token) {
        return keep_token(connector, token);
      }),
      remote_access_(settings.private_connectors, settings.data / "drives", catalog_->name_locks()),
      mount_backends_(settings.data, settings.durability == Durability::durable, connector_types_,
                      sealer_, *store_, *pools_, catalog_->shared_work()),
      mounts_(catalog_->mounts(), mount_backends_, *homes_) {}

std::unique_ptr<mounts::AccountHomes> AppContext::open_homes(const Settings& settings,
                                                             const HomeStores& stores) {
  const bool is_durable = settings.durability == Durability::durable;
  local_homes_ =
      std::make_unique<mounts::LocalHomeDirectories>(settings.data, is_durable, *store_, *pools_);
  std::unique_ptr<mounts::ObjectHomeDirectories> objects;
  if (object_store_) {
    objects = std::make_unique<mounts::ObjectHomeDirectories>(catalog_->object_names(),
                                                              *object_store_->blobs);
  }
  return std::make_unique<mounts::AccountHomes>(
      mounts::AccountHomes::Stores{.files = *local_homes_,
                                   .objects = std::move(objects),
                                   .of_new_accounts = stores.of_new_accounts,
                                   .of_old_accounts = stores.of_old_accounts});
}

Result<void> AppContext::prepare_files(const Settings& settings) {
  TRY(const HomeStore old_store, store_of_old_accounts(settings, *catalog_));
  return prepare_homes(settings.data / "files", *catalog_, old_store);
}

Result<void> AppContext::keep_token(const catalog::Connector& connector, const std::string& token) {
  core::ConnectorService service(*catalog_, mount_backends_, connector_types_, sealer_, true);
  return run(service.keep_token(connector, token));
}

Result<void> AppContext::find_data(const Settings& settings) {
  TRY_VOID(become_owner_of(settings.data));
  std::error_code error;
  const auto type = fs::status(settings.data, error).type();
  if (type == fs::file_type::not_found) return no_data(settings);
  if (type == fs::file_type::none) {
    return fail(ErrorCode::failed, fmt::format("The data folder {} cannot be read: {}.",
                                               settings.data.string(), error.message()));
  }
  if (type != fs::file_type::directory) {
    return fail(ErrorCode::failed, fmt::format("{} is not a folder.", settings.data.string()));
  }
  TRY_VOID(check_restored(settings.data));
  TRY(const auto found, catalog::Catalog::is_there(settings.database_url()));
  return found ? Result<void>() : no_data(settings);
}

Result<std::unique_ptr<AppContext>> AppContext::with_catalog(
    const Settings& settings, std::size_t pool_threads, std::unique_ptr<catalog::Catalog> catalog,
    Recovery recovery, HomeStore of_new_accounts) {
  // Without this, a process that gave up root's rights does not own its files in /proc, by which
  // the store links files. Only now: what a client reads from a terminal is nobody else's.
  if (::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) return fail(ErrorCode::failed, "prctl failed.");
  TRY(const HomeStore old_store, store_of_old_accounts(settings, *catalog));
  TRY(auto homes, count_homes(*catalog, old_store));
  TRY_VOID(check_objects_are_there(settings, homes[HomeStore::objects]));
  std::optional<mounts::ObjectStore> object_store;
  if (of_new_accounts == HomeStore::objects || !settings.objects_endpoint.empty()) {
    TRY(object_store, mounts::open_object_store(object_store_options(settings),
                                                bucket_claim(catalog->shared_work())));
  }
  if (of_new_accounts == HomeStore::files || homes[HomeStore::files] > 0) {
    TRY_VOID(prepare_homes(settings.data / "files", *catalog, old_store));
  }
  const auto key = secret_key_for(*catalog, settings.data / "secret.key");
  if (!key && key.error().code != ErrorCode::not_found) return failure_of(key);
  auto pools = std::make_unique<core::WorkPools>(pool_threads);
  Pool& common = pools->common();
  local::StoreOptions local_options;
  local_options.data = settings.data;
  local_options.recovers = recovery == Recovery::yes;
  TRY(auto store, local::LocalStore::open(std::move(local_options), common));
  return std::unique_ptr<AppContext>(
      new AppContext(settings, std::move(pools), std::move(store), key, std::move(catalog),
                     std::move(object_store), HomeStores{of_new_accounts, old_store}));
}

Result<std::unique_ptr<AppContext>> AppContext::open(const Settings& settings,
                                                     std::size_t pool_threads, IfMissing missing) {
  TRY_VOID(missing == IfMissing::make ? become_owner_of(settings.data) : find_data(settings));
  TRY_VOID(prepare_data(settings.data));
  const std::string url = settings.database_url();
  if (!url.starts_with("sqlite:")) {
    TRY(auto catalog, catalog::Catalog::open(url));
    TRY(const HomeStore of_new, store_of_new_accounts(settings, *catalog));
    return with_catalog(settings, pool_threads, std::move(catalog), Recovery::no, of_new);
  }
  const std::string holder = lock_holder(kCommandHolder);
  TRY(auto lock, lock_data_folder(settings.data, holder));
  auto catalog = catalog::Catalog::open_alone(url, holder);
  if (!catalog && catalog.error().code == ErrorCode::exists) {
    // A server of another data folder has it, which no request can be sent to.
    return fail(ErrorCode::failed, catalog.error().message);
  }
  if (!catalog) return failure_of(std::move(catalog));
  TRY(const HomeStore of_new, store_of_new_accounts(settings, **catalog));
  TRY(auto app, with_catalog(settings, pool_threads, *std::move(catalog), Recovery::no, of_new));
  app->lock_.emplace(std::move(lock));
  return app;
}

Result<std::unique_ptr<AppContext>> AppContext::open_beside(const Settings& settings,
                                                            std::size_t pool_threads) {
  TRY_VOID(find_data(settings));
  TRY_VOID(prepare_data(settings.data));
  TRY(auto catalog, catalog::Catalog::open(settings.database_url()));
  TRY(const HomeStore of_new, store_of_new_accounts(settings, *catalog));
  return with_catalog(settings, pool_threads, std::move(catalog), Recovery::no, of_new);
}

Result<std::unique_ptr<AppContext>> AppContext::open_alone(const Settings& settings,
                                                           std::size_t pool_threads,
                                                           std::string_view command) {
  const std::string holder = lock_holder(command);
  TRY_VOID(prepare_data(settings.data));
  TRY(auto lock, lock_data_folder(settings.data, holder));
  TRY(auto catalog, catalog::Catalog::open_alone(settings.database_url(), holder));
  TRY(const HomeStore of_new, store_of_new_accounts(settings, *catalog));
  TRY(auto app, with_catalog(settings, pool_threads, std::move(catalog), Recovery::yes, of_new));
  app->lock_.emplace(std::move(lock));
  return app;
}

Result<std::unique_ptr<AppContext>> AppContext::open_server(const Settings& settings,
                                                            std::size_t pool_threads) {
  const std::string holder = lock_holder("coffer serve");
  if (settings.servers == ServerCount::several && settings.home_store != HomeStore::objects) {
    return fail(
        ErrorCode::invalid,
        "Several servers need the accounts' own files in an object store: set home_store to "
        "\"objects\".");
  }
  TRY_VOID(prepare_data(settings.data));
  TRY(auto lock, lock_data_folder(settings.data, holder));
  const auto open = settings.servers == ServerCount::one ? catalog::Catalog::open_alone
                                                         : catalog::Catalog::open_shared;
  TRY(auto catalog, open(settings.database_url(), holder));
  TRY(const HomeStore old_store, store_of_old_accounts(settings, *catalog));
  if (settings.servers == ServerCount::several) {
    TRY_VOID(check_none_on_disk(*catalog, old_store));
    TRY_VOID(warn_of_uploads_on_disks(*catalog));
  }
  TRY(auto app,
      with_catalog(settings, pool_threads, std::move(catalog), Recovery::yes, settings.home_store));
  app->lock_.emplace(std::move(lock));
  TRY_VOID(app->agree_on_key(settings));
  if (app->object_store_) TRY_VOID(app->object_store_->check());
  TRY([[maybe_unused]] const auto agreed,
      run(app->catalog().shared_work().agree_on(kHomeStoreFact, std::string(word_of(old_store)))));
  TRY_VOID(run(app->catalog().shared_work().set(kNewHomeStoreFact,
                                                std::string(word_of(settings.home_store)))));
  return app;
}

void AppContext::end_remote_work() {
  remote_access_.end();
  if (object_store_) object_store_->end();
}

/// What one server seals, all must open.
Result<void> AppContext::agree_on_key(const Settings& settings) {
  TRY_VOID(has_secret_key());
  catalog::SharedWork& shared = catalog_->shared_work();
  const std::string fingerprint = sealer_.fingerprint();
  if (settings.servers == ServerCount::one) {
    TRY(const auto known, run(shared.known(kKeyFact)));
    if (known && *known != fingerprint) {
      spdlog::warn(
          "the key file is another than at the last start: what was sealed with that one cannot be "
          "read, which are secrets of connectors, authenticators and recovery codes, and addresses "
          "of links");
    }
    return run(shared.set(kKeyFact, fingerprint));
  }
  TRY(const auto agreed, run(shared.agree_on(kKeyFact, fingerprint)));
  if (agreed == fingerprint) return {};
  return fail(ErrorCode::failed,
              fmt::format("The key file {} is not that of the other servers on this catalog: copy "
                          "secret.key from the data folder of one of them.",
                          (settings.data / "secret.key").string()));
}

Result<std::string> AppContext::id_of_data(const Settings& settings) {
  constexpr std::size_t kDigits = 32;
  const fs::path file = settings.data / "folder-id";
  std::string id;
  if (std::ifstream(file) >> id && id.size() == kDigits) return id;
  id = random_hex(kDigits / 2);
  std::ofstream out(file);
  out << id << '\n';
  out.close();
  if (out) return id;
  return fail(ErrorCode::failed, fmt::format("The file {} cannot be written.", file.string()));
}

}  // namespace coffer::app
