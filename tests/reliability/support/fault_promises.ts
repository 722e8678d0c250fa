import { deepEqual, equal, ok } from "../../support/assert.ts";
import fc from "fast-check";
import {
  type BatchResult,
  type Change,
  type PlanResult,
  PlatformAdsError,
  resumePlan,
  type WireName,
} from "../../../mod.ts";
import type { FaultRule } from "../../../src/emulator/mod.ts";
import { faultSchedule, KNOWN_SCHEDULES, lies } from "./fault_schedule.ts";
import { amount } from "./size.ts";
import { type PlanSizes, TestAccount } from "./test_account.ts";
import type { WireTap } from "./wire_tap.ts";
import { World } from "./world.ts";

/** Schedules in all; each of the four sorts of work gets its share. */
const SCHEDULES: Readonly<Record<WireName, number>> = {
  legacy: amount(60, 10_000),
  unified: amount(30, 10_000),
  compare: 0,
};

const sizes: fc.Arbitrary<PlanSizes> = fc.record({
  bids: fc.integer({ min: 0, max: 40 }),
  budgets: fc.integer({ min: 0, max: 7 }),
  adGroups: fc.integer({ min: 0, max: 23 }),
  keywords: fc.integer({ min: 0, max: 20 }),
  archives: fc.integer({ min: 0, max: 8 }),
  brandBids: fc.integer({ min: 0, max: 6 }),
  brandKeywords: fc.integer({ min: 0, max: 6 }),
  brandTargets: fc.integer({ min: 0, max: 6 }),
  brandAds: fc.integer({ min: 0, max: 6 }),
  displayBids: fc.integer({ min: 0, max: 6 }),
  displayTargets: fc.integer({ min: 0, max: 6 }),
});

/** Of the whole suite, this share goes over sockets; the rest is answered within the process, which is much cheaper. */
const OVER_SOCKETS = amount(1, 0.03);

/** What the known schedules meet: more than one request of every sort. */
const PLANS = {
  input: sizes,
  known: {
    bids: 5,
    budgets: 11,
    adGroups: 23,
    keywords: 5,
    archives: 3,
    brandBids: 4,
    brandKeywords: 4,
    brandTargets: 4,
    brandAds: 4,
    displayBids: 4,
    displayTargets: 4,
  },
};

/** Which schedules are drawn, and what goes by which wire. */
interface Course {
  readonly wire: WireName;
  readonly seed: number;
}

interface Run {
  readonly wire: WireName;
  readonly world: World;
  readonly account: TestAccount;
  readonly rules: readonly FaultRule[];
}

/** Starts every schedule on the untouched account, and holds what must be true of any client at its end. */
async function forAll<Input>(
  { share, wire, seed: first }: Course & { readonly share: number },
  { input, known }: { input: fc.Arbitrary<Input>; known?: Input },
  work: (run: Run, input: Input) => Promise<void>,
): Promise<void> {
  const all = Math.ceil(SCHEDULES[wire] * share);
  const some = Math.ceil(all * OVER_SOCKETS);
  for (
    const { listen, numRuns, seed } of [
      { listen: true, numRuns: some, seed: first },
      { listen: false, numRuns: all - some, seed: first + 1 },
    ]
  ) {
    if (numRuns > 0) await forSome({ wire, listen, numRuns, seed }, { input, known }, work);
  }
}

async function forSome<Input>(
  { wire, listen, numRuns, seed }: { wire: WireName; listen: boolean; numRuns: number; seed: number },
  { input, known }: { input: fc.Arbitrary<Input>; known: Input | undefined },
  work: (run: Run, input: Input) => Promise<void>,
): Promise<void> {
  await using world = await World.start({ listen });
  const account = await TestAccount.of(world.emulator, { fetch: world.fetch });
  await fc.assert(
    fc.asyncProperty(faultSchedule, input, async (rules, value) => {
      world.emulator.reset();
      world.emulator.setFaults(rules);
      await work({ world, account, rules, wire }, value);
    }),
    {
      numRuns,
      seed,
      examples: known === undefined
        ? []
        : KNOWN_SCHEDULES.map((rules): [FaultRule[], Input] => [rules, known]),
    },
  );
}

