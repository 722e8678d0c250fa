import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import fc from "fast-check";
import { AuthError, ChangePlan, PlanStore, type PlatformAds } from "../../mod.ts";
import { Rollout } from "../../src/account/mod.ts";
import { parsePortions, stagesOf } from "../../src/account/rollout/stages.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { type Judging, withAndWithoutPolicy } from "../support/judging.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const PROFILES = 8;

Deno.test("stages have the sizes that are given, the last one repeated, and hold everything once", () => {
  const items = [...Array(300).keys()];
  deepEqual(stagesOf(items, [1, "10%", "100%"]).map(({ length }) => length), [1, 30, 269]);
  deepEqual(stagesOf(items, parsePortions("1, 50%")).map(({ length }) => length), [1, 150, 149]);
  deepEqual(stagesOf([1, 2, 3], ["1%"]).map(({ length }) => length), [1, 1, 1]);
  for (const wrong of ["", "x", "-1", "101%", "1,,2", "5 %%"]) {
    throws(() => parsePortions(wrong), /expected a number such as 3/);
  }
  fc.assert(
    fc.property(
      fc.nat(500),
      fc.array(
        fc.oneof(
          fc.integer({ min: 0, max: 40 }),
          fc.integer({ min: 0, max: 100 }).map((n) => `${n}%` as const),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      (count, serial) => {
        const all = [...Array(count).keys()];
        deepEqual(stagesOf(all, serial).flat(), all);
      },
    ),
    { seed: 1, numRuns: 200 },
  );
});

/** A plan for each profile that pauses one of its campaigns. */
async function plansOf(ads: PlatformAds): Promise<ChangePlan[]> {
  const plans = [];
  for (const { profileId } of await ads.profiles()) {
    const client = await ads.profile(profileId);
    const [campaign] = await client.sp.campaigns.list({ states: ["ENABLED"] });
    plans.push(await client.sp.campaigns.planUpdate([{ campaignId: campaign!.campaignId, state: "PAUSED" }]));
  }
  return plans;
}

interface Begun extends AsyncDisposable {
  readonly world: Emulated;
  readonly folder: string;
  readonly plans: ChangePlan[];
  readonly clientOf: (plan: ChangePlan) => ReturnType<PlatformAds["profileFrom"]>;
}

async function begun({ client }: Pick<Judging, "client">): Promise<Begun> {
  const world = await emulated({ client });
  const temporary = await temporaryFolder();
  const plans = await plansOf(world.ads);
  await Rollout.create(temporary.path, plans, { note: "Pause" });
  return {
    world,
    folder: temporary.path,
    plans,
    clientOf: ({ profileId, countryCode }) => world.ads.profileFrom(profileId, countryCode),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await temporary.remove();
    },
  };
}

withAndWithoutPolicy("a rollout is applied stage by stage, and a failed canary stops it", async (judging) => {
  await using one = await begun(judging);
  const { world, folder, plans, clientOf } = one;
  const rollout = await Rollout.open(folder);
  // The first profile drifts: its plan is refused before anything is sent.
  const [first] = plans;
  const [change] = first!.changes;
  await world.ads.profileFrom(first!.profileId, first!.countryCode).sp.campaigns.update([{
    campaignId: change!.id!,
    state: "PAUSED",
  }]);
  const options = { serial: [1, "50%", "100%"], stopOnFailures: "10%", checkDrift: true } as const;
  const stages: number[] = [];
  const stopped = await rollout.apply(clientOf, {
    ...options,
    onPlan: (_, stage) => void stages.push(stage),
  });
  equal(stopped.ok, false);
  match(stopped.stopped!, /1 of the 1 plans of stage 1 failed/);
  deepEqual(stages, [1]);
  deepEqual(stopped.entries.map(({ state }) => state), Array(PROFILES).fill("open"));

  // Once the reason is gone, the same rollout goes on.
  await clientOf(first!).sp.campaigns.update([{ campaignId: change!.id!, state: "ENABLED" }]);
  const done = await (await Rollout.open(folder)).apply(clientOf, {
    ...options,
    onPlan: (_, stage) => void stages.push(stage),
  });
  equal(done.stopped, undefined);
  equal(done.ok, true);
  deepEqual(
    Map.groupBy(stages.slice(1), (stage) => stage).entries().map(([stage, list]) => [stage, list.length])
      .toArray(),
    [[1, 1], [2, 4], [3, 3]],
  );
  const again = await (await Rollout.open(folder)).apply(clientOf, options);
  equal(again.ok, true);
  for (const plan of plans) {
    equal((await clientOf(plan).sp.campaigns.get(plan.changes[0]!.id!))?.state, "PAUSED");
  }
});

Deno.test("after an error of the login no more plans are begun, and those that are sent are finished first", async () => {
  await using one = await begun({ client: {} });
  const { folder, plans, clientOf } = one;
  const [first, second] = plans;
  const started: string[] = [];
  const over: string[] = [];
  const firstBegun = Promise.withResolvers<void>();
  const sending = (await Rollout.open(folder)).apply((plan) => {
    if (plan.id === second!.id) throw new AuthError("The login ended", "invalid_grant");
    return clientOf(plan);
  }, {
    concurrency: 2,
    onBegin: async ({ id }) => {
      started.push(id);
      if (id === first!.id) firstBegun.resolve();
      await firstBegun.promise;
    },
    onPlan: ({ plan: { id } }) => void over.push(id),
  });
  await rejects(() => sending, /The login ended/);
  deepEqual(started.toSorted(), [first!.id, second!.id].toSorted());
  deepEqual(over, [first!.id]);
});

Deno.test("a rollout whose undo is started elsewhere begins no more plans", async () => {
  await using one = await begun({ client: {} });
  const { folder, plans, clientOf } = one;
  const [opened, elsewhere] = [await Rollout.open(folder), await Rollout.open(folder)];
  const started: string[] = [];
  await rejects(() =>
    opened.apply(clientOf, {
      serial: [1],
      onBegin: ({ id }) => void started.push(id),
      onPlan: async () => {
        await (await elsewhere.rollback(clientOf)).apply(clientOf, {});
      },
    }), /its undo was started at/);
  deepEqual(started, [plans[0]!.id]);
  await rejects(() => elsewhere.apply(clientOf), /its undo was started at/);
});

Deno.test("a plan that is out of proportion is sent by a name alone, and not where its file hides it", async () => {
  await using world = await emulated();
  const { us } = world;
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const plan = await us.sp.campaigns.planUpdate([{
    campaignId: campaign!.campaignId,
    budget: { budget: campaign!.budget!.budget * 5 },
  }]);
  const { profileId, countryCode, changes } = plan;
  const hiding = new ChangePlan({ profileId, countryCode, changes });
  const approvedBy = (): string => "Ann";
  for (
    const [sent, options, why] of [
      [
        plan,
        {},
        /without a person's approval.* need approval[^]*Review the findings, and pass approvedBy/,
      ],
      [hiding, {}, /without a person's approval\. Findings that need approval/],
      [hiding, { approvedBy }, /1 finding was not shown/],
    ] as const
  ) {
    await using folder = await temporaryFolder();
    const { entries } = await (await Rollout.create(folder.path, [sent])).apply(() => us, options);
    deepEqual(entries.map(({ state }) => state), ["open"]);
    match(entries[0]!.summary!, why);
  }
  await using folder = await temporaryFolder();
  const { ok: isDone } = await (await Rollout.create(folder.path, [plan])).apply(() => us, { approvedBy });
  equal(isDone, true);
});

withAndWithoutPolicy(
  "a rollout that is cut off at any plan is resumed as one, and nothing is sent twice",
  async (judging) => {
    for (const cutAt of [1, 5, PROFILES]) {
      await using one = await begun(judging);
      const { world, folder, clientOf } = one;
      const before = world.emulator.requests().filter(({ method }) => method === "PUT").length;
      const abort = new AbortController();
      let seen = 0;
      const rollout = await Rollout.open(folder);
      const cut = await rollout.apply(clientOf, {
        concurrency: 3,
        signal: abort.signal,
        onPlan: () => {
          if (++seen === cutAt) abort.abort(new Error("cut off"));
        },
      });
      ok(cut.stopped !== undefined || cutAt === PROFILES);
      const resumed = await (await Rollout.open(folder)).apply(clientOf, { concurrency: 3 });
      deepEqual(resumed.entries.map(({ state }) => state), Array(PROFILES).fill("done"));
      equal(world.emulator.requests().filter(({ method }) => method === "PUT").length - before, PROFILES);
    }
  },
);

withAndWithoutPolicy(
  "a folder takes one rollout, with one plan a profile, and none that was exchanged",
  async (judging) => {
    await using one = await begun(judging);
    const { folder, plans } = one;
    await rejects(Rollout.create(folder, plans), /it holds one already/);
    await rejects(Rollout.create(`${folder}/b`, [plans[0]!, plans[0]!]), /has two plans/);
    await Deno.remove(`${folder}/plan-${plans[3]!.id}.json`);
    await rejects((await Rollout.open(folder)).entries(), /Cannot find plan/);
    await Deno.writeTextFile(`${folder}/rollout.json`, "{}");
    await rejects(Rollout.open(folder), /is not a rollout that this release reads/);
  },
);

async function statesOf(plans: readonly ChangePlan[], clientOf: Begun["clientOf"]): Promise<unknown[]> {
  return await Promise.all(
    plans.map(async (plan) => (await clientOf(plan).sp.campaigns.get(plan.changes[0]!.id!))?.state),
  );
}

withAndWithoutPolicy(
  "a rollout that stopped is undone in stages, also after a cut, and nothing of it is sent later",
  async (judging) => {
    await using one = await begun(judging);
    const { world, folder, plans, clientOf } = one;
    const stop = new AbortController();
    let applied = 0;
    await (await Rollout.open(folder)).apply(clientOf, {
      serial: [4],
      concurrency: 1,
      stop: stop.signal,
      onPlan: () => void (++applied === 5 && stop.abort()),
    });
    const puts = (): number => world.emulator.requests().filter(({ method }) => method === "PUT").length;
    const before = puts();
    deepEqual(await statesOf(plans, clientOf), [...Array(5).fill("PAUSED"), ...Array(3).fill("ENABLED")]);

    const cut = new AbortController();
    const stages: number[] = [];
    const undo = await (await Rollout.open(folder)).rollback(clientOf);
    equal(undo.data.plans.length, 5);
    deepEqual(undo.data.left_out.map(({ reason }) => reason), Array(3).fill("Nothing to undo"));
    equal((await Rollout.open(folder)).data.undone_at, undefined, "nothing is given up before it is applied");
    const first = await undo.apply(clientOf, {
      serial: [1, "100%"],
      concurrency: 1,
      checkDrift: true,
      signal: cut.signal,
      onPlan: (_, stage) => {
        stages.push(stage);
        if (stages.length === 2) cut.abort(new Error("cut off"));
      },
    });
    equal(first.stopped, "It was interrupted");
    await rejects(
      (await Rollout.open(folder)).apply(clientOf),
      /its undo was started at .* continues it/,
    );

    const again = await (await Rollout.open(folder)).rollback(clientOf);
    const rest = await again.apply(clientOf, {
      serial: [1, "100%"],
      checkDrift: true,
      onPlan: (_, stage) => void stages.push(stage),
    });
    equal(rest.ok, true);
    deepEqual(stages, [1, 2, 2, 2, 2]);
    equal(puts() - before, 5, "each plan was undone once");
    deepEqual(await statesOf(plans, clientOf), Array(PROFILES).fill("ENABLED"));
    const after = await Rollout.open(folder);
    deepEqual((await after.entries()).map(({ state }) => state), [
      ...Array(5).fill("undone"),
      ...Array(3).fill("open"),
    ]);
    const nothing = await (await after.rollback(clientOf)).apply(clientOf);
    equal(nothing.ok, true);
    equal(puts() - before, 5);
  },
);

withAndWithoutPolicy(
  "a plan whose undo was undone is done, and is undone with its rollout, also past an undo that was refused",
  async (judging) => {
    await using one = await begun(judging);
    const { world, folder, plans, clientOf } = one;
    const open = () => Rollout.open(folder);
    equal((await (await open()).apply(clientOf)).ok, true);
    const store = PlanStore.open(folder);
    const [plan] = plans;
    const client = clientOf(plan!);
    const stateOf = async () => (await (await open()).entries())[0]!.state;
    await store.rollBack(plan!, client);
    equal(await stateOf(), "undone");
    const redo = await store.rollBack(await store.get(`${plan!.id}-undo`), client);
    equal(redo?.result.ok, true);
    equal(await stateOf(), "done");
    deepEqual(await statesOf(plans, clientOf), Array(PROFILES).fill("PAUSED"));
    await store.refuse({ id: `${plan!.id}-undo3` });

    const undo = await (await open()).rollback(clientOf);
    equal(undo.data.plans[0]!.plan_id, `${plan!.id}-undo3-again`);
    equal((await undo.apply(clientOf, { checkDrift: true })).ok, true);
    deepEqual(await statesOf(plans, clientOf), Array(PROFILES).fill("ENABLED"));
    deepEqual((await (await open()).entries()).map(({ state }) => state), Array(PROFILES).fill("undone"));
    const puts = (): number => world.emulator.requests().filter(({ method }) => method === "PUT").length;
    const before = puts();
    equal((await (await (await open()).rollback(clientOf)).apply(clientOf)).ok, true);
    equal(puts(), before, "nothing is left to undo");
  },
);

withAndWithoutPolicy(
  "what drifted since a rollout stays when it is undone, and is undone by the next attempt",
  async (judging) => {
    await using one = await begun(judging);
    const { folder, plans, clientOf } = one;
    await (await Rollout.open(folder)).apply(clientOf);
    const id = plans[2]!.changes[0]!.id!;
    await clientOf(plans[2]!).sp.campaigns.update([{ campaignId: id, state: "ENABLED" }]);
    const undone = await (await (await Rollout.open(folder)).rollback(clientOf)).apply(clientOf, {
      checkDrift: true,
      stopOnFailures: 1,
    });
    equal(undone.ok, false);
    equal(undone.entries.filter(({ state }) => state === "done").length, PROFILES - 1);
    await clientOf(plans[2]!).sp.campaigns.update([{ campaignId: id, state: "PAUSED" }]);
    const next = await (await (await Rollout.open(folder)).rollback(clientOf)).apply(clientOf, {
      checkDrift: true,
    });
    equal(next.ok, true);
    deepEqual(await statesOf(plans, clientOf), Array(PROFILES).fill("ENABLED"));
  },
);
