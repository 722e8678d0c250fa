import { equal, ok } from "../../support/assert.ts";
import process from "node:process";
import { ChangePlan } from "../../../mod.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";

const plain = (text: string): string => text;
const styles = { bold: plain, red: plain, green: plain, yellow: plain };

/** Processor milliseconds that a plan takes to show whose changes are all of different campaigns, with a finding each. */
function showing(count: number): number {
  const plan = new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: Array.from({ length: count }, (_, at) => ({
      kind: "sp.campaigns",
      op: "update" as const,
      id: `${1000 + at}`,
      before: { budget: { budget: 1 + at % 7, budgetType: "DAILY" } },
      after: { budget: { budget: 9, budgetType: "DAILY" } },
      label: `Campaign ${at}`,
    })),
    findings: Array.from({ length: count }, (_, at) => ({
      code: "BUDGET_TOO_HIGH",
      level: "advise" as const,
      change: at,
      message: `finding ${at}`,
    })),
  });
  let fastest = Infinity;
  // Whatever else runs on the machine slows some rounds, and not all of them.
  for (let round = 0; round < 4; round++) {
    const before = process.cpuUsage();
    const text = renderPlan(planView(plan), { styles });
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, (user + system) / 1000);
    equal(text.match(/finding \d+/g)?.length, count);
  }
  return fastest;
}

Deno.test("the time to show a plan grows with its changes and findings, and not with their product", () => {
  showing(1000);
  const [few, many] = [showing(2000), showing(20_000)];
  // 10 times as many: a product would take 100 times as long.
  ok(many < 30 * few, `${few.toFixed(0)} ms for 2,000 and ${many.toFixed(0)} ms for 20,000`);
});
