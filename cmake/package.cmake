# The Debian package, which script/release makes by CPack. `package_files` makes what the program itself tells: its manual page, its
# completions, a settings file with all settings, and the guide.
set(folder ${CMAKE_BINARY_DIR}/package)
file(CONFIGURE OUTPUT ${folder}/make_files CONTENT [[#!/bin/sh
set -eu
coffer="$1"
cd "$2"
"$coffer" manual | gzip -9n >coffer.1.gz
"$coffer" completion bash >coffer
"$coffer" completion zsh >_coffer
"$coffer" completion fish >coffer.fish
"$coffer" serve --print-template | sed 's|^# data = .*|data = "/var/lib/coffer"|' >coffer.toml
]] @ONLY)
add_custom_target(package_files
  COMMAND sh ${folder}/make_files $<TARGET_FILE:coffer> ${folder}
  COMMAND sh -c "gzip -9nc ${CMAKE_SOURCE_DIR}/CHANGELOG.md >NEWS.gz"
  COMMAND ${CMAKE_SOURCE_DIR}/script/release.d/guide.py ${folder}/guide
  DEPENDS coffer
  WORKING_DIRECTORY ${folder}
  VERBATIM)

set(deploy ${CMAKE_SOURCE_DIR}/deploy)
install(TARGETS coffer RUNTIME DESTINATION usr/bin)
install(FILES ${folder}/coffer.1.gz DESTINATION usr/share/man/man1)
install(FILES ${folder}/coffer DESTINATION usr/share/bash-completion/completions)
install(FILES ${folder}/_coffer DESTINATION usr/share/zsh/vendor-completions)
install(FILES ${folder}/coffer.fish DESTINATION usr/share/fish/vendor_completions.d)
install(FILES ${folder}/coffer.toml DESTINATION etc/coffer)
install(FILES ${folder}/changelog.gz ${folder}/NEWS.gz ${folder}/third-party-licences.gz ${deploy}/debian/copyright
  DESTINATION usr/share/doc/coffer)
install(DIRECTORY ${folder}/guide DESTINATION usr/share/doc/coffer)
install(DIRECTORY ${deploy}/proxies DESTINATION usr/share/doc/coffer/examples)
install(FILES ${deploy}/systemd/coffer.toml ${deploy}/systemd/haproxy.cfg DESTINATION usr/share/doc/coffer/examples/systemd)
install(FILES ${deploy}/systemd/coffer.service DESTINATION lib/systemd/system)
install(FILES ${deploy}/debian/coffer.sysusers DESTINATION usr/lib/sysusers.d RENAME coffer.conf)
install(FILES ${deploy}/debian/coffer.tmpfiles DESTINATION usr/lib/tmpfiles.d RENAME coffer.conf)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_CONTACT "Authors of Coffer <coffer@example.org>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_NAME coffer)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "self-hosted file manager over HTTP")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Each account sees one tree: its own files, within a quota, folders of the
server that were shared with it, and mounted FTP, SFTP, S3 and cloud drives.
People use it in a browser, devices by WebDAV, programs by two JSON
interfaces.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What is loaded when it is first needed is named here; dpkg-shlibdeps finds the rest.
set(CPACK_DEBIAN_PACKAGE_DEPENDS
  "ca-certificates, libcurl4, libfido2-1, libldap-2.5-0, libpq5, systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libvips-tools, rclone")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE ${folder}/conffiles "/etc/coffer/coffer.toml\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${folder}/conffiles ${deploy}/debian/postinst ${deploy}/debian/prerm ${deploy}/debian/postrm)
include(CPack)
