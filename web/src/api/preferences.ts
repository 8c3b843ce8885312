import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { answerOf, v2 } from "./client";
import { keys } from "./keys";
import { type Account, type Session, useAccount } from "./session";

type Preferences = Record<string, unknown>;

function preferencesOf(account: Account): Preferences {
  return account.preferences as Preferences;
}

function show(client: QueryClient, change: (account: Account) => Account): void {
  client.setQueryData<Session | null>(
    keys.session,
    (session) => session && { ...session, account: change(session.account) },
  );
}

function having(account: Account, name: string, value: unknown): Account {
  return { ...account, preferences: { ...preferencesOf(account), [name]: value } as Account["preferences"] };
}

/** The whole object is replaced, so what other devices have set meanwhile is looked at first. */
async function store(name: string, value: unknown): Promise<void> {
  const account = await answerOf(v2.GET("/api/v2/account"));
  const { preferences } = having(account, name, value);
  await answerOf(v2.PATCH("/api/v2/account", { body: { preferences } }));
}

let lastStored: Promise<void> = Promise.resolve();

/**
 * What the account keeps below a name, and how to change it. A change shows at once; they are stored one after the other, and
 * what the server refuses is thrown, but holds until the page is loaded anew.
 */
export function usePreference(name: string): [value: unknown, change: (value: unknown) => Promise<void>] {
  const client = useQueryClient();
  const account = useAccount();
  const change = (value: unknown) => {
    show(client, (shown) => having(shown, name, value));
    const stored = lastStored.then(() => store(name, value));
    lastStored = stored.catch(() => {});
    return stored;
  };
  return [preferencesOf(account)[name], change];
}
