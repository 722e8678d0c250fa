import { equal, ok } from "../../support/assert.ts";
import { visited } from "../../support/visited.ts";
import { ChangePlan } from "../../../mod.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";

const plain = (text: string): string => text;
const styles = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };

/** Items that are gone through to show a plan whose changes are all of different campaigns, with a finding each. */
async function showing(count: number): Promise<number> {
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
  let text = "";
  const work = await visited(() => text = renderPlan(planView(plan), { styles }));
  equal(text.match(/finding \d+/g)?.length, count);
  return work;
}

Deno.test("the work of showing a plan grows with its changes and findings, and not with their product", async () => {
  const [few, many] = [await showing(200), await showing(2000)];
  ok(few > 200, String(few));
  // 10 times as many: a product would be 100 times as much.
  ok(many < 15 * few, `${few} for 200 and ${many} for 2,000`);
});
