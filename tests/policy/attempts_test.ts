import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { type Change, ChangePlan, type Fetch, ForbiddenError, PlanStore } from "../../mod.ts";
import { judge } from "../../src/plans/review/judge.ts";
import { FolderLedger, parsePolicy } from "../../src/plans/policy/mod.ts";
import { emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const [DAY, NEXT_DAY] = ["2026-09-30", "2026-10-01"];
const NOW = Date.parse(`${DAY}T12:00:00Z`);

/** A plan of three changes in two requests, under a policy that allows `allowed` changes a day. */
async function attempts(
  allowed: number,
  step: (scene: {
    plan: ChangePlan;
    us: Awaited<ReturnType<typeof emulated>>["us"];
    store: PlanStore;
    ledger: FolderLedger;
    /** What becomes of writes from now on. */
    network: { answer: (request: Request) => Promise<Response> | undefined };
    /** Time of the policy, milliseconds. */
    clock: { now: number };
    /** Changes that count for a day, the first one where none is named. */
    counted: (day?: string) => Promise<number>;
    /** Writes that reached the platform. */
    writes: () => number;
  }) => Promise<void>,
): Promise<void> {
  await using folder = await temporaryFolder();
  const ledger = new FolderLedger(`${folder.path}/days`);
  const clock = { now: NOW };
  const network: { answer: (request: Request) => Promise<Response> | undefined } = {
    answer: () => undefined,
  };
  const isWrite = (method: string, url: string): boolean =>
    method === "PUT" || method === "POST" && new URL(url).pathname.endsWith("/sp/negativeKeywords");
  const held: Fetch = (input, init) => {
    const request = new Request(input, init);
    return (isWrite(request.method, request.url) ? network.answer(request) : undefined) ?? fetch(input, init);
  };
  await using account = await emulated({
    fetchOf: () => held,
    client: {
      policy: parsePolicy(`version: 1\nmax_changes: ${allowed}\n`, { ledger, now: () => clock.now }),
    },
  });
  const { us, emulator } = account;
  const keywords = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const { campaignId, adGroupId } = keywords[0]!;
  const raises = keywords.slice(0, 2).map(({ keywordId, bid = 1, keywordText }): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: keywordId,
    before: { bid },
    after: { bid: Math.round(bid * 110) / 100 },
    label: keywordText,
  }));
  const negative: Change = {
    kind: "sp.negative_keywords",
    op: "create",
    id: null,
    before: {},
    after: {
      campaignId,
      adGroupId,
      keywordText: "never again",
      matchType: "NEGATIVE_EXACT",
      state: "ENABLED",
    },
    label: "never again",
  };
  const { profileId, countryCode } = us;
  const plan = new ChangePlan({ profileId, countryCode, changes: [...raises, negative] });
  const store = PlanStore.open(`${folder.path}/plans`);
  await store.save(plan);
  await step({
    plan,
    us,
    store,
    ledger,
    network,
    clock,
    counted: async (day = DAY) => (await ledger.totals({ profileId, day })).changes,
    writes: () => emulator.requests().filter(({ method, path }) => isWrite(method, `http://a${path}`)).length,
  });
}

for (const how of ["from a store", "without a journal"]) {
  Deno.test(`a plan ${how} whose first request is refused takes nothing of the day`, () =>
    attempts(3, async ({ plan, us, store, network, counted }) => {
      network.answer = () => Promise.resolve(Response.json({ message: "No" }, { status: 403 }));
      const apply = () => how === "from a store" ? store.apply(plan, us) : plan.apply(us);
      await rejects(apply(), (error: Error) => error instanceof ForbiddenError);
      equal(await counted(), 0);
      network.answer = () => undefined;
      const applied = await apply();
      ok("result" in applied ? applied.result.ok : applied.ok);
      equal(await counted(), 3);
    }));
}

Deno.test("a plan that is applied a second time is refused, and takes nothing of the day", () =>
  attempts(9, async ({ plan, us, counted }) => {
    await plan.apply(us);
    await rejects(plan.apply(us), /applied before/);
    equal(await counted(), 3);
  }));

Deno.test("a plan whose earlier values cannot be recorded takes nothing of the day", () =>
  attempts(3, async ({ plan, us, store, ledger, counted, writes }) => {
    const { keepSent } = ledger;
    ledger.keepSent = () => Promise.reject(new Error("disk full"));
    await rejects(store.apply(plan, us), /disk full/);
    deepEqual([await counted(), writes()], [0, 0]);
    ledger.keepSent = keepSent;
    await store.apply(plan, us);
    equal(await counted(), 3);
  }));

