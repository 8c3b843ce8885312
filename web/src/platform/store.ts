import { useSyncExternalStore } from "react";

/** A value beside the components; those that use it show it anew when it is set. */
export class Store<Value> {
  private value: Value;
  private readonly listeners = new Set<() => void>();

  constructor(value: Value) {
    this.value = value;
  }

  readonly get = (): Value => this.value;

  set(value: Value): void {
    this.value = value;
    for (const listener of this.listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  use(): Value {
    // biome-ignore lint/correctness/useHookAtTopLevel: it is one itself
    return useSyncExternalStore(this.subscribe, this.get);
  }
}
