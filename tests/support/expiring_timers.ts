/** Timers of one length, which end when a test says so: on a busy machine, no time is long enough for a request. */
export interface ExpiringTimers extends Disposable {
  /** Ends all that are set. */
  expire(): void;
}

/** Takes the place of all timers of a length until it is disposed of; other timers are the runtime's own. */
export function expiringTimers(seconds: number): ExpiringTimers {
  const { setTimeout, clearTimeout } = globalThis;
  const pending = new Map<number, () => void>();
  let last = 0;
  Object.assign(globalThis, {
    setTimeout: (act: () => void, milliseconds?: number) => {
      if (milliseconds !== seconds * 1000) return setTimeout(act, milliseconds);
      pending.set(--last, act);
      return last;
    },
    clearTimeout: (timer: number) => pending.delete(timer) || clearTimeout(timer),
  });
  return {
    expire: () => {
      const acts = [...pending.values()];
      pending.clear();
      for (const act of acts) act();
    },
    [Symbol.dispose]: () => Object.assign(globalThis, { setTimeout, clearTimeout }),
  };
}