function checkWire(tap: WireTap, { world, rules, wire }: Omit<Run, "account">): void {
  if (wire === "unified") {
    const older = tap.exchanges.filter(({ method, url }) => method === "PUT" && /\/s[pbd]\//.test(url));
    deepEqual(older.map(({ url }) => url), [], "no write goes by the older wire");
  }
  deepEqual(tap.insidePauses().map(({ url }) => url), []);
  const deaths = rules.reduce((sum, { effects, times = 0 }) => sum + (effects.expireToken ? times : 0), 0);
  const hours = (world.time.now() - tap.exchanges[0]!.leftAt) / 3_600_000;
  ok(tap.tokenRequests.length <= 1 + deaths + Math.ceil(hours), "one renewal for each token that died");
}

/** Every item has exactly one verdict, in order. */
function checkWhole(result: BatchResult, count: number): void {
  deepEqual([...result].map(({ index }) => index), [...Array(count).keys()]);
}

/** What a result says of each change agrees with what the platform has. */
function checkHonest(result: PlanResult, account: TestAccount, isLying: boolean): void {
  deepEqual(result.changes.map(({ change }) => change), [...result.plan.changes]);
  for (const { change, outcome, id } of result.changes) {
    const name = `${change.op} ${change.kind} ${change.label}`;
    const times = account.timesDone(change);
    ok(times <= 1, `${name} was done ${times} times`);
    if (outcome === "done") {
      equal(times, 1, `${name} is called done`);
      if (change.op === "create") deepEqual(account.made(change), [id]);
    } else if (!isLying && (outcome === "refused" || outcome === "not_sent")) {
      equal(times, 0, `${name} is called ${outcome}`);
    }
  }
}

/** Makes the tests of what must be true of any client under drawn schedules of faults. */
export function testUnderFaults(course: Course): void {
  const { wire } = course;
  Deno.test(`${wire}: under any faults a list is whole, or an error`, () =>
    forAll(
      { share: 0.2, ...course },
      { input: fc.constantFrom(50, 120, 1000) },
      async ({ world, account, rules, wire }, pageSize) => {
        const { profile, tap } = await account.client(world, { wire });
        const expected = world.truth(account.profileId, "sp.keywords").map(({ keywordId }) => keywordId);
        try {
          const keywords = await profile.sp.keywords.list({ states: null, pageSize });
          deepEqual(keywords.map(({ keywordId }) => keywordId), expected);
        } catch (error) {
          ok(error instanceof PlatformAdsError, String(error));
        }
        checkWire(tap, { world, rules, wire });
      },
    ));

  Deno.test(`${wire}: under any faults a batch has a verdict for every item, and none was done twice`, () =>
    forAll({ share: 0.3, ...course }, PLANS, async ({ world, account, rules, wire }, size) => {
      const { profile, tap } = await account.client(world, { wire });
      for (const [, changes] of account.plan(size).grouped()) {
        const { kind, op } = changes[0]!;
        const resource = profile.resource(kind);
        const work = op === "create"
          ? resource.create(changes.map(({ after }) => after))
          : op === "archive"
          ? resource.delete(changes.map(({ id }) => id!))
          : resource.update(changes.map(({ id, after }) => ({ [resource.idField]: id, ...after })));
        const done = (): Change[] => changes.filter((change) => account.timesDone(change) > 0);
        try {
          checkWhole(await work, changes.length);
        } catch (error) {
          ok(error instanceof PlatformAdsError, String(error));
          if (!lies(rules)) deepEqual(done(), [], "what is thrown means that nothing was done");
        }
        for (const change of changes) ok(account.timesDone(change) <= 1);
      }
      checkWire(tap, { world, rules, wire });
    }));

  Deno.test(`${wire}: under any faults a plan's result tells the truth, and its rollback restores what was done`, () =>
    forAll({ share: 0.25, ...course }, PLANS, async ({ world, account, rules, wire }, size) => {
      const { profile, tap } = await account.client(world, { wire });
      const plan = account.plan(size);
      let result: PlanResult;
      try {
        result = await plan.apply(profile);
      } catch (error) {
        ok(error instanceof PlatformAdsError, String(error));
        if (!lies(rules)) {
          deepEqual(plan.changes.filter((change) => account.timesDone(change) > 0), []);
        }
        return;
      }
      checkHonest(result, account, lies(rules));
      checkWire(tap, { world, rules, wire });

      world.emulator.setFaults([]);
      const undone = await result.rollbackPlan().apply(profile);
      equal(undone.ok, true, undone.summary());
      for (const { change, outcome } of result.changes) {
        if (outcome !== "done" || change.op === "archive") continue;
        ok(account.isUndone(change), `${change.op} ${change.kind} ${change.label} is undone`);
      }
    }));

  Deno.test(`${wire}: whatever cuts a plan off, resuming it on either wire does every change once, and the rollback restores them`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      let number = 0;
      await forAll({ share: 0.25, ...course }, PLANS, async ({ world, account, rules, wire }, size) => {
        const journal = `${folder}/${number++}.jsonl`;
        const { profile } = await account.client(world, { wire });
        const plan = account.plan(size);
        const isBegun = await plan.apply(profile, { journal }).then(() => true, (error) => {
          ok(error instanceof PlatformAdsError, String(error));
          return false;
        });
        world.emulator.setFaults([]);
        // What is thrown says that nothing was done; a platform that lies about it makes the next call do it again.
        if (!isBegun && lies(rules)) return;
        // Every second one goes on by the other wire, which finds what the first one did.
        const other = wire === "legacy" ? "unified" : "legacy";
        const { profile: next } = number % 2 === 0
          ? await account.client(world, { wire: other })
          : { profile };
        const result = isBegun
          ? await resumePlan(plan, next, { journal })
          : await plan.apply(next, { journal });
        checkHonest(result, account, lies(rules));
        if (!lies(rules)) deepEqual(result.failures.filter(({ outcome }) => outcome !== "refused"), []);

        const undone = await result.rollbackPlan().apply(next);
        equal(undone.ok, true, undone.summary());
        await Deno.remove(journal);
      });
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
