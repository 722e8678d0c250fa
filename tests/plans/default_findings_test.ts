import { deepEqual } from "node:assert/strict";
import type { Change } from "../../src/plans/change.ts";
import { UNREAD_ACCOUNT } from "../../src/plans/review/account_reading.ts";
import type { AccountScale } from "../../src/plans/review/account_scale.ts";
import { defaultFindings } from "../../src/plans/review/default_findings.ts";

const SCALE: AccountScale = { medians: new Map([["sp.keywords", 1]]), liveCampaigns: 10, dailyBudgets: 100 };

function codes(changes: readonly Partial<Change>[], scale = SCALE): string[] {
  const whole = changes.map((change, index): Change => ({
    kind: "sp.keywords",
    op: "update",
    id: String(index),
    before: {},
    after: {},
    label: "x",
    ...change,
  }));
  return defaultFindings(whole, { account: UNREAD_ACCOUNT, scale, currency: "CAD" })
    .map(({ code, level, change }) => `${code} ${level} ${change ?? "plan"}`);
}

const bid = (before: number, after: number): Partial<Change> => ({
  before: { bid: before },
  after: { bid: after },
});

Deno.test("a bid that is more than tripled asks for a person, one that is tripled does not", () => {
  deepEqual(codes([bid(1, 3), bid(1, 3.01), bid(5, 2)]), ["AMOUNT_TRIPLED approve 1"]);
});

Deno.test("a bid far above the median of its kind asks for a person, whether it is raised or new", () => {
  deepEqual(
    codes([bid(4, 10.5), { op: "create", id: null, after: { bid: 11 } }, {
      op: "create",
      id: null,
      after: { bid: 10 },
    }]),
    ["AMOUNT_FAR_ABOVE_MEDIAN approve 0", "AMOUNT_FAR_ABOVE_MEDIAN approve 1"],
  );
});

Deno.test("stopping more than 30 % of the live campaigns asks for a person, by pausing and by archiving", () => {
  const pause: Partial<Change> = {
    kind: "sp.campaigns",
    before: { state: "ENABLED" },
    after: { state: "PAUSED" },
  };
  const archive: Partial<Change> = { ...pause, op: "archive", after: { state: "ARCHIVED" } };
  deepEqual(codes([pause, pause, archive]), []);
  deepEqual(codes([pause, pause, archive, pause]), ["MANY_CAMPAIGNS_STOPPED approve plan"]);
});

Deno.test("more than doubling all daily budgets asks for a person, with campaigns that are new or enabled", () => {
  const budget = (from: number, to: number): Partial<Change> => ({
    kind: "sp.campaigns",
    before: { budget: { budget: from, budgetType: "DAILY" } },
    after: { budget: { budget: to, budgetType: "DAILY" } },
  });
  const create: Partial<Change> = {
    kind: "sp.campaigns",
    op: "create",
    id: null,
    after: { budget: { budget: 60 } },
  };
  deepEqual(codes([budget(20, 60), create]), []);
  deepEqual(codes([budget(20, 60), create, budget(10, 12)]), ["BUDGETS_DOUBLED approve plan"]);
});

Deno.test("a plan within proportion has no findings", () => {
  deepEqual(codes([bid(1, 1.1), { after: { state: "PAUSED" }, before: { state: "ENABLED" } }]), []);
});
