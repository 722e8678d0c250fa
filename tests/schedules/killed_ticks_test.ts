import {
  type KeptBase,
  parseSchedules,
  ScheduleState,
  tickSchedules,
} from "../../src/automation/schedules/mod.ts";
import { Life, mortalState } from "../reliability/support/mortal_state.ts";
import { deepEqual, equal, match } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** Hours of New York with the factors 1, 1.5 and 0.5. */
const [NOON, EVENING, NIGHT] = ["2026-09-30T16:00:00Z", "2026-10-01T00:00:00Z", "2026-10-01T08:00:00Z"];
/** Writes of a tick before its first request: new bases, what it saw, and what it intends. */
const BEFORE_REQUEST = 3;

interface Scene extends Pick<Emulated, "us"> {
  readonly id: string;
  tick(now: string): Promise<void>;
  /** A tick of a program that dies at its request, after the platform did it or before. */
  killed(when: "after" | "before", now: string): Promise<void>;
  /** Default bid of the ad group as the platform has it. */
  live(): Promise<number | undefined>;
  kept(): Promise<KeptBase | undefined>;
}

/** An ad group with a default bid of 2 that a schedule moves. */
async function scene(edits: string, work: (scene: Scene) => Promise<void>): Promise<void> {
  await using folder = await temporaryFolder();
  await using state = await ScheduleState.open(`${folder.path}/ads.sqlite`);
  let life = new Life();
  await using world = await emulated({
    emulator: { clock: { now: "2026-09-30T12:00:00Z", frozen: true } },
    client: {
      fetch: (input, init) => {
        const request = new Request(input, init);
        return request.method === "PUT" ? life.write(() => fetch(request)) : life.read(() => fetch(request));
      },
    },
  });
  const { us } = world;
  const [{ adGroupId: id, campaignId } = { adGroupId: "", campaignId: "" }] = await us.sp.adGroups.list({
    states: ["ENABLED"],
  });
  await us.sp.adGroups.update([{ adGroupId: id, defaultBid: 2 }]);
  const { schedules } = parseSchedules(
    `version: 1
schedules:
  nights: { select: { ids: ["${campaignId}"] }, move: bid, zone: America/New_York, foreign_edits: ${edits},
    grid: [{ hours: "00-06", factor: 0.5 }, { hours: "20-24", factor: 1.5 }] }
`,
    "s.yaml",
  );
  const tick = async (now: string): Promise<void> => {
    await tickSchedules(us, { schedules, state: mortalState(state, life), now });
  };
  const live = async (): Promise<number | undefined> =>
    (await us.sp.adGroups.list({ ids: [id] }))[0]?.defaultBid;
  const kept = async (): Promise<KeptBase | undefined> =>
    (await state.bases(us.profileId)).find((one) => one.id === id);
  const killed = async (when: "after" | "before", now: string): Promise<void> => {
    const before = await live();
    life = new Life({ writes: BEFORE_REQUEST, isDone: when === "after" });
    await tick(now).catch(({ message }: Error) => match(message, /killed/));
    life = new Life();
    const intends = (await kept())?.intends;
    equal(typeof intends, "number");
    equal(await live(), when === "after" ? intends : before);
  };
  await work({ us, id, tick, killed, live, kept });
}

for (const edits of ["keep", "adopt"]) {
  Deno.test(`of a tick that died after its request and one that died before, nothing is left to ${edits}`, () =>
    scene(edits, async ({ tick, killed, live, kept }) => {
      await tick(NOON);
      await killed("after", NIGHT);
      await killed("before", EVENING);
      await tick(NIGHT);
      const { base, kept: why } = await kept() ?? {};
      deepEqual([base, why, await live()], [2, null, 1]);
      await tick(NOON);
      equal(await live(), 2);
    }));
}

Deno.test("a base that was adopted stays, whatever dies between it and its request", () =>
  scene("adopt", async ({ us, id, tick, killed, live }) => {
    await tick(NIGHT);
    await us.sp.adGroups.update([{ adGroupId: id, defaultBid: 0.9 }]);
    await killed("before", EVENING);
    await tick(NOON);
    equal(await live(), 1.8);
  }));
