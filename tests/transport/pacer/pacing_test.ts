import { ok } from "node:assert/strict";
import { amount, SEED } from "../../reliability/support/size.ts";
import { type Outcome, simulate } from "./simulation.ts";

const SEEDS = amount(60, 1200);

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

Deno.test(`under ${SEEDS} limits that nobody knows everything is done, at nearly the speed that they allow`, async () => {
  const outcomes: Outcome[] = [];
  for (let seed = SEED; seed < SEED + SEEDS; seed++) outcomes.push(await simulate(seed));
  const failed = outcomes.filter((outcome) => outcome.failed > 0);
  const sent = mean(outcomes.map(({ sentPerAnswer }) => sentPerAnswer));
  const throughput = mean(outcomes.map((outcome) => outcome.throughput));
  const shares = outcomes.flatMap(({ callers }) =>
    callers.map(({ seconds, fairSeconds }) => seconds / fairSeconds)
  );
  const worst = Math.max(...shares);
  console.log(
    `      ${outcomes.length} limits: ${failed.length} with a failure, ${
      sent.toFixed(3)
    } requests a response, ` +
      `throughput ${throughput.toFixed(3)}, longest wait ${worst.toFixed(2)} of the fair one`,
  );
  ok(failed.length === 0, `failures with the seeds ${failed.map(({ seed }) => seed).join(", ")}`);
  ok(sent <= 1.2, `${sent} requests a response`);
  ok(throughput >= 0.85, `throughput ${throughput}`);
  ok(worst <= 2, `the longest wait is ${worst} of the fair one`);
});
