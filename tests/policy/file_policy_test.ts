import { deepEqual, equal, match, ok } from "../support/assert.ts";
import type { Change, EntityFields } from "../../src/plans/model/change.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { DayLedger, LedgerLine } from "../../src/plans/state/day_ledger.ts";
import { reservedLine, totalsOf } from "../../src/plans/state/ledger_lines.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import type { FiguresRequest } from "../../src/plans/review/figures_source.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import type { Policy, PolicySources } from "../../src/plans/policy/policy.ts";

/** 2026-11-18, a Wednesday, 23:30 in Los Angeles; the next day in Europe. */
const NOW = Date.UTC(2026, 10, 19, 7, 30);

function budget(from: number, to: number, id = "1"): Change {
  return {
    kind: "sp.campaigns",
    op: "update",
    id,
    before: { budget: { budget: from, budgetType: "DAILY" } },
    after: { budget: { budget: to, budgetType: "DAILY" } },
    label: "A",
  };
}

function bid(from: number, to: number, id = "9"): Change {
  const amounts = { before: { bid: from }, after: { bid: to } };
  return { kind: "sp.keywords", op: "update", id, ...amounts, label: "shoes", campaignId: "1" };
}

function planOf(changes: readonly Change[], more: { countryCode?: string; note?: string } = {}): ChangePlan {
  return new ChangePlan({ profileId: "1", countryCode: "US", changes, ...more });
}

function clientOf(entities: Readonly<Record<string, EntityFields>> = {}, timeZone?: string): PlanTarget {
  return {
    profileId: "1",
    countryCode: "US",
    timeZone,
    resource: (kind: string) => ({
      getMany: (ids: readonly string[]) =>
        Promise.resolve(
          new Map(ids.flatMap((id) => {
            const entity = entities[`${kind} ${id}`];
            return entity === undefined ? [] : [[id, entity]];
          })),
        ),
    }),
  } as unknown as PlanTarget;
}

/** A ledger that keeps its lines where a test can see them. */
class ListLedger implements DayLedger {
  readonly lines: LedgerLine[] = [];
  readonly places: string[] = [];

  async reserve(
    place: { profileId: string; day: string },
    reservation: Parameters<DayLedger["reserve"]>[1],
  ): ReturnType<DayLedger["reserve"]> {
    this.places.push(`${place.profileId} ${place.day}`);
    const line = await reservedLine(this.lines, reservation, "now");
    this.lines.push(line);
    return (actual) => {
      this.lines.push({ ...line, ...actual, first: [] });
      return Promise.resolve();
    };
  }

  totals(place: { profileId: string; day: string }): ReturnType<DayLedger["totals"]> {
    this.places.push(`${place.profileId} ${place.day}`);
    return Promise.resolve(totalsOf(this.lines));
  }

  /** Changes and spend of the day so far. */
  get sums(): unknown[] {
    const { changes, spendIncrease } = totalsOf(this.lines);
    return [changes, spendIncrease];
  }
}

function policyOf(text: string, sources: PolicySources & { readonly source?: string } = {}): Policy {
  return parsePolicy(`version: 1\n${text}`, { now: () => NOW, ...sources });
}

function request(plan: ChangePlan, client: PlanTarget, { open = plan.changes, resumes = false } = {}) {
  const placed = plan.changes.map((change, at) => ({ change, at })).filter(({ change }) =>
    open.includes(change)
  );
  return { plan, open: placed, client, resumes, approvedBy: undefined, signal: undefined };
}

const RULE = (when: string, level = "advise"): string =>
  `rules:\n  - { name: mine, when: ${JSON.stringify(when)}, level: ${level}, message: not so }`;

Deno.test("a policy names where it came from and its rules, plain keys first, each with its level", () => {
  const policy = policyOf(`max_bid: 2\nmax_changes: 9\nlevels: { max_bid: approve }\n${RULE("true")}`, {
    source: "rules.yaml",
  });
  equal(policy.source, "rules.yaml");
  deepEqual(policy.rules, [
    { name: "max_changes", level: "deny" },
    { name: "max_bid", level: "approve" },
    { name: "mine", level: "advise", message: "not so" },
  ]);
  equal(policyOf("max_bid: 2").source, "the policy");
});

