#include "app/ldap_directory.h"

#include <stdexcept>
#include <utility>
#include <variant>

#include "app/counted_call.h"

namespace coffer::app {
template <class T, class Work>
Task<Result<T>> LdapDirectory::ask(Work work) {
  const CountedCall counted(waiting_);
  if (counted.before() >= kMostWaiting) {
    co_return fail(ErrorCode::overloaded, "Too many sign-ins wait for the directory.");
  }
  auto guarded = [&work]() -> Result<T> {
    try {
      return work();
    } catch (const std::runtime_error& error) {  // libldap is missing.
      return fail(ErrorCode::unavailable, error.what());
    }
  };
  co_return co_await pool_.run(std::move(guarded));
}

Task<Result<std::optional<core::ProvidedPerson>>> LdapDirectory::check(std::string name,
                                                                       std::string password) {
  auto work = [&] { return directory_.check(name, password); };
  CO_TRY(auto found, co_await ask<std::optional<ldap::DirectoryPerson>>(std::move(work)));
  if (!found) co_return std::nullopt;
  co_return std::optional(to_core(*std::move(found), name));
}

core::ProvidedPerson LdapDirectory::to_core(ldap::DirectoryPerson found,
                                            const std::string& name) const {
  core::ProvidedPerson person;
  person.identity = {issuer_, std::move(found.id)};
  person.name = found.name.empty() ? name : std::move(found.name);
  person.display_name = std::move(found.display_name);
  person.groups = std::move(found.groups);
  return person;
}

Task<Result<bool>> LdapDirectory::check_subject(std::string subject, std::string password) {
  auto work = [&] { return directory_.check_id(subject, password); };
  co_return co_await ask<bool>(std::move(work));
}

core::DirectoryProbe LdapDirectory::probe_now(const std::optional<std::string>& name) const {
  using Nothing = std::monostate;
  const auto without_value = [](const Result<void>& done) -> Result<Nothing> {
    if (!done) return failure_of(done);
    return Nothing();
  };
  Nothing nothing;
  core::DirectoryProbe probe;
  ldap::DirectoryVisit visit(directory_);
  probe.bind = core::probe_step(nothing, [&] { return without_value(visit.bind()); });
  if (probe.bind.error) return probe;
  probe.base = core::probe_step(nothing, [&] { return without_value(visit.find_base()); });
  if (probe.base->error || !name) return probe;
  std::optional<ldap::DirectoryPerson> found;
  probe.search = core::probe_step(found, [&] { return visit.find(*name); });
  if (found) probe.person = to_core(*std::move(found), *name);
  return probe;
}

Task<Result<core::DirectoryProbe>> LdapDirectory::probe(std::optional<std::string> name) {
  auto work = [&] { return Result<core::DirectoryProbe>(probe_now(name)); };
  auto probed = co_await ask<core::DirectoryProbe>(std::move(work));
  if (probed || probed.error().code != ErrorCode::unavailable) co_return probed;
  core::DirectoryProbe without_library;
  without_library.bind.error = probed.error();
  co_return without_library;
}

}  // namespace coffer::app
