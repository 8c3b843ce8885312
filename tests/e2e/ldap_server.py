"""OpenLDAP's slapd with a few people and groups, on a port and in a folder of its own. Its address is a number: libldap takes
the name localhost for that of the machine, which no certificate of the tests has."""

import os
import shutil
import subprocess

from remote_servers import free_port
from server import DIES_WITH_US, eventually

PROGRAM = shutil.which("slapd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/lib/openldap")
BASE = "dc=example,dc=org"
READER, READER_PASSWORD = f"cn=coffer,{BASE}", "the reader's secret"
PASSWORD = "a directory password, with @ and ü"

SETTINGS = """
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
pidfile {folder}/pid
argsfile {folder}/args
{tls}
database mdb
suffix "{base}"
rootdn "cn=root,{base}"
rootpw root
directory {folder}/db
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="{reader}" read by * none
overlay memberof
"""

ENTRIES = f"""dn: {BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: {READER}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: coffer
userPassword: {READER_PASSWORD}

dn: ou=people,{BASE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,{BASE}
objectClass: organizationalUnit
ou: groups

"""


def person(name, words="Ann Example", password=PASSWORD):
    return (f"dn: uid={name},ou=people,{BASE}\nobjectClass: inetOrgPerson\nuid: {name}\ncn: {words}\nsn: Example\n"
            f"userPassword: {password}\n\n")


def group(name, *members):
    lines = "".join(f"member: uid={member},ou=people,{BASE}\n" for member in members)
    return f"dn: cn={name},ou=groups,{BASE}\nobjectClass: groupOfNames\ncn: {name}\n{lines}\n"


class LdapServer:
    """`tls` is a certificate and its key; then it takes StartTLS, and speaks TLS at once on another port."""

    def __init__(self, folder, tls=None):
        assert PROGRAM, "no slapd: run script/setup first"
        self.folder = folder
        (folder / "db").mkdir(parents=True)
        words = f"TLSCertificateFile {tls[0]}\nTLSCertificateKeyFile {tls[1]}" if tls else ""
        (folder / "slapd.conf").write_text(SETTINGS.format(folder=folder, base=BASE, reader=READER, tls=words))
        self.tls, self.process = tls, None
        self.port, self.tls_port = free_port(), free_port()
        self.start()
        self.add(ENTRIES + person("ann") + person("bob", "Bob Example") + group("staff", "ann", "bob") + group("admins", "ann"))

    @property
    def url(self):
        return f"ldap://127.0.0.1:{self.port}"

    @property
    def tls_url(self):
        return f"ldaps://127.0.0.1:{self.tls_port}"

    def start(self):
        urls = self.url + (" " + self.tls_url if self.tls else "")
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([*DIES_WITH_US, PROGRAM, "-f", str(self.folder / "slapd.conf"), "-h", urls, "-d", "0"],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: self.run("ldapwhoami", check=False).returncode == 0, "slapd answers")

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def run(self, program, *words, stdin="", check=True):
        command = [program, "-x", "-H", self.url, "-D", f"cn=root,{BASE}", "-w", "root", *words]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stderr
        return done

    def add(self, entries):
        self.run("ldapadd", stdin=entries)

    def change(self, changes):
        self.run("ldapmodify", stdin=changes)

    def id_of(self, name):
        found = self.run("ldapsearch", "-LLL", "-b", BASE, f"(uid={name})", "entryUUID").stdout
        return found.partition("entryUUID: ")[2].strip()

    def settings(self, folder):
        secret = folder / "ldap-secret"
        secret.write_text(READER_PASSWORD + "\n")
        return {"ldap_url": self.url, "ldap_base": BASE, "ldap_bind_dn": READER, "ldap_bind_password_file": str(secret)}