Deno.test("a policy asks for figures only where a rule needs them", () => {
  equal(policyOf(`max_bid: 2\n${RULE("after.bid > 2.0")}`).needsFigures, false);
  equal(policyOf("max_spend_increase_per_day: 5").needsFigures, true);
  equal(policyOf(RULE("figures.acos30d > 0.4")).needsFigures, true);
  equal(policyOf(RULE("today.spendIncrease > 4.0")).needsFigures, true);
});

const FACTS: readonly (readonly [when: string, holds: boolean])[] = [
  ["market.hour == 23.0", true],
  ["market.weekday == 'Wed' && market.day == '2026-11-18'", true],
  ["plan.note == 'a reason'", true],
  ["plan.changes == 2.0 && plan.updates == 2.0 && plan.creates == 0.0", true],
  ["plan.spendIncrease == 5.0", true],
  ["plan.spendIncrease > 5.0", false],
  ["plan.source == 'plan'", true],
];

for (const [when, holds] of FACTS) {
  Deno.test(`the fact ${when} is ${holds} for two raised budgets late on a Wednesday`, () => {
    const plan = planOf([budget(10, 12), budget(10, 13, "2")], { note: "a reason" });
    const found = policyOf(RULE(when)).check(plan, { now: NOW });
    deepEqual(found.map(({ code }) => code), holds ? ["POLICY_RULE", "POLICY_RULE"] : []);
  });
}

Deno.test("a plan without a note has an empty one for rules", () => {
  const [finding] = policyOf(RULE("plan.note == ''")).check(planOf([bid(1, 2)]), { now: NOW });
  equal(finding?.level, "advise");
});

Deno.test("what is created has no id for rules, and what names no campaign has none", () => {
  const { campaignId: _, ...create } = { ...bid(1, 3), op: "create", id: null, before: {} } as const;
  const when = "has(change.id) || has(change.campaignId)";
  deepEqual(policyOf(RULE(when)).check(planOf([create]), { now: NOW }), []);
});

Deno.test("a market that is not known has no currency, and its days are those of UTC", () => {
  const plan = planOf([bid(1, 3)], { countryCode: "ZZ" });
  const [finding] = policyOf("max_bid: 2").check(plan, { now: NOW });
  match(finding?.message ?? "", /bid 3\s+is above 2/);
  ok(!finding?.message.includes("undefined"));
  equal(policyOf(RULE("market.hour == 7.0 && market.currency == ''")).check(plan, { now: NOW }).length, 1);
});

Deno.test("the sums of a plan count each operation by what it does", () => {
  const archive = { ...bid(1, 1, "3"), after: { state: "ARCHIVED" } };
  const create = { ...bid(1, 1), op: "create", id: null, before: {}, campaignId: "5" } as const;
  deepEqual(policyOf("max_bid: 2").totals(planOf([budget(10, 12), archive, create])), {
    changes: 3,
    creates: 1,
    updates: 1,
    archives: 1,
    spendIncrease: undefined,
  });
  equal(policyOf("max_bid: 2").totals(planOf([budget(10, 12), budget(10, 11, "2")])).spendIncrease, 3);
});

Deno.test("exceptions hold for their markets, rule and entities, and never for a rule that cannot judge", () => {
  const levels = (more: string, changes = [bid(1, 3)], policy = "max_bid: 2"): string[] =>
    policyOf(`${policy}\nexceptions: [{ rule: max_bid, reason: launch, until: 2026-12-31${more} }]`)
      .check(planOf(changes), { now: NOW }).map(({ level }) => level);
  deepEqual(levels(""), ["note"]);
  deepEqual(levels(", markets: [DE, US]"), ["note"]);
  deepEqual(levels(", markets: [DE]"), ["deny"]);
  deepEqual(levels(", ids: [8, 9]"), ["note"]);
  deepEqual(levels(", ids: [8]"), ["deny"]);
  const [found] = policyOf(
    "max_changes: 0\nexceptions: [{ rule: max_changes, reason: launch, until: 2026-12-31, ids: [9] }]",
  )
    .check(planOf([bid(1, 3)]), { now: NOW });
  equal(found?.level, "deny", "a limit of the whole plan has no id");
  const failing = `${
    RULE("figures.acos30d > 0.4", "deny")
  }\nexceptions: [{ rule: mine, reason: launch, until: 2026-12-31 }]`;
  deepEqual(policyOf(failing).check(planOf([bid(1, 3)]), { now: NOW }).map(({ level }) => level), ["deny"]);
});

