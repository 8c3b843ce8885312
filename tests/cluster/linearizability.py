"""Whether operations on one register are linearizable, by the search of Wing and Gong with Lowe's memory of states:
"Testing for linearizability" (G. Lowe, 2016)."""

from collections import namedtuple

# `end` is infinite for an operation of unknown outcome, which may take effect later, or never.
# "write": `value` is written; "swap": `value` is written if the register is `expected`; "fail": a swap that was refused, since
# the register was not `expected`; "read": it was `value`.
Operation = namedtuple("Operation", "kind begin end value expected", defaults=(None,))


def step(operation, state):
    """The state after it; None where it cannot have taken effect then."""
    if operation.kind == "write":
        return operation.value
    if operation.kind == "swap":
        return operation.value if state == operation.expected else None
    if operation.kind == "read":
        return state if state == operation.value else None
    return state if state != operation.expected else None


MOST_STATES = 200_000  # That are looked at; what takes more is not decided.


class Undecided(Exception):
    pass


def order_of(operations, first):
    """An order in which the operations may have taken effect one by one, from the state `first`; None if there is none."""
    operations = sorted(operations, key=lambda one: (one.end == float("inf"), one.begin))
    wanted = sum(1 << number for number, one in enumerate(operations) if one.end != float("inf"))
    done, order = settled(operations, 0, first)
    stack, seen = [(done, first, order)], {(done, first)}
    while stack:
        done, state, order = stack.pop()
        if done & wanted == wanted:
            return [operations[number] for number in order]
        if len(seen) > MOST_STATES:
            raise Undecided(f"{len(operations)} operations")
        for number in reversed(candidates(operations, done)):  # So that those of known outcome are tried first.
            after = step(operations[number], state)
            if after is None:
                continue
            next_done, pure = settled(operations, done | 1 << number, after)
            if (next_done, after) not in seen:
                seen.add((next_done, after))
                stack.append((next_done, after, [*order, number, *pure]))
    return None


def settled(operations, done, state):
    """Takes what may come next and changes nothing: that closes no way. What is done then, and what was taken."""
    taken = []
    while True:
        pure = [number for number in candidates(operations, done)
                if operations[number].kind in ("read", "fail") and step(operations[number], state) is not None]
        if not pure:
            return done, taken
        done |= 1 << pure[0]
        taken.append(pure[0])


def candidates(operations, done):
    """Those that may come next: they began before each of the others ended."""
    left = [number for number in range(len(operations)) if not done >> number & 1]
    first_end = min((operations[number].end for number in left), default=0)
    return [number for number in left if operations[number].begin <= first_end]
