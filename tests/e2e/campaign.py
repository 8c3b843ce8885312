"""A caller that changes a place of its own at random, and knows every state that its place may be in after a crash.

A state is the tree by paths as a client names them (the content of a file, None for a folder) and the folders that keys
are limited to (None for a key that is revoked). A change tells the states that a crash may leave, of which the last is
the one that the server's answer promises.
"""

import re

import requests

from client import form

SIZES = (0, 1, 700, 20_000, 20_000, 90_000) * 5 + (400_000,) * 6 + (3_000_000,) * 3 + (34_000_000,)
MOST_ITEMS = 30


class State:
    def __init__(self, tree, keys):
        self.tree, self.keys = tree, keys

    def copy(self):
        return State(dict(self.tree), dict(self.keys))

    def below(self, path):
        return [name for name in self.tree if name == path or name.startswith(path + "/")]

    def with_item(self, path, content):
        after = self.copy()
        after.tree[path] = content
        return after

    def with_moved(self, path, to):
        after = self.with_copied(path, to)
        after.keys = {key: to + folder[len(path):] if within(folder, path) else folder
                      for key, folder in self.keys.items()}
        return after.without(path)

    def with_copied(self, path, to):
        after = self.copy()
        after.tree.update({to + name[len(path):]: self.tree[name] for name in self.below(path)})
        return after

    def without(self, path):
        after = self.with_revoked_below(path)
        for name in self.below(path):
            del after.tree[name]
        return after

    def with_revoked_below(self, path):
        after = self.copy()
        after.keys = {key: None if within(folder, path) else folder for key, folder in self.keys.items()}
        return after

    def with_key(self, key, folder):
        after = self.copy()
        after.keys[key] = folder
        return after

    def differences(self, tree):
        """What in a tree that was found is not as it is here."""
        return {name: (brief(self.tree, name), brief(tree, name)) for name in sorted({*self.tree, *tree})
                if self.tree.get(name, 0) != tree.get(name, 0)}


def brief(tree, name):
    if name not in tree:
        return "nothing"
    content = tree[name]
    return "a folder" if content is None else f"{len(content)} bytes {content[:24]!r}"


def within(folder, path):
    return folder is not None and (folder == path or folder.startswith(path + "/"))


def parent_of(path):
    return path.rpartition("/")[0]


def name_of(path):
    return path.rpartition("/")[2]


def revoke_itself(client):
    mine = [one["id"] for one in client.keys().ok() if client.key.startswith(one["keyPreview"][:8])]
    return client.revoke(mine[0])


