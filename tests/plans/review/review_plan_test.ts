import assert from "node:assert/strict";
import type { Change, EntityFields } from "../../../src/plans/model/change.ts";
import type { Finding } from "../../../src/plans/model/finding.ts";
import type { MoneyAtRisk } from "../../../src/plans/model/plan_data.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import type { PlanTarget } from "../../../src/plans/model/plan_target.ts";
import { AccountReading } from "../../../src/plans/state/account_reading.ts";
import { PlatformAdsError } from "../../../src/errors.ts";
import { Unread } from "../../../src/plans/model/prior_state.ts";
import { readPriorState } from "../../../src/plans/state/read_prior_state.ts";
import type { FiguresRequest } from "../../../src/plans/review/figures_source.ts";
import { reviewPlan, withReview } from "../../../src/plans/review/review_plan.ts";
import type { ReviewContext, WritePolicy } from "../../../src/plans/model/write_policy.ts";
import { long } from "../../support/long.ts";

type Entities = Readonly<Record<string, Readonly<Record<string, EntityFields>>>>;

/** An account; `asked` holds what was read of it. */
function accountOf(entities: Entities, more: Partial<PlanTarget> = {}) {
  const asked: string[] = [];
  const client = {
    profileId: "1",
    countryCode: "CA",
    resource: (kind: string) => ({
      getMany: (ids: readonly string[]) => {
        asked.push(`${kind} ${ids.join(" ")}`);
        const wanted = new Set(ids);
        const known = Object.entries(entities[kind] ?? {}).filter(([id]) => wanted.has(id));
        return Promise.resolve(new Map(known));
      },
      async *iter() {
        yield* Object.values(entities[kind] ?? {});
      },
    }),
    ...more,
  };
  return { client: client as unknown as PlanTarget, asked };
}

function bid(id: string, more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: id, ...more };
}

const ENTITIES: Entities = {
  "sp.keywords": { "9": { bid: 1, campaignId: "1" }, "8": { bid: 4 } },
  "sp.campaigns": { "1": { name: "One" }, "2": { name: "Two" }, "3": { name: "Three" } },
  portfolios: { "7": { name: "P" } },
};

Deno.test("what changes is read once a kind, then the ad groups that are needed, then the campaigns", async () => {
  const { client, asked } = accountOf({ ...ENTITIES, "sp.ad_groups": { "4": { campaignId: "3" } } });
  const read = await readPriorState([
    bid("9", { campaignId: "2" }),
    bid("8", { campaignId: "2" }),
    bid("7", { kind: "portfolios" }),
    bid("", { op: "create", id: null, after: { adGroupId: "4", campaignId: "2", bid: 1 } }),
    bid("", { op: "create", id: null, kind: "sp.campaign_negative_keywords", after: { campaignId: "2" } }),
    bid("", { kind: "call", op: "call", id: null, campaignId: "1" }),
  ], client);
  assert.deepEqual(asked, ["sp.keywords 9 8", "sp.ad_groups 4", "sp.campaigns 1 3 2", "portfolios 7"]);
  assert.deepEqual(read.entity("sp.keywords", "9"), { bid: 1, campaignId: "1" });
  assert.deepEqual(read.entity("portfolios", "7"), { name: "P" });
  assert.equal(read.entity("sp.keywords", null), undefined);
  assert.ok(read.entity("sp.ad_groups", "9") instanceof Unread, "nobody asked for it");
  assert.deepEqual(read.entity("sp.campaigns", "3"), { name: "Three" });
});

Deno.test("a campaign that changes itself is read once, and is the campaign of what is in it", async () => {
  const { client, asked } = accountOf(ENTITIES);
  await readPriorState([bid("1", { kind: "sp.campaigns" }), bid("9")], client);
  assert.deepEqual(asked, ["sp.keywords 9", "sp.campaigns 1"]);
});

