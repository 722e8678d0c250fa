import { deepEqual, equal, rejects } from "../support/assert.ts";
import { ChangePlan, PlanStateError, PlatformAds, type ProfileClient, resumePlan } from "../../mod.ts";
import { ApplyJournal } from "../../src/plans/apply/apply_journal.ts";
import { doneResult, ownResult } from "../../src/plans/model/change_result.ts";
import { type Emulated, emulated } from "../support/emulated.ts";

interface Scene {
  readonly world: Emulated;
  readonly path: string;
  /** Creates five ad groups, of which the platform takes any number that are equal. */
  readonly plan: ChangePlan;
}

async function scene(run: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await using world = await emulated();
  try {
    const [campaign] = await world.us.sb.campaigns.list();
    const items = [...Array(5).keys()].map((index) => ({
      campaignId: campaign!.campaignId,
      name: `journalled ${index} – ünïcode`,
      state: "ENABLED",
    }));
    const plan = await world.us.sb.adGroups.planCreate(items);
    await run({ world, path: `${folder}/plan.journal.jsonl`, plan });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function copy(plan: ChangePlan): ChangePlan {
  return ChangePlan.fromJson(plan.toJson());
}

/** How often the platform has each of the plan's ad groups. */
function made({ world, plan }: Scene): number[] {
  const all = world.emulator.state.profile(world.us.profileId)!.collection("sb.ad_groups").all();
  return plan.changes.map(({ after }) => all.filter(({ name }) => name === after["name"]).length);
}

/** Adds lines to a journal, or begins it. */
async function write(path: string, lines: readonly object[]): Promise<void> {
  const at = new Date(0).toISOString();
  const text = lines.map((line) => `${JSON.stringify({ ...line, at })}\n`).join("");
  await Deno.writeTextFile(path, text, { append: true });
}

/** A client whose requests to one path wait until they are let go. */
async function holding(
  world: Emulated,
  path: string,
): Promise<{ client: ProfileClient; held: Promise<void>; letGo: () => void }> {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { now, sleep } = world.time;
  const ads = new PlatformAds(world.emulator.credentials, {
    platform: world.emulator.platform,
    now,
    sleep,
    fetch: async (input, init) => {
      if (init?.method === "POST" && input.endsWith(path)) {
        reached.resolve();
        await gate.promise;
      }
      return await fetch(input, init);
    },
  });
  return { client: await ads.profile("US"), held: reached.promise, letGo: gate.resolve };
}

Deno.test("an application that is taken over while it waits sends nothing any more", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    // Its token is refused at first, so that a second attempt follows after the take-over.
    const { client, held, letGo } = await holding(world, "/sb/v4/adGroups");
    world.emulator.setFaults([{
      match: { operation: "CreateSponsoredBrandsAdGroups" },
      times: 1,
      effects: { response: { status: 401 } },
    }]);
    const slow = copy(plan).apply(client, { journal: path });
    await held;
    world.emulator.setFaults([]);
    const taken = await resumePlan(plan, world.us, { journal: path });
    equal(taken.ok, true, taken.summary());
    world.emulator.expireTokens();
    letGo();
    await rejects(
      slow,
      (error: Error) =>
        error instanceof PlanStateError && /another process has taken over/.test(error.message),
    );
    deepEqual(made(parts), [1, 1, 1, 1, 1]);
    equal((await resumePlan(plan, world.us, { journal: path })).ok, true, "the journal is still there");
  }));

Deno.test("of two that take up a journal at the same moment, one at the most sends", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    await copy(plan).apply(world.us, { journal: path, stop: AbortSignal.abort() });
    const both = await Promise.allSettled(
      [1, 2].map(() => resumePlan(copy(plan), world.us, { journal: path })),
    );
    for (const one of both) {
      if (one.status === "rejected") {
        equal(one.reason instanceof PlanStateError, true, String(one.reason));
      }
    }
    deepEqual(made(parts).filter((count) => count > 1), []);
    equal((await resumePlan(plan, world.us, { journal: path })).ok, true);
    deepEqual(made(parts), [1, 1, 1, 1, 1]);
  }));

Deno.test("what was done stays done, whatever a process that has lost the journal still writes into it", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    const applied = await copy(plan).apply(world.us, { journal: path });
    const ids = applied.changes.map(({ id }) => id);
    await write(path, [
      { event: "sending", changes: [0, 1, 2, 3, 4], lookalikes: ids.map((id) => [id]) },
      { event: "answered", verdicts: ids.map((_, change) => ({ change, outcome: "not_sent" })) },
    ]);
    equal((await resumePlan(plan, world.us, { journal: path })).ok, true);
    deepEqual(made(parts), [1, 1, 1, 1, 1]);
  }));

Deno.test("what the first announcement may have made is not a lookalike for the second one", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    const created = await world.us.resource("sb_ad_groups").create(plan.changes.map(({ after }) => after));
    await write(path, [
      { event: "begin", plan: plan.id, fingerprint: plan.fingerprint },
      { event: "sending", changes: [0, 1, 2, 3, 4] },
      { event: "sending", changes: [0, 1, 2, 3, 4], lookalikes: created.ids.map((id) => [id]) },
    ]);
    const result = await resumePlan(plan, world.us, { journal: path });
    deepEqual(result.changes.map(({ id }) => id), created.ids);
    deepEqual(made(parts), [1, 1, 1, 1, 1]);
  }));

