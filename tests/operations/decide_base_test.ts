import { deepEqual, match, rejects } from "../support/assert.ts";
import { decideBase, ScheduleState } from "../../src/automation/schedules/mod.ts";
import { checkInput } from "../../src/operations/model/check_input.ts";
import { inputFrom } from "../../src/operations/model/field.ts";
import { decideScheduleBase } from "../../src/operations/automation/decide_base.ts";
import { World } from "../mcp/support/world.ts";

Deno.test("a base that is not greater than 0 is refused before anything is read", async () => {
  for (const set of [0, -1]) {
    const input = inputFrom(decideScheduleBase.input, { id: "1", set });
    await rejects(
      checkInput(decideScheduleBase, input, { field: (name) => name }),
      new RegExp(`Cannot use ${set} as set: expected an amount above 0`),
    );
  }
});

Deno.test("adopting a live value sets the base of one schedule, in the steps of what it moves", async () => {
  await using world = await World.start();
  const us = await (await world.context({}).ads()).profile("US");
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const { campaignId: id, name: label, budget } = campaign!;
  const live = (budget as { budget: number }).budget;
  const place = `${world.folder}/ads.sqlite`;
  const base = {
    kind: "sp.campaigns" as const,
    id,
    label,
    wrote: 5,
    intends: null,
    kept: "somebody else set it",
  };
  await using state = await ScheduleState.open(place);
  await state.keep(us.profileId, [
    { ...base, move: "budget" as const, base: 10, factor: 0.7, schedule: "nights", why: "started" },
    { ...base, move: "state" as const, base: 1, factor: 1, schedule: "weekends", why: "started" },
  ], world.emulator.clock.now());
  const decide = async (input: object) => {
    const { input: fields } = decideScheduleBase;
    await decideScheduleBase.run({ profile: us, place }, inputFrom(fields, { id, ...input }));
    return (await state.bases(us.profileId)).map(({ schedule, base, kept }) => [schedule, base, kept]).sort();
  };
  deepEqual(await decide({ adopt: true, schedule: "nights" }), [
    ["nights", Number((live / 0.7).toFixed(2)), null],
    ["weekends", 1, "somebody else set it"],
  ]);
  deepEqual(await decide({ set: 12, schedule: "nights" }), [
    ["nights", 12, null],
    ["weekends", 1, "somebody else set it"],
  ]);
  deepEqual(await decide({}), [["nights", 12, null], ["weekends", 1, null]]);
  const whys = (await state.history(us.profileId, { limit: 9 })).map(({ schedule, why }) =>
    `${schedule}: ${why}`
  );
  deepEqual([...new Set(whys)].sort(), [
    "nights: a person set the base",
    "nights: started",
    "weekends: a person resumed the schedule",
    "weekends: started",
  ]);
  await state.keep(us.profileId, [
    { ...base, id: "404", move: "budget" as const, base: 10, factor: 0.7, schedule: "gone", why: "started" },
  ], world.emulator.clock.now());
  match(
    await decide({ id: "404", adopt: true }).then(String, String),
    /Cannot adopt the live value of .*: the account has none now\. Set a base instead/,
  );
  const [gone] = (await state.bases(us.profileId)).filter(({ id }) => id === "404");
  deepEqual([gone?.base, gone?.kept], [10, "somebody else set it"]);
  await decide({ id: "404", set: 11, schedule: "gone" });
  for (const [id, set] of [["404", -1], ["404", 0], ["404", Infinity]] as const) {
    match(
      await decideBase(us, { state: place, id, base: set }).then(String, String),
      /RangeError: Cannot use (-1|0|Infinity) as a base: expected an amount above 0$/,
    );
  }
  match(
    await decide({ schedule: "mornings" }).then(String, String),
    /No schedule "mornings" of this profile moves \d+\. See: adsctl auto status schedules/,
  );
});
