import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { emulated } from "../support/emulated.ts";
import type { Change } from "../../src/plans/model/change.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { type ChangedPart, LastChanges } from "../../src/plans/model/amount_changes.ts";
import type { PlanTarget } from "../../src/plans/model/plan_target.ts";
import { changesToJudge } from "../../src/plans/policy/cooling_rule.ts";
import { FolderLedger, parsePolicy } from "../../src/plans/policy/mod.ts";
import { accountState } from "../support/account_state.ts";

const DAY = 86_400_000;
/** 2026-11-18, a Wednesday, 10:00 in Los Angeles. */
const NOW = Date.UTC(2026, 10, 18, 18);

function change(before: Change["before"], after: Change["after"], more: Partial<Change> = {}): Change {
  return { kind: "sp.keywords", op: "update", id: "9", before, after, label: "x", campaignId: "1", ...more };
}

const CAMPAIGN = { kind: "sp.campaigns" } as const;
const CASES:
  readonly (readonly [what: string, part: ChangedPart, days: number, change: Change, denied: boolean])[] = [
    ["a bid that was changed 13 days ago", "bid", 13, change({ bid: 1 }, { bid: 1.1 }), true],
    ["a bid that was changed 14 days ago", "bid", 14, change({ bid: 1 }, { bid: 1.1 }), false],
    ["a lower bid", "bid", 1, change({ bid: 1 }, { bid: 0.9 }), true],
    ["a new name", "bid", 1, change({ bid: 1 }, { name: "y" }), false],
    ["a bid where the state was changed", "state", 1, change({ bid: 1 }, { bid: 1.1 }), false],
    ["a pause", "state", 1, change({ state: "ENABLED" }, { state: "PAUSED" }), false],
    [
      "a higher budget beside a pause",
      "budget",
      1,
      change({ budget: 10, state: "ENABLED" }, { budget: 11, state: "PAUSED" }, CAMPAIGN),
      true,
    ],
    [
      "a bid beside a pause",
      "bid",
      1,
      change({ bid: 1, state: "ENABLED" }, { bid: 1.1, state: "PAUSED" }),
      true,
    ],
    [
      "a pause that names the bid that it has",
      "bid",
      1,
      change({ bid: 1, state: "ENABLED" }, { bid: 1, state: "PAUSED" }),
      false,
    ],
    ["an archive", "bid", 1, change({ bid: 1 }, {}, { op: "archive" }), false],
    ["a start", "state", 1, change({ state: "PAUSED" }, { state: "ENABLED" }), true],
    ["a higher budget", "budget", 1, change({ budget: 10 }, { budget: 11 }, CAMPAIGN), true],
    ["a lower budget", "budget", 1, change({ budget: 10 }, { budget: 9 }, CAMPAIGN), false],
    [
      "a bid that a schedule moves by the hour",
      "bid",
      1,
      change({ bid: 1 }, { bid: 1.1 }, {
        evidence: { factor: 1.1 },
      }),
      false,
    ],
  ];

for (const [what, part, days, one, denied] of CASES) {
  Deno.test(`cooling ${denied ? "denies" : "allows"} ${what}`, () => {
    const found = parsePolicy("version: 1\ncooling: 14d").check(
      new ChangePlan({ profileId: "1", countryCode: "US", changes: [one] }),
      {
        now: NOW,
        changes: new LastChanges([{ id: "9", part, at: NOW - days * DAY }], "America/Los_Angeles"),
      },
    );
    deepEqual(found.map(({ rule, level }) => `${rule} ${level}`), denied ? ["cooling deny"] : []);
    if (days === 13) equal(found[0]?.allowed, "from 2026-11-19");
  });
}

Deno.test("the history is asked only where a bid, budget or state changes", async () => {
  const asked: number[] = [];
  const client = {
    amountChanges: (since: number) => {
      asked.push(since);
      return Promise.resolve({ dayOf: () => "2026-11-17" });
    },
  } as unknown as PlanTarget;
  const dayOf = async (after: Change["after"]): Promise<string | undefined> => {
    const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [change({}, after)] });
    const known = await changesToJudge(plan, client, {
      account: accountState({}),
      ...{ since: NOW - DAY, ledger: undefined, now: NOW, signal: undefined },
    });
    return known?.dayOf("9", ["bid"]);
  };
  equal(await dayOf({ name: "y" }), undefined);
  deepEqual(asked, []);
  equal(await dayOf({ bid: 1.1 }), "2026-11-17");
  deepEqual(asked, [NOW - DAY]);
});

Deno.test("a number of days in the policy is written with its unit", () => {
  for (const days of ["14", "0d", "100d", "2w"]) {
    let message = "";
    try {
      parsePolicy(`version: 1\ncooling: ${days}`);
    } catch (error) {
      message = (error as Error).message;
    }
    match(message, /cooling: Expected a number of days such as 14d, at most 99d/, days);
  }
});

Deno.test("every writer waits for a bid to cool: direct updates, plans, and Display by the ledger; an undo does not", async () => {
  const folder = await Deno.makeTempDir({ prefix: "cooling-test-" });
  const now = () => Date.parse("2026-09-30T12:00:00Z");
  const policy = parsePolicy("version: 1\ncooling: 14d", { ledger: new FolderLedger(folder, { now }), now });
  try {
    await using world = await emulated({ client: { policy } });
    const { us } = world;
    const cooled = new Set(
      (await us.history.list({ since: new Date(now() - 20 * DAY) })).map((one) => one.entityId),
    );
    const keyword = (await us.sp.keywords.list({ states: ["ENABLED"] })).find(({ keywordId, bid }) =>
      bid !== undefined && !cooled.has(keywordId)
    );
    const { keywordId = "", bid = 1 } = keyword ?? {};
    const plan = await us.sp.keywords.planUpdate([{ keywordId, bid: bid + 0.05 }]);
    const result = await plan.apply(us);
    equal(result.ok, true, result.summary());
    await rejects(
      us.sp.keywords.update([{ keywordId, bid: bid + 0.1 }]),
      /its bid was changed on 2026-09-30/,
    );
    const again = await us.sp.keywords.planUpdate([{ keywordId, bid: bid + 0.1 }]);
    deepEqual(again.findings.map(({ rule, level }) => `${rule} ${level}`), ["cooling deny"]);
    const undone = await result.rollbackPlan().apply(us);
    equal(undone.ok, true, undone.summary());

    const target = (await us.sd.targets.list()).find((one) => typeof one.bid === "number");
    ok(target !== undefined);
    const moved = { targetId: target.targetId, bid: target.bid! + 0.05 };
    equal((await us.sd.targets.update([moved])).ok, true);
    await rejects(
      us.sd.targets.update([{ ...moved, bid: moved.bid + 0.05 }]),
      /its bid was changed on 2026-09-30 and must not change again for 14 days/,
    );
    const paused = (await us.sd.targets.list()).find(({ state, targetId }) =>
      state === "enabled" && targetId !== target.targetId
    );
    equal((await us.sd.targets.pause([paused!.targetId])).ok, true);
    await rejects(us.sd.targets.enable([paused!.targetId]), /its state was changed on 2026-09-30/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
