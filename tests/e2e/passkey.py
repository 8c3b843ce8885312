"""A passkey in software, on P-256: what an authenticator and a browser would make of the server's options."""

import base64
import hashlib
import json
import os
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, BACKED_UP, ATTESTED = 0x01, 0x04, 0x18, 0x40


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Passkey:
    def __init__(self, origin="https://files.example.org", rp_id="files.example.org", is_verified=True, counter=0):
        self.origin, self.rp_id, self.is_verified, self.counter = origin, rp_id, is_verified, counter
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(16)
        self.user = None

    def _head(self, flags):
        flags |= PRESENT | (VERIFIED if self.is_verified else 0)
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([flags]) + struct.pack(">I", self.counter)

    def _client_data(self, kind, options):
        return json.dumps({"type": f"webauthn.{kind}", "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}).encode()

    def made(self, options):
        """The answer of navigator.credentials.create()."""
        assert {"type": "public-key", "alg": -7} in options["pubKeyCredParams"]
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20" + numbers.x.to_bytes(32, "big") + b"\x22\x58\x20" + numbers.y.to_bytes(32, "big")
        data = self._head(ATTESTED | BACKED_UP) + bytes(16) + struct.pack(">H", len(self.id)) + self.id + key
        return {"type": "public-key", "id": text(self.id), "rawId": text(self.id), "authenticatorAttachment": "platform",
                "clientExtensionResults": {}, "response": {"clientDataJSON": text(self._client_data("create", options)),
                                                           "authenticatorData": text(data), "transports": ["internal", "hybrid"]}}

    def shown(self, options):
        """The answer of navigator.credentials.get()."""
        client_data = self._client_data("get", options)
        data = self._head(BACKED_UP)
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        return {"type": "public-key", "id": text(self.id), "rawId": text(self.id), "authenticatorAttachment": "platform",
                "clientExtensionResults": {}, "response": {"clientDataJSON": text(client_data), "authenticatorData": text(data),
                                                           "signature": text(signature), "userHandle": self.user}}
