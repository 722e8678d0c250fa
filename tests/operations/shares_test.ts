import { deepEqual, equal, match, rejects } from "../support/assert.ts";
import { planBudgets } from "../../src/operations/jobs/plan_budgets.ts";
import { planPower } from "../../src/operations/reads/plan_power.ts";
import { jsonInput } from "../../src/operations/model/field_schema.ts";
import { effect, share } from "../../src/interfaces/cli/shell/options/parse_values.ts";
import { interfaces } from "./support/interfaces.ts";

Deno.test("a share above 1 without a percent sign is refused in every interface, and not read as percent times 100", async () => {
  await using at = await interfaces();
  const command = await at.adsctl(planBudgets, {}, ["--max-acos", "30"]);
  equal(command.code, 2);
  match(command.stderr, /it is ambiguous: write 30% or 0\.3/);
  const tool = await at.tool(planBudgets, { max_acos: 30 });
  match(tool.text, /30 is ambiguous: write 0\.3 for 30 %/);
  const refusal = /max_acos: 30 is ambiguous: write 0\.3 for 30 %, or "3000%" as text/;
  await rejects(() => jsonInput(planBudgets, { max_acos: 30 }), refusal);
  const read = async (value: unknown) => (await jsonInput(planBudgets, { max_acos: value })).max_acos;
  deepEqual([await read(1), await read(0.3), await read("150 %"), await read("any")], [1, 0.3, 1.5, "any"]);
  const { effect: change } = await jsonInput(planPower, { plan_id: "p", effect: "-5%" });
  equal(change, -0.05);
  deepEqual([share("150%"), share("0.3"), share("1"), effect("-5%"), effect("0.1")], [
    1.5,
    0.3,
    1,
    -0.05,
    0.1,
  ]);
});