Deno.test("what a process took of the day before it died at its journal is there for the next one", () =>
  attempts(3, async ({ plan, us, store, ledger, counted }) => {
    const entry = { changes: 3, creates: 1, updates: 2, archives: 0, spendIncrease: 0, first: [] };
    const key = `${plan.id} ${plan.fingerprint}`;
    const place = { profileId: us.profileId, day: DAY };
    await ledger.reserve(place, { key, resumes: false, exclusive: true, decide: () => entry });
    deepEqual((await judge(plan, us)).denied, []);
    const { result } = await store.apply(plan, us);
    ok(result.ok, result.summary());
    equal(await counted(), 3);
  }));

Deno.test("a plan that was cut off in the middle needs no more of the day than it has taken", () =>
  attempts(3, async ({ plan, us, store, network, counted, writes }) => {
    const dead = Promise.withResolvers<void>();
    network.answer = ({ url }) => {
      if (!url.endsWith("/sp/negativeKeywords")) return undefined;
      dead.resolve();
      return new Promise(() => {});
    };
    void store.apply(plan, us).catch(() => {});
    await dead.promise;
    network.answer = () => undefined;
    equal(await counted(), 3);
    equal(writes(), 1);
    const later = PlanStore.open(store.path);
    const review = await judge(plan, us, { found: await later.look(plan, us) });
    deepEqual(review.denied, []);
    const { result } = await later.resume(plan, us, { settleAfter: 0 });
    ok(result.ok, result.summary());
    equal(writes(), 2);
    equal(await counted(), 3);
  }));

Deno.test("a plan that is resumed after midnight takes of the new day what is left of it, and nothing from the day before", () =>
  attempts(3, async ({ plan, us, store, ledger, network, clock, counted }) => {
    const dead = Promise.withResolvers<void>();
    network.answer = ({ url }) => {
      if (!url.endsWith("/sp/negativeKeywords")) return undefined;
      dead.resolve();
      return new Promise(() => {});
    };
    void store.apply(plan, us).catch(() => {});
    await dead.promise;
    network.answer = () => undefined;
    clock.now += 86_400_000;
    const entry = { changes: 2, creates: 0, updates: 2, archives: 0, spendIncrease: 0, first: [] };
    const place = { profileId: us.profileId, day: NEXT_DAY };
    await ledger.reserve(place, { key: "another", resumes: false, decide: () => entry });
    const later = PlanStore.open(store.path);
    deepEqual((await judge(plan, us, { found: await later.look(plan, us) })).denied, []);
    const { result } = await later.resume(plan, us, { settleAfter: 0 });
    ok(result.ok, result.summary());
    deepEqual([await counted(), await counted(NEXT_DAY)], [3, 3]);
    const { creates, updates } = await ledger.totals(place);
    deepEqual([creates, updates], [1, 2], "the negative keyword of the plan, the updates of the other");
  }));

Deno.test("a change of which nobody knows whether it was done counts once when the plan is resumed", () =>
  attempts(3, async ({ plan, us, store, network, counted }) => {
    network.answer = ({ url }) =>
      url.endsWith("/sp/negativeKeywords") ? Promise.reject(new TypeError("connection reset")) : undefined;
    const { result: cutOff } = await store.apply(plan, us);
    deepEqual(cutOff.changes.map(({ outcome }) => outcome), ["done", "done", "unknown"]);
    network.answer = () => undefined;
    const review = await judge(plan, us, { found: await store.look(plan, us) });
    deepEqual(review.denied, []);
    const { result } = await store.resume(plan, us, { settleAfter: 0 });
    ok(result.ok, result.summary());
    equal(await counted(), 3);
  }));

Deno.test("a plan that was cut off is not reviewed as if others had taken nothing", () =>
  attempts(4, async ({ plan, us, store, ledger, network }) => {
    const dead = Promise.withResolvers<void>();
    network.answer = () => (dead.resolve(), new Promise(() => {}));
    void store.apply(plan, us).catch(() => {});
    await dead.promise;
    network.answer = () => undefined;
    const entry = { changes: 2, creates: 0, updates: 2, archives: 0, spendIncrease: 0, first: [] };
    const place = { profileId: us.profileId, day: DAY };
    await ledger.reserve(place, { key: "another", resumes: false, decide: () => entry });
    const later = PlanStore.open(store.path);
    const { denied } = await judge(plan, us, { found: await later.look(plan, us) });
    deepEqual(denied.map(({ message }) => message), [
      "5 changes today including this plan; at most 4 are allowed",
    ]);
  }));

Deno.test("of two programs that apply one plan at once, the one that comes second gives its share back", () =>
  attempts(6, async ({ plan, us, store, counted, writes }) => {
    const both = await Promise.allSettled([1, 2].map(async () => {
      const own = PlanStore.open(store.path);
      return await own.apply(await own.get(plan.id), us);
    }));
    deepEqual(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    equal(writes(), 2);
    equal(await counted(), 3);
  }));
