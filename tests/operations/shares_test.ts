import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { planBudgets } from "../../src/operations/jobs/plan_budgets.ts";
import { planPower } from "../../src/operations/reads/plan_power.ts";
import { jsonInput } from "../../src/operations/model/field_schema.ts";
import { effect, share } from "../../src/interfaces/cli/shell/options/parse_values.ts";
import { Agent } from "../mcp/support/agent.ts";
import { ReportWorld } from "../mcp/support/report_world.ts";
import { interfaces } from "./support/interfaces.ts";

Deno.test("a share above 1 without a percent sign is refused in every interface, and not read as percent times 100", async () => {
  await using at = await interfaces();
  const command = await at.adsctl(planBudgets, {}, ["--max-acos", "30"]);
  equal(command.code, 2);
  match(command.stderr, /it is ambiguous: write 30% \(0\.3\) or 3000%/);
  const tool = await at.tool(planBudgets, { max_acos: 30 });
  match(tool.text, /30 is ambiguous: write "30%" \(0\.3\) or "3000%"/);
  const refusal = /max_acos: 30 is ambiguous: write "30%" \(0\.3\) or "3000%"/;
  await rejects(() => jsonInput(planBudgets, { max_acos: 30 }), refusal);
  deepEqual([await read(1), await read(0.3), await read("150 %"), await read("any")], [1, 0.3, 1.5, "any"]);
  for (const wrong of ["x", "all", "30", true]) {
    await rejects(() => read(wrong), /max_acos: expected a share such as 0\.3, "30%" or "any"/);
  }
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

for (const [given, percent] of [[1.1, 0.011], [1.5, 0.015], [30, 0.3], [150, 1.5]] as const) {
  const shown = percent <= 1 ? [percent, percent, given] : [percent, given];

  Deno.test(`what adsctl advises instead of a share of ${given} is read as it says`, () => {
    deepEqual(advised(messageOf(() => share(String(given)))).map(share), shown);
  });

  Deno.test(`what tools and routes advise instead of a share of ${given} is read as it says`, async () => {
    const message = await read(given).then(() => "", (error: Error) => error.message);
    const advice = advised(message).map((text) => JSON.parse(text));
    deepEqual(await Promise.all(advice.map(read)), shown);
  });
}

Deno.test("advice on an effect above 1 keeps its sign", () => {
  deepEqual(advised(messageOf(() => effect("-5"))).map(effect), [-0.05, -0.05]);
  deepEqual(advised(messageOf(() => effect("+5"))).map(effect), [0.05, 0.05, 5]);
  throws(() => effect("-100%"), /not an effect/);
});

Deno.test("the schemas of tools admit a share as text, and the outcome of a plan asks about it once", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context({ store: true }));
  const { tools } = await agent.client.listTools();
  const forms = (tool: string): unknown => {
    const properties = tools.find(({ name }) => name === tool)?.inputSchema.properties;
    return (properties?.["max_acos"] as Readonly<Record<string, unknown>> | undefined)?.["anyOf"];
  };
  const share = [{ type: "number" }, { type: "string" }];
  deepEqual(forms("plan_harvest"), share);
  deepEqual(forms("plan_budgets"), [...share, { type: "string", enum: ["any"] }]);
  const { text } = await agent.call("plan_outcome", { plan_id: "p", margin: "150%" });
  match(text, /Cannot use 1\.5 as margin: expected a share/);
});

async function read(value: unknown): Promise<unknown> {
  return (await jsonInput(planBudgets, { max_acos: value })).max_acos;
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

function advised(message: string): string[] {
  ok(message.includes("is ambiguous: write "), message);
  return message.replace(/^.*write /, "").replace(/\.$/, "").split(/[ ()]+|or/).filter((word) => word !== "");
}
