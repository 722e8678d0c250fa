import { deepEqual } from "../support/assert.ts";
import type { CliContext } from "../../src/interfaces/cli/shell/context/context.ts";
import { again } from "../../src/interfaces/cli/shell/options/times.ts";
import { listening } from "../support/listening.ts";

Deno.test("what is repeated for weeks keeps nothing of its earlier rounds", async () => {
  const { controller, listeners } = listening();
  let now = 0;
  const context = {
    io: {
      now: () => now,
      sleep: (seconds: number) => Promise.resolve(void (now += 1000 * seconds)),
    },
    interruption: { signal: controller.signal },
  } as unknown as CliContext;
  const rounds: [at: number, listeners: number][] = [];
  const code = await again(60, context, () => {
    rounds.push([now / 1000, listeners.size]);
    now += 5000;
    if (rounds.length === 4) controller.abort();
    return Promise.resolve(7);
  });
  deepEqual(rounds, [[0, 0], [60, 0], [120, 0], [180, 0]]);
  deepEqual(code, 7);
});