Deno.test("what was read just now is not read again", async () => {
  const { client, asked } = accountOf(ENTITIES);
  const known = () => {
    const read = new AccountReading();
    read.keep("sp.keywords", new Map([["9", { bid: 3, campaignId: "2" }]]));
    return read;
  };
  const read = await readPriorState([bid("9"), bid("8"), bid("")], client, { account: known() });
  assert.deepEqual(asked, ["sp.keywords 8", "sp.campaigns 2"]);
  assert.deepEqual(read.entity("sp.keywords", "9"), { bid: 3, campaignId: "2" });
  asked.length = 0;
  const account = known();
  await readPriorState([bid("9")], client, { account });
  assert.deepEqual(asked, ["sp.campaigns 2"]);
  await readPriorState([bid("9")], client, { account });
  assert.equal(asked.length, 1, "a second judge reads nothing");
});

Deno.test("what cannot be read is unknown and says why; a bug is thrown", async () => {
  const failing = (error: Error) =>
    ({
      profileId: "1",
      countryCode: "CA",
      resource: () => ({ getMany: () => Promise.reject(error) }),
    }) as unknown as PlanTarget;
  const read = await readPriorState([bid("9")], failing(new PlatformAdsError("no answer")));
  const looked = read.entity("sp.keywords", "9");
  assert.ok(looked instanceof Unread);
  assert.match(looked.why, /sp\.keywords could not be read: no answer/);
  await assert.rejects(readPriorState([bid("9")], failing(new TypeError("bug"))), /bug/);
});

Deno.test("the highest bid below what starts to spend leaves out what is changed before", async () => {
  const asked: unknown[] = [];
  const listed: Entities = {
    "sp.ad_groups": { "4": { adGroupId: "4", defaultBid: 2 } },
    "sp.keywords": { "9": { keywordId: "9", bid: 8 }, "8": { keywordId: "8", bid: 5 } },
  };
  const { client } = accountOf({ "sp.campaigns": { "1": { state: "PAUSED" } } }, {
    resource: ((kind: string) => ({
      idField: kind === "sp.ad_groups" ? "adGroupId" : "keywordId",
      getMany: () => Promise.resolve(new Map([["1", { state: "PAUSED" }]])),
      async *iter(options: unknown) {
        asked.push(options);
        yield* Object.values(listed[kind] ?? {});
      },
    })) as unknown as PlanTarget["resource"],
  });
  const enabled = bid("1", { kind: "sp.campaigns", after: { state: "ENABLED" } });
  const read = await readPriorState([enabled, bid("9")], client, { below: true });
  assert.deepEqual(read.below("sp.campaigns", "1"), { highestBid: 8, of: "sp.keywords 9" });
  const isNine = (key: string): boolean => key === "sp.keywords 9";
  assert.deepEqual(read.below("sp.campaigns", "1", isNine), { highestBid: 5, of: "sp.keywords 8" });
  assert.deepEqual(asked[0], { campaignIds: ["1"], states: ["ENABLED"], signal: undefined });
  const renamed = bid("1", { kind: "sp.campaigns", after: { name: "x" } });
  assert.ok(
    (await readPriorState([renamed], client, { below: true })).below("sp.campaigns", "1") instanceof Unread,
  );
});

function planOf(changes: readonly Change[], countryCode = "CA"): ChangePlan {
  return new ChangePlan({ profileId: "1", countryCode, changes });
}

const codes = ({ findings = [] }: { findings?: readonly Finding[] }): string[] =>
  findings.map(({ code }) => code);

Deno.test("a review asks by id only for what the list for the median did not bring", async () => {
  const keywords = Object.fromEntries(
    ["9", "8"].map((
      id,
    ) => [id, { keywordId: id, bid: 1, state: "ENABLED", campaignId: "1", adGroupId: "4" }]),
  );
  const { client, asked } = accountOf({});
  const listing = {
    ...client,
    resource: (kind: string) => ({
      ...client.resource(kind),
      idField: "keywordId",
      async *iter() {
        if (kind === "sp.keywords") yield* Object.values(keywords);
      },
    }),
  } as unknown as PlanTarget;
  await reviewPlan(planOf([bid("9"), bid("7")]), listing);
  assert.deepEqual(asked.filter((read) => read.startsWith("sp.keywords")), ["sp.keywords 7"]);
  const account = new AccountReading();
  account.keep("sp.keywords", new Map([["9", { bid: 3, campaignId: "1" }]]));
  await reviewPlan(planOf([bid("9")]), listing, { account });
  assert.deepEqual(
    account.entity("sp.keywords", "9"),
    { bid: 3, campaignId: "1" },
    "as it was judged before",
  );
});