class Caller:
    """`roots` are its folders, one in each place, which no other client changes."""

    def __init__(self, client, label, roots, chance):
        self.client, self.label, self.roots, self.chance = client, label, roots, chance
        self.state = State({root: None for root in roots}, {})
        self.outcomes = None  # Of the change under way, when the server ended.
        self.doing = ""
        self.done = []  # What it did, and how each crash left it.
        self.made = 0
        for root in roots:
            client.make_folder(parent_of(root), name_of(root)).ok()

    # One run, from a start of the server to its end

    def run(self, answered, ended, chance):
        """Changes things until the server is gone; `answered` counts."""
        self.chance, self.outcomes = chance, None
        while not ended.is_set():
            self.outcomes, self.doing, call = self.some_change()
            try:
                answer = call()
            except (requests.RequestException, OSError):
                return
            assert answer.status == 200, (self.label, self.doing, answer)
            self.state, self.outcomes = self.promised(answer), None
            self.done.append(self.doing)
            answered.release()

    def promised(self, answer):
        after = self.outcomes[-1]
        if self.doing.startswith("key"):
            key = answer.ok()["key"]
            after = after.with_key(key, self.doing.removeprefix("key for "))
            self.doing += f": {key}"
        return after

    def some_change(self):
        kinds = [self.upload] * 8 + [self.make_folder] * 2 + [self.make_file]
        if len(self.state.tree) > len(self.roots) + 1:
            kinds += [self.rename] * 3 + [self.move] * 3 + [self.copy] * 2 + [self.delete] * 3
            kinds += [self.create_key] * 2 + [self.upload_by_key] * 2 + [self.revoke_key]
        if len(self.state.tree) > MOST_ITEMS:
            kinds = [self.delete]
        while True:
            change = self.chance.choice(kinds)()
            if change:
                return change

    # What is there

    def folders(self):
        return [name for name, content in self.state.tree.items() if content is None]

    def some_folder(self):
        return self.chance.choice(self.folders())

    def some_item(self):
        """Anything but a root."""
        return self.chance.choice([name for name in self.state.tree if name not in self.roots])

    def free_name(self, folder):
        """A new name, or, which is harder, one that stood for something before."""
        if self.chance.random() < 0.4:
            name = f"again{self.chance.randrange(4)}"
            if f"{folder}/{name}" not in self.state.tree:
                return name
        self.made += 1
        return f"n{self.made}"

    def new_content(self):
        self.made += 1
        mark = f"{self.label} {self.made};".encode()
        size = self.chance.choice(SIZES)
        return (mark * (size // len(mark) + 1))[:size]

    # The changes: the outcomes, words for them, and the call

    def names_for_upload(self, folder):
        files = [name_of(name) for name, content in self.state.tree.items()
                 if content is not None and parent_of(name) == folder]
        wanted = self.chance.choice((1, 1, 1, 2, 4))
        names = {self.chance.choice(files) if files and self.chance.random() < 0.4 else self.free_name(folder)
                 for _ in range(wanted)}
        return [name for name in sorted(names) if self.state.tree.get(f"{folder}/{name}", b"") is not None]

    def upload_into(self, folder, client, path):
        """A crash may leave the first of several, each whole."""
        files = [(name, self.new_content()) for name in self.names_for_upload(folder)]
        outcomes = [self.state]
        for name, content in files:
            outcomes.append(outcomes[-1].with_item(f"{folder}/{name}", content))
        what = f"upload into {folder}: {[(name, len(content)) for name, content in files]}"
        return files and (outcomes, what, lambda: client.upload(path, form(*files)))

    def upload(self):
        folder = self.some_folder()
        return self.upload_into(folder, self.client, folder)

    def upload_by_key(self):
        keys = [(key, folder) for key, folder in self.state.keys.items() if folder]
        if not keys:
            return None
        key, folder = self.chance.choice(keys)
        return self.upload_into(folder, self.client.with_key(key), "")

    def make_folder(self):
        """A crash may leave the parents that were missing."""
        folder = self.some_folder()
        outcomes, path = [self.state], folder
        for _ in range(self.chance.choice((1, 1, 3))):
            path = f"{path}/{self.free_name(path)}"
            outcomes.append(outcomes[-1].with_item(path, None))
        return outcomes, f"folder {path}", lambda: self.client.make_folder(parent_of(path), name_of(path))

    def make_file(self):
        folder = self.some_folder()
        path = f"{folder}/{self.free_name(folder)}"
        return ([self.state, self.state.with_item(path, b"")], f"file {path}",
                lambda: self.client.make_file(folder, name_of(path)))

    def rename(self):
        path = self.some_item()
        name = self.free_name(parent_of(path))
        target = f"{parent_of(path)}/{name}"
        self.renaming = path, target
        return ([self.state, self.state.with_moved(path, target)], f"rename {path} {name}",
                lambda: self.client.rename(path, name))

    def place_for(self, path):
        """A folder where the item may go, and its path there."""
        folder = self.some_folder()
        target = f"{folder}/{name_of(path)}"
        return None if within(folder, path) or target in self.state.tree else (folder, target)

    def move(self):
        """Between places it is copied first: a crash may leave both, each whole, and the keys at one of them."""
        path = self.some_item()
        place = self.place_for(path)
        if not place:
            return None
        folder, target = place
        self.renaming = path, target
        outcomes = [self.state, self.state.with_moved(path, target)]
        if self.place_of(path) != self.place_of(target):
            self.moving = path
            both = self.state.with_copied(path, target)
            outcomes[1:1] = [both, State(both.tree, outcomes[1].keys)]
        return outcomes, f"move {path} {folder}", lambda: self.client.move(path, folder)

    def place_of(self, path):
        return next(number for number, root in enumerate(self.roots) if within(path, root))

    def copy(self):
        path = self.some_item()
        place = self.place_for(path)
        if not place:
            return None
        folder, target = place
        return ([self.state, self.state.with_copied(path, target)], f"copy {path} {folder}",
                lambda: self.client.copy(path, folder))

    def delete(self):
        """A crash may leave a folder whose keys are revoked, but no key to a folder that is gone."""
        path = self.some_item()
        return ([self.state, self.state.with_revoked_below(path), self.state.without(path)], f"delete {path}",
                lambda: self.client.delete(path))

    def create_key(self):
        folder = self.some_folder()
        return [self.state], f"key for {folder}", lambda: self.client.create_key(f"key {self.made}", folder)

    def revoke_key(self):
        """By itself, as a key may that is limited to a folder."""
        keys = [key for key, folder in self.state.keys.items() if folder]
        if not keys:
            return None
        key = self.chance.choice(keys)
        return [self.state, self.state.with_key(key, None)], f"revoke {key}", lambda: revoke_itself(self.client.with_key(key))

    # After a start

    def expect_other_name(self, tree):
        """A move that a crash ends just before the source is deleted leaves it under another name."""
        if not self.outcomes or not self.doing.startswith("move") or len(self.outcomes) == 2:
            return
        both, path = self.outcomes[2], self.moving
        for name in tree:
            if re.fullmatch(re.escape(path) + r" \(not moved [0-9a-f]{8}\)", name):
                self.outcomes[3:3] = [State(both.with_moved(path, name).tree, both.keys)]

    def hold_against(self, tree, reaches):
        """The state that it is in now, by the tree that was found and `reaches(key)`: its folder and the names there, or None."""
        self.expect_other_name(tree)
        states = self.outcomes or [self.state]
        if self.outcomes and self.doing.startswith(("rename", "move")):
            # Keys of a folder whose change a crash cut off are revoked at the start.
            states = [*(state.with_revoked_below(path) for state in states for path in self.renaming), *states]
        alike = [state for state in states if state.tree == tree]
        assert alike, (self.label, self.doing, [state.differences(tree) for state in states])
        found = {key: reaches(key) for key in self.state.keys}
        for state in reversed(alike):
            if self.reaches_in(state) == found:
                self.state = state
                self.done.append(f"crash in: {self.doing}: state {states.index(state) + 1} of {len(states)}")
                return
        raise AssertionError((self.label, self.doing, "keys that lead elsewhere", [
            {key: (state.keys[key], wanted, found[key]) for key, wanted in self.reaches_in(state).items()
             if wanted != found[key]} for state in alike], self.done[-100:]))

    def reaches_in(self, state):
        return {key: self.names_in(state, folder) for key, folder in state.keys.items()}

    @staticmethod
    def names_in(state, folder):
        return folder and (folder, {name_of(name) for name in state.tree if parent_of(name) == folder})
