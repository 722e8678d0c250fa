/**
 * The globals of this realm, as programs of a simulated world see them: clock, timers, chance, network and files belong
 * to the process that asks. Outside of such a process they are the runtime's own. Import it before what it is to catch.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as realImmediate } from "node:timers";
import { send } from "./network.ts";
import type { SimProcess } from "./sim_process.ts";

const current = new AsyncLocalStorage<SimProcess>();

/** Runs a program as a process: whatever it awaits goes on as that process. */
export function inProcess<T>(process: SimProcess, main: () => Promise<T>): Promise<T> {
  return current.run(process, main);
}

/** A turn of the runtime's own event loop: every microtask has run then. */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}

const RealDate = Date;
const realNow = performance.now.bind(performance);
const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  fetch: globalThis.fetch,
  random: Math.random,
  timeout: AbortSignal.timeout.bind(AbortSignal),
  randomUUID: crypto.randomUUID.bind(crypto),
  getRandomValues: crypto.getRandomValues.bind(crypto),
};

const timeNow = (): number => current.getStore()?.now() ?? RealDate.now();

class SimDate extends RealDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [timeNow()] : parts) as [number]));
  }

  static override now(): number {
    return timeNow();
  }

  // Dates that the runtime made itself are dates too.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.toString.call(value) === "[object Date]";
  }
}
globalThis.Date = SimDate as unknown as DateConstructor;
performance.now = () => {
  const process = current.getStore();
  return process === undefined ? realNow() : process.world.now;
};

/** Timers of processes have numbers that the runtime's own do not reach. */
const FIRST = 2 ** 40;
const timers = new Map<number, () => void>();
let lastTimer = FIRST;

function startTimer(process: SimProcess, run: () => void, milliseconds: number, isRepeated: boolean): number {
  const id = ++lastTimer;
  const label = `timer ${Math.round(milliseconds)}`;
  const arm = (): void => {
    timers.set(
      id,
      process.world.at(Math.max(1, milliseconds), label, () => {
        timers.delete(id);
        if (isRepeated) arm();
        current.run(process, run);
      }, process),
    );
  };
  if (process.isAlive) arm();
  return id;
}

function stopTimer(id: unknown): boolean {
  if (typeof id !== "number" || id < FIRST) return false;
  timers.get(id)?.();
  timers.delete(id);
  return true;
}

type Timer = (run: (...args: unknown[]) => void, milliseconds?: number, ...args: unknown[]) => number;

const timer = (own: unknown, isRepeated: boolean): Timer => (run, milliseconds = 0, ...args) => {
  const process = current.getStore();
  if (process === undefined) return (own as Timer)(run, milliseconds, ...args);
  return startTimer(process, () => run(...args), milliseconds, isRepeated);
};
const clear = (own: (id: never) => void) => (id?: unknown): void => {
  if (!stopTimer(id)) own(id as never);
};

Object.assign(globalThis, {
  setTimeout: timer(real.setTimeout, false),
  setInterval: timer(real.setInterval, true),
  clearTimeout: clear(real.clearTimeout),
  clearInterval: clear(real.clearInterval),
  fetch: (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const process = current.getStore();
    return process === undefined ? real.fetch(input, init) : send(process, input, init);
  },
});
AbortSignal.timeout = (milliseconds) => {
  const process = current.getStore();
  if (process === undefined) return real.timeout(milliseconds);
  const controller = new AbortController();
  const end = (): void => controller.abort(new DOMException("The time is over", "TimeoutError"));
  startTimer(process, end, milliseconds, false);
  return controller.signal;
};

Math.random = () => current.getStore()?.world.chance.next("random") ?? real.random();
Object.defineProperty(crypto, "getRandomValues", {
  value: <T extends Uint8Array<ArrayBuffer>>(into: T): T => {
    const process = current.getStore();
    if (process === undefined) return real.getRandomValues(into);
    const seed = process.world.chance.integer("random bytes", 0, 2 ** 31);
    for (let at = 0, mixed = seed; at < into.length; at++) {
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) + at | 0;
      into[at] = mixed >>> 11;
    }
    return into;
  },
});
Object.defineProperty(crypto, "randomUUID", {
  value: (): string => {
    const process = current.getStore();
    if (process === undefined) return real.randomUUID();
    const part = (): string => process.world.chance.integer("uuid", 0, 2 ** 31).toString(16).padStart(8, "0");
    const [a, b, c, d] = [part(), part(), part(), part()];
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
  },
});
// What the runtime computes on threads of its own is waited for before the next event.
for (
  const name of [
    "digest",
    "sign",
    "verify",
    "importKey",
    "exportKey",
    "generateKey",
    "deriveKey",
    "encrypt",
    "decrypt",
  ] as const
) {
  const own = (crypto.subtle[name] as (...args: unknown[]) => Promise<unknown>).bind(crypto.subtle);
  Object.defineProperty(crypto.subtle, name, {
    value: (...args: unknown[]): Promise<unknown> => {
      const process = current.getStore();
      return process === undefined ? own(...args) : process.world.real(own(...args));
    },
  });
}

// A process that dies leaves its databases, and SQLite takes back what it had not committed.
for (const name of ["prepare", "exec"] as const) {
  const own = DatabaseSync.prototype[name] as (this: DatabaseSync, sql: string) => unknown;
  Object.defineProperty(DatabaseSync.prototype, name, {
    value: function (this: DatabaseSync, sql: string): unknown {
      current.getStore()?.databases.add(this);
      return own.call(this, sql);
    },
  });
}

const runtime = globalThis as unknown as {
  process: { getBuiltinModule: (name: string) => unknown };
};
const ownModule = runtime.process.getBuiltinModule.bind(runtime.process);
runtime.process.getBuiltinModule = (name) => {
  const process = current.getStore();
  return process !== undefined && name === "fs/promises" ? process.disk.files(process) : ownModule(name);
};