Deno.test("a plan is weighed by the account and its figures up to yesterday, in the profile's own days", async () => {
  const asked: FiguresRequest[] = [];
  const wanted: unknown[] = [];
  const figures = (request: FiguresRequest) => {
    asked.push(request);
    wanted.push(request.entities);
    return Promise.resolve(new Map([["9", { cost30d: 300 }]]));
  };
  const transport = {
    now: () => Date.parse("2026-10-01T03:00:00Z"),
    sleep: () => Promise.resolve(),
    timeout: 1,
  };
  const { client } = accountOf(ENTITIES, { transport, timeZone: "Asia/Tokyo" });
  const { money } = await reviewPlan(planOf([bid("9")]), client, { figures });
  assert.deepEqual([money.currency, money.known, money.perDay.high], ["CAD", 1, 37.5]);
  assert.deepEqual([asked[0]!.profileId, asked[0]!.today], ["1", "2026-10-01"]);
  assert.deepEqual(wanted[0], [{ kind: "sp.keywords", id: "9" }, { kind: "sp.campaigns", id: "1" }]);
  await reviewPlan(planOf([bid("9")]), accountOf(ENTITIES, { transport }).client, { figures });
  assert.equal(asked[1]!.today, "2026-09-30", "the market's zone, where the profile names none");
  const early = { ...transport, now: () => Date.parse("2026-10-01T00:30:00Z") };
  const elsewhere = await reviewPlan(
    planOf([bid("9")], "ZZ"),
    accountOf(ENTITIES, { transport: early }).client,
    {
      figures,
    },
  );
  assert.deepEqual([asked[2]!.today, elsewhere.money.currency], ["2026-10-01", ""]);
  await reviewPlan(planOf([bid("9")]), accountOf(ENTITIES).client, { figures });
  assert.ok(Math.abs(Date.parse(asked[3]!.today) - Date.now()) < 3 * 86_400_000);
});

Deno.test("changes that will not be sent are in no money, and are judged all the same", async () => {
  const { client } = accountOf({ ...ENTITIES, "sp.keywords": { "9": { bid: 0.5, campaignId: "1" } } });
  const figures = () => Promise.resolve(new Map([["9", { cost30d: 300 }]]));
  const refusal: Finding = { code: "BID_BAD", level: "approve", message: "m", change: 0, refused: true };
  const weighed = async (finding: Finding) =>
    await reviewPlan(
      new ChangePlan({ profileId: "1", countryCode: "CA", changes: [bid("9")], findings: [finding] }),
      client,
      { figures },
    );
  const unsent = await weighed(refusal);
  assert.deepEqual([unsent.money.perDay, unsent.money.known, unsent.money.unknown], [
    { low: 0, high: 0 },
    0,
    0,
  ]);
  assert.deepEqual(codes(unsent), ["AMOUNT_TRIPLED"]);
  assert.ok((await weighed({ ...refusal, refused: false })).money.perDay.high > 0);
});

Deno.test("without a policy the default warnings are made, unless the plan is empty or restores what was", async () => {
  const { client, asked } = accountOf({ ...ENTITIES, "sp.keywords": { "9": { bid: 0.5 } } });
  assert.deepEqual(codes(await reviewPlan(planOf([bid("9")]), client)), ["AMOUNT_TRIPLED"]);
  const wrote = { kind: "sp.keywords", id: "9", was: { bid: 2 }, wrote: { bid: 0.5 } };
  assert.deepEqual(codes(await reviewPlan(planOf([bid("9")]), client, { sent: [wrote] })), []);
  const other = { ...wrote, wrote: { bid: 0.4 } };
  assert.deepEqual(codes(await reviewPlan(planOf([bid("9")]), client, { sent: [other] })), [
    "AMOUNT_TRIPLED",
  ]);
  asked.length = 0;
  const { findings, money } = await reviewPlan(planOf([]), client, { figures: () => assert.fail("asked") });
  assert.deepEqual([findings, money.currency, money.known, asked], [[], "CAD", 0, []]);
});