Deno.test("a process that has lost the journal still tells what was done, and nothing else", () =>
  scene(async ({ path, plan }) => {
    const [lost, winner] = [new ApplyJournal(path), new ApplyJournal(path)];
    await lost.begin(plan);
    await lost.sending([0, 1]);
    await winner.takeUp(plan);
    const [first, second] = plan.changes.map((change, at) => ({ at, change }));
    await lost.answered(
      new Map([
        [0, doneResult(first!, { id: "7" })],
        [1, ownResult(second!, "not_sent", { code: "NOT_SENT", message: "" })],
      ]),
    );
    const { statuses } = await winner.read(plan);
    deepEqual(statuses.slice(0, 2), [{ state: "done", id: "7" }, { state: "unknown", lookalikes: [] }]);
  }));

Deno.test("what a dead process sent last is waited for before the account is read", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    const { client, held, letGo } = await holding(world, "/sb/v4/adGroups");
    const dying = copy(plan).apply(client, { journal: path });
    await held;
    // The process is dead from here on, as its journal shows; its request is still on the way.
    const left = `${path}.left`;
    await Deno.copyFile(path, left);
    const waits: number[] = [];
    const patient = new PlatformAds(world.emulator.credentials, {
      platform: world.emulator.platform,
      now: world.time.now,
      timeout: 30,
      sleep: async (seconds) => {
        waits.push(seconds);
        letGo();
        await dying;
      },
    });
    const result = await resumePlan(plan, await patient.profile("US"), { journal: left });
    deepEqual(waits, [30]);
    equal(result.ok, true, result.summary());
    deepEqual(made(parts), [1, 1, 1, 1, 1]);
    equal(result.rollbackPlan().changes.length, 5);
  }));

Deno.test("the wait is the client's timeout, whatever age the journal seems to have; looking alone waits for nothing", () =>
  scene(async ({ world, path, plan }) => {
    const journal = new ApplyJournal(path, world.time.now);
    await journal.begin(plan);
    await journal.sending([0, 1]);
    world.time.advance(45);
    const waits: number[] = [];
    const options = { journal: path, onWait: (seconds: number) => void waits.push(seconds) };
    const looked = await resumePlan(plan, world.us, { ...options, lookOnly: true });
    deepEqual(waits, [], "who only looks does not wait");
    deepEqual(looked.changes.map(({ outcome }) => outcome), [
      ...["unknown", "unknown"],
      ...["not_sent", "not_sent", "not_sent"],
    ]);
    await resumePlan(plan, world.us, { ...options, abandon: true });
    deepEqual(waits, [60]);
    const later = await resumePlan(plan, world.us, { ...options, lookOnly: true });
    deepEqual(later.changes.map(({ outcome }) => outcome), Array(5).fill("not_sent"));
  }));

Deno.test("looking at a journal writes nothing", () =>
  scene(async ({ world, path, plan }) => {
    await copy(plan).apply(world.us, { journal: path });
    const before = await Deno.readTextFile(path);
    equal((await resumePlan(plan, world.us, { journal: path, lookOnly: true })).ok, true);
    equal(await Deno.readTextFile(path), before);
  }));

Deno.test("an application that fails before anything was done leaves no journal behind", () =>
  scene(async ({ world, path, plan }) => {
    world.emulator.setFaults([{
      match: { operation: "CreateSponsoredBrandsAdGroups" },
      effects: { response: { status: 403 } },
    }]);
    await rejects(plan.apply(world.us, { journal: path }), /403/);
    world.emulator.setFaults([]);
    equal((await plan.apply(world.us, { journal: path })).ok, true, "so it can simply be tried again");
  }));

Deno.test("a journal may be cut at any byte: the plan is done once and whole all the same", () =>
  scene(async (parts) => {
    const { world, path, plan } = parts;
    await copy(plan).apply(world.us, { journal: path });
    const whole = await Deno.readTextFile(path);
    // Each line is cut before and after its first and its last character, and here and there within it.
    const ends = [...whole.matchAll(/\n/g)].flatMap(({ index }) => [index - 1, index, index + 1, index + 2]);
    const within = Array.from({ length: Math.ceil(whole.length / 61) }, (_, at) => at * 61);
    const cuts = new Set([...within, ...ends].filter((cut) => cut <= whole.length).sort((a, b) => a - b));
    for (const cut of cuts) {
      // The process died here; everything it had sent was carried out, if it had sent anything.
      const sent = whole.slice(0, cut).includes('"event":"sending"') &&
        whole.indexOf("\n", whole.indexOf('"event":"sending"')) < cut;
      if (!sent) world.emulator.reset();
      await Deno.writeTextFile(path, whole.slice(0, cut));
      const result = await resumePlan(copy(plan), world.us, { journal: path });
      equal(result.ok, true, `cut at ${cut}: ${result.summary()}`);
      deepEqual(made(parts), [1, 1, 1, 1, 1], `cut at ${cut}`);
      const again = await resumePlan(copy(plan), world.us, { journal: path });
      deepEqual([again.ok, ...made(parts)], [true, 1, 1, 1, 1, 1], `cut at ${cut}, twice`);
    }
  }));

Deno.test("a journal that was damaged otherwise is refused", () =>
  scene(async ({ world, path, plan }) => {
    await copy(plan).apply(world.us, { journal: path });
    const lines = (await Deno.readTextFile(path)).split("\n");
    for (
      const damaged of [
        [lines[0], lines[1]!.slice(9), ...lines.slice(2)],
        [lines[0], "}", ...lines.slice(1)],
        lines.slice(1),
      ]
    ) {
      await Deno.writeTextFile(path, damaged.join("\n"));
      await rejects(resumePlan(plan, world.us, { journal: path }), PlanStateError);
    }
  }));
