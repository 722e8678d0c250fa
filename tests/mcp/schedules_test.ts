import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { parseSchedules, ScheduleState } from "../../src/automation/schedules/mod.ts";
import { Agent } from "./support/agent.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { World } from "./support/world.ts";

Deno.test("an agent sees what schedules move, and proposes one that nothing is sent of", async () => {
  await using world = await World.start();
  const context = world.context({}, { store: new StoreAccess(`${world.folder}/ads.sqlite`) });
  await using agent = await Agent.connect(context);
  equal((await agent.call("get_schedules", { market: "US" })).data["rows"].length, 0);
  const { profileId } = await context.profile("US", new AbortController().signal);
  {
    await using state = await ScheduleState.open(context.store!.place);
    const base = {
      kind: "sp.keywords",
      move: "bid",
      schedule: "nights",
      base: 1,
      factor: 0.5,
      wrote: 0.5,
      intends: null,
      why: "test",
    } as const;
    await state.keep(profileId, [
      { ...base, id: "1", label: "shoes", kept: null },
      { ...base, id: "2", label: "boots\x1b[31m", kept: "somebody else set it to 9" },
    ], 0);
  }
  const { data } = await agent.call("get_schedules", { market: "US" });
  deepEqual(data["rows"].map(({ id, base, live }: Record<string, unknown>) => [id, base, live]), [[
    "1",
    1,
    0.5,
  ], ["2", 1, 0.5]]);
  const left = await agent.call("get_schedules", { market: "US", left_alone: true });
  deepEqual(left.data["rows"].map(({ id }: { id: string }) => id), ["2"]);

  const bad = await agent.call("plan_schedule", {
    market: "US",
    schedules: "version: 1\nschedules: { a: { move: bids, grid: [] } }",
  });
  match(bad.text, /schedules\.yaml:2: schedules\.a\.move: Expected bid, budget/);
  const schedules =
    "version: 1\nschedules: { nights: { move: budget, grid: [{ hours: 00-06, factor: 1.5 }] } }";
  const planned = await agent.call("plan_schedule", { market: "US", schedules });
  ok(planned.data["rows"] !== undefined, planned.text);
  const [row] = planned.data["rows"];
  ok(row.high > row.low && row.writes === 14 && row.highest_factor === 1.5, JSON.stringify(row));
  equal((await agent.call("list_plans", {})).data["rows"]?.length ?? 0, 0, "it is no plan");
  // The proposal waits for approval, and a second one is added to it.
  await agent.call("plan_schedule", { market: "US", schedules: schedules.replace("nights", "mornings") });
  const kept = await Deno.readTextFile(`${context.settings.planFolder}/schedules.proposed.yaml`);
  deepEqual(parseSchedules(kept, "x").schedules.map(({ name }) => name), ["nights", "mornings"]);
});
