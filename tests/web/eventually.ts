const PATIENCE_MS = 120_000;

/** Waits until the condition holds, and throws what it threw last; the limit only ends a test that has failed anyway. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    let failure: unknown = new Error(`never happened: ${what}`);
    try {
      if (await condition()) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > end) throw failure;
    await new Promise((settle) => setTimeout(settle, 20));
  }
}