Deno.test("a review counts what was applied on the profile's day, and asks for the figures of its entities", async () => {
  const ledger = new ListLedger();
  const asked: FiguresRequest[] = [];
  const figures = (one: FiguresRequest) => {
    asked.push(one);
    return Promise.resolve(new Map([["9", { acos30d: 0.5 }]]));
  };
  const policy = policyOf(`max_changes: 1\n${RULE("figures.acos30d > 0.4")}`, { ledger, figures });
  const plan = planOf([bid(1, 2)]);
  const entities = { "sp.keywords 9": { bid: 1, campaignId: "1" }, "sp.campaigns 1": { name: "A" } };
  const codes = async (client: PlanTarget): Promise<string[]> =>
    (await policy.review(plan, client)).map(({ code }) => code);
  deepEqual(await codes(clientOf(entities)), ["POLICY_RULE"]);
  await policy.admit(request(plan, clientOf(entities)));
  deepEqual(await codes(clientOf(entities, "Europe/Paris")), ["POLICY_MAX_CHANGES", "POLICY_RULE"]);
  const days = ["1 2026-11-18", "1 2026-11-18", "1 2026-11-19"];
  deepEqual([...new Set(ledger.places)], [...new Set(days)]);
  deepEqual(asked.map(({ profileId, today }) => `${profileId} ${today}`), days);
  deepEqual(asked[0]?.entities, [{ kind: "sp.keywords", id: "9" }, { kind: "sp.campaigns", id: "1" }]);
});

Deno.test("a policy without rules that need figures asks for none", async () => {
  const figures = (): never => {
    throw new Error("asked");
  };
  equal((await policyOf("max_bid: 2", { figures }).review(planOf([bid(1, 2)]), clientOf())).length, 0);
});

Deno.test("a day counts what was sent or may have been, and not what was refused or never sent", async () => {
  const ledger = new ListLedger();
  const policy = policyOf("max_spend_increase_per_day: 100", { ledger });
  const changes = ["1", "2", "3", "4"].map((id, at) => budget(10, 11 + at, id));
  const entities = changes.map(({ kind, id, before }) => [`${kind} ${id}`, before] as const);
  const { settle } = await policy.admit(request(planOf(changes), clientOf(Object.fromEntries(entities))));
  deepEqual(ledger.sums, [4, 10]);
  const outcomes = ["done", "unknown", "refused", "not_sent"] as const;
  await settle(changes.map((change, at) => ({ change, outcome: outcomes[at]! })));
  deepEqual(ledger.sums, [2, 3]);
});

Deno.test("a plan that is resumed counts for the day what it did before it was cut off", async () => {
  const ledger = new ListLedger();
  const policy = policyOf("max_spend_increase_per_day: 100", { ledger });
  const changes = [budget(10, 15), budget(10, 12, "2")];
  const plan = planOf(changes);
  await policy.admit(
    request(plan, clientOf({ "sp.campaigns 1": changes[0]!.before, "sp.campaigns 2": changes[1]!.before })),
  );
  const now = { state: "ENABLED", budget: { budget: 15, budgetType: "DAILY" } };
  const client = clientOf({ "sp.campaigns 1": now, "sp.campaigns 2": changes[1]!.before });
  const { settle } = await policy.admit(request(plan, client, { open: changes.slice(1), resumes: true }));
  deepEqual(ledger.sums, [2, 7]);
  await settle(changes.map((change) => ({ change, outcome: "done" })));
  deepEqual(ledger.sums, [2, 7]);
});

Deno.test("findings of changes that were sent already refuse nothing", async () => {
  const changes = [bid(1, 3), bid(1, 2, "8")];
  const plan = planOf(changes);
  const policy = policyOf("max_bid: 2");
  deepEqual(
    (await policy.admit(request(plan, clientOf(), { open: changes.slice(1), resumes: true }))).findings,
    [],
  );
});
