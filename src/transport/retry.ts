import type { ApiError, NetworkError } from "../errors.ts";
import type { CoolDown, Sleep } from "./cool_down.ts";
import { backoff, type RetryPolicy } from "./retry_policy.ts";

/** What came of one attempt: the answer, or a failure. */
export type Attempt<T> = { readonly done: T } | FailedAttempt;

/** An attempt that failed. */
export interface FailedAttempt {
  /** Why. */
  readonly failed: ApiError | NetworkError;
  /** What may be done about it. */
  readonly then: Next;
}

/**
 * `give-up`: the failure stands. `at-once`: repeat without a wait and without counting. Otherwise repeat after so many
 * seconds, or a random wait where nobody said how long; `everyone` makes it a pause of the whole client.
 */
export type Next = "give-up" | "at-once" | {
  readonly after: number | undefined;
  readonly everyone: boolean;
  /** False: the pause begins, and this request is not repeated in it. @default true */
  readonly again?: boolean;
};

/** What the loop needs to know about the world. */
export interface RepeatOptions {
  /** How often and how long. */
  readonly policy: RetryPolicy;
  /** The client's shared pause. */
  readonly coolDown: CoolDown;
  /** Waits. */
  readonly sleep: Sleep;
  /** A number from 0 up to 1. */
  readonly random: () => number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** The failure to report when the client's pause is longer than this request may wait. */
  readonly tooLong: (seconds: number) => Error;
  /** Told of each wait before it begins, in seconds. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** The one loop in which requests are repeated. `ready` runs before each attempt, after any shared pause is over. */
export async function repeat<R, T>(
  options: RepeatOptions,
  steps: { ready: () => Promise<R>; attempt: (ready: R) => Promise<Attempt<T>> },
): Promise<T> {
  const { policy, coolDown, signal } = options;
  let waited = 0;
  const wait = async (seconds: number): Promise<void> => {
    waited += seconds;
    options.onWait?.(seconds);
    await options.sleep(seconds, signal);
  };
  for (let attempt = 1;; attempt++) {
    let ready: R;
    do {
      while (coolDown.remaining > 0) {
        const pause = coolDown.remaining;
        if (waited + pause > policy.maxTotalWait) throw options.tooLong(pause);
        await wait(pause);
      }
      ready = await steps.ready();
    } while (coolDown.remaining > 0);

    const result = await steps.attempt(ready);
    if ("done" in result) return result.done;
    const { failed, then } = result;
    if (then === "at-once") {
      attempt--;
      continue;
    }
    if (then === "give-up") throw failed;
    const seconds = then.after ?? backoff(policy, attempt, options.random());
    if (then.everyone) coolDown.extend(seconds);
    if (then.again === false || attempt >= policy.maxAttempts || waited + seconds > policy.maxTotalWait) {
      throw failed;
    }
    if (!then.everyone) await wait(seconds);
  }
}
