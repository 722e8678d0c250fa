import type { ScheduleState } from "../../../src/automation/schedules/mod.ts";

/** A program that dies at one of its writes: of the platform or of its own state. */
export class Life {
  readonly #death = Promise.withResolvers<never>();
  #writesLeft: number;
  readonly #isDone: boolean;
  #isDead = false;

  /** @param options `writes` before the one it dies at; `isDone` true to die after that one is done, false before. */
  constructor(
    { writes = Infinity, isDone = false }: { readonly writes?: number; readonly isDone?: boolean } = {},
  ) {
    this.#writesLeft = writes;
    this.#isDone = isDone;
    this.#death.promise.catch(() => {});
  }

  /** True once it has died. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Rejects when it dies. */
  get death(): Promise<never> {
    return this.#death.promise;
  }

  /** Does a write; whoever is dead does nothing more, and hears of nothing. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDead) return await never();
    if (this.#writesLeft-- > 0) return await work();
    if (this.#isDone) await work();
    this.#isDead = true;
    this.#death.reject(new Error("killed"));
    return await never();
  }

  /** Does a read. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    return this.#isDead ? await never() : await work();
  }
}

const WRITES = new Set<string | symbol>(["keep", "forget", "mark", "keepRules"]);
const READS = new Set<string | symbol>(["bases", "history", "stopped", "runs", "rules"]);

/** The state of schedules as a program has it: its lease ends with it. */
export function mortalState(state: ScheduleState, life: Life): ScheduleState {
  return new Proxy(state, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (...values: unknown[]): Promise<unknown> => Reflect.apply(value, target, values);
      if (WRITES.has(name)) return (...values: unknown[]) => life.write(() => call(...values));
      if (READS.has(name)) return (...values: unknown[]) => life.read(() => call(...values));
      if (name === "alone") {
        return (profileId: string, work: () => Promise<unknown>) =>
          target.alone(profileId, () => Promise.race([work(), life.death]));
      }
      return call;
    },
  });
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