Deno.test("a policy judges beside the default warnings, by the account that was read", async () => {
  const seen: (ReviewContext | undefined)[] = [];
  const denial: Finding = { code: "POLICY_LIMIT", level: "deny", message: "m" };
  const policy = {
    review: (_plan: unknown, _client: unknown, options?: ReviewContext) => {
      seen.push(options);
      return Promise.resolve([denial]);
    },
  } as unknown as WritePolicy;
  const { client } = accountOf(ENTITIES);
  const { signal } = new AbortController();
  const { findings, money } = await reviewPlan(planOf([bid("9")]), client, { policy, signal });
  assert.deepEqual([findings, money.unknown], [[denial], 1]);
  assert.ok(seen[0]!.account!.entity("sp.keywords", "8") instanceof Unread);
  assert.deepEqual(seen[0]!.account!.entity("sp.keywords", "9"), ENTITIES["sp.keywords"]!["9"]);
  assert.equal(seen[0]!.signal, signal);
});

long();
Deno.test("a plan of more than 20,000 changes is weighed and judged like any other, in parts of it", async () => {
  const count = 45_000;
  const keywords = Object.fromEntries(
    Array.from(
      { length: count },
      (_, at) => [String(at), { bid: 1, campaignId: String(at % 7), state: "ENABLED" }],
    ),
  );
  const campaigns = Object.fromEntries(
    Array.from({ length: 7 }, (_, at) => [String(at), { state: "ENABLED", name: `C${at}`, budget: 10 }]),
  );
  const { client, asked } = accountOf({ "sp.keywords": keywords, "sp.campaigns": campaigns });
  const changes = Array.from(
    { length: count },
    (_, at): Change => bid(String(at), { after: { bid: at === 44_000 ? 9 : 2 }, before: { bid: 7 } }),
  );
  changes.push({ ...bid("3"), kind: "sp.campaigns", after: { budget: 50 } });
  changes.push(bid("", { op: "create", id: null, after: { campaignId: "1", bid: 2 }, dependsOn: ["x"] }));
  changes[5] = { ...changes[5]!, ref: "x" };
  const figures = ({ entities }: FiguresRequest) =>
    Promise.resolve(new Map(entities.map(({ id }) => [id, { cost30d: 30 }])));
  const { money, findings, names } = await reviewPlan(planOf(changes), client, { figures });
  assert.deepEqual([money.known, money.unknown], [count + 2, 0]);
  assert.deepEqual(findings.map(({ code, change }) => [code, change]), [
    ["AMOUNT_TRIPLED", count],
    ["AMOUNT_TRIPLED", 44_000],
  ]);
  assert.equal(Object.keys(names!.campaigns).length, 7);
  assert.equal(asked.filter((one) => one.startsWith("sp.campaigns")).length, 1);
  assert.ok(asked.length < 6, "each part is read once");
  const whole = await reviewPlan(planOf(changes), client, {
    figures,
    policy: { review: () => Promise.resolve([]) } as unknown as WritePolicy,
  });
  assert.deepEqual(whole.money, money);
});

Deno.test("a new review takes the place of an earlier one and leaves other findings", () => {
  const finding = (code: string): Finding => ({ code, level: "advise", message: "m" });
  const old = ["POLICY_LIMIT", "AMOUNT_TRIPLED", "CALL_NOT_JUDGED", "BID_ABOVE_MARKET_MAXIMUM"].map(finding);
  const plan = new ChangePlan({ profileId: "1", countryCode: "CA", changes: [], findings: old });
  const money: MoneyAtRisk = {
    currency: "CAD",
    perDay: { low: 0, high: 1 },
    known: 1,
    unknown: 0,
    basis: [],
  };
  const reviewed = withReview(plan, { findings: [finding("BUDGETS_DOUBLED")], money });
  assert.deepEqual(codes(reviewed), ["BID_ABOVE_MARKET_MAXIMUM", "BUDGETS_DOUBLED"]);
  assert.equal(reviewed.money, money);
});
