import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { planQuestion } from "../../src/interfaces/mcp/tools/ask_person.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import type { Change } from "../../src/plans/model/change.ts";

const options = { checkDrift: true, file: "/plans/plan-1.json" };

function bid(id: number, before: number, after: number): Change {
  return {
    kind: "sp.keywords",
    op: "update",
    id: String(id),
    before: { bid: before },
    after: { bid: after },
    label: "x",
  };
}

Deno.test("a short plan is shown whole, with what a person should know", () => {
  const plan = new ChangePlan({
    profileId: "1",
    countryCode: "US",
    changes: [bid(9, 1, 2)],
    note: "save\nmoney",
    reverses: "old",
    warnings: ["careful"],
  });
  const lines = planQuestion(plan, { ...options, checkDrift: false }).split("\n");
  deepEqual(lines, [
    "Send these changes to US, profile 1? 0 to create, 1 to change, 0 to archive. Amounts are in USD.",
    "The agent's note: save money",
    "Undoes plan old",
    "Warning: careful",
    "Warning: the agent asks to send them even if the account has changed since the plan was made",
    "Bids: 1 raised, 0 lowered; on average 1.00 → 2.00 USD (+1.00)",
    "",
    "what | kind | field | before | after | change | id",
    "x | sp.keywords | bid | 1 | 2 | +1.00 (+100.0%) | 9",
    "",
    `Profile 1, plan ${plan.id}, fingerprint ${plan.fingerprint.slice(0, 12)}`,
  ]);
});

Deno.test("the question says whose account it is, how much a change is in percent, where, and what was found", () => {
  const plan = new ChangePlan({
    profileId: "1",
    countryCode: "DE",
    changes: [{ ...bid(9, 1, 2), campaignId: "77" }],
    names: { campaigns: { "77": "Winter" }, ad_groups: {} },
    findings: [{
      code: "BID_JUMP",
      level: "approve",
      message: "sp.keywords 9 x: the bid doubles",
      change: 0,
    }],
    money: {
      currency: "EUR",
      perDay: { low: 1, high: 4 },
      known: 1,
      unknown: 0,
      basis: ["clicks of 14 days"],
    },
  });
  const text = planQuestion(plan, { ...options, account: "Shoes Ltd (seller)" });
  match(text, /^Send these changes to Shoes Ltd \(seller\), DE\?.* Amounts are in EUR\./);
  match(text, /^keyword x: approve: the bid doubles \(BID_JUMP\)/m);
  match(text, /Spend: \+1\.00 to \+4\.00 EUR a day\n {2}clicks of 14 days/);
  match(text, /^Winter \| x \| sp\.keywords \| bid \| 1 \| 2 \| \+1\.00 \(\+100\.0%\) \| 9$/m);
});

Deno.test("in a long plan nothing important hides behind many small changes", () => {
  const small = Array.from({ length: 200 }, (_, at) => bid(at, 1, 1.01));
  const archive: Change = {
    kind: "sp.campaigns",
    op: "archive",
    id: "777",
    before: { state: "ENABLED" },
    after: { state: "ARCHIVED" },
    label: "Best seller",
  };
  const budget: Change = {
    kind: "sp.campaigns",
    op: "update",
    id: "888",
    before: { budget: { budget: 10, budgetType: "DAILY" } },
    after: { budget: { budget: 9000, budgetType: "DAILY" } },
    label: "Second",
  };
  const changes = [...small, bid(900, 1, 50), archive, budget];
  const text = planQuestion(new ChangePlan({ profileId: "1", countryCode: "US", changes }), options);
  match(
    text,
    /In all: 1 sp\.campaigns state to ARCHIVED, 1 sp\.campaigns budget\.budget, 201 sp\.keywords bid\./,
  );
  const rows = text.split("\n").filter((line) => /\| sp\./.test(line));
  equal(rows.length, 40);
  ok(rows[0]!.includes("777"));
  ok(rows[1]!.includes("888") && rows[2]!.includes("900"));
  match(text, /the 40 most important of 203 changes; \/plans\/plan-1\.json lists all/i);
});

Deno.test("of each sort of change one is shown, however little it changes beside the others", () => {
  const wild = Array.from({ length: 60 }, (_, at) => bid(at, 0.02, 2));
  const budget: Change = {
    kind: "sp.campaigns",
    op: "update",
    id: "888",
    before: { budget: { budget: 4000 } },
    after: { budget: { budget: 7000 } },
    label: "Second",
  };
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [...wild, budget] });
  const rows = planQuestion(plan, options).split("\n").filter((line) => /\| sp\./.test(line));
  equal(rows.length, 40);
  match(rows.join("\n"), /Second \| sp\.campaigns \| budget\.budget \| 4000 \| 7000 .*888/);
});

Deno.test("a person reads what is sent to its end, or is told where it is whole", () => {
  const asked = (length: number): string => {
    const list = [...Array.from({ length }, () => ({ placement: "PLACEMENT_TOP", percentage: 10 })), {
      percentage: 899,
    }];
    const change: Change = { ...bid(9, 1, 2), before: {}, after: { placementBidding: list } };
    return planQuestion(new ChangePlan({ profileId: "1", countryCode: "US", changes: [change] }), options);
  };
  const short = asked(9);
  ok(short.includes("899") && !short.includes("shortened"));
  match(asked(90), /Some long values are shortened; \/plans\/plan-1\.json has them/);
  const warnings = Array.from({ length: 900 }, (_, at) => `careful ${at}`);
  const plan = new ChangePlan({ profileId: "1", countryCode: "US", changes: [bid(9, 1, 2)], warnings });
  match(planQuestion(plan, options), /Warning: careful 49\nWarning: and 850 more warnings\nBids: .*\n\nwhat/);
});

Deno.test("the question marks archives and caps, says a finding once, and no +0.00 beside what is unknown", () => {
  const archive: Change = {
    kind: "sp.campaigns",
    op: "archive",
    id: "777",
    before: { state: "ENABLED" },
    after: { state: "ARCHIVED" },
    label: "Best seller",
  };
  const cap: Change = {
    kind: "portfolios",
    op: "update",
    id: "55",
    before: { budget: { amount: 450, policy: "MONTHLY_RECURRING" } },
    after: { budget: { amount: null, policy: "NO_CAP" } },
    label: "Tents",
  };
  const found = { code: "BID_JUMP", level: "approve", message: "bids double" } as const;
  const money = { currency: "USD", known: 8, unknown: 24, basis: [] };
  const text = (low: number, high: number): string =>
    planQuestion(
      new ChangePlan({
        profileId: "1",
        countryCode: "US",
        changes: [bid(9, 1, 2), archive, cap],
        findings: [found, found],
        money: { ...money, perDay: { low, high } },
      }),
      options,
    );
  match(text(0, 38), /^Spend: up to \+38\.00 USD a day; 24 of 32 unknown$/m);
  match(text(-9, -3), /^Spend: -9\.00 to -3\.00 USD a day; 24 of 32 unknown$/m);
  match(text(-9, 0), /^Spend: between no change and -9\.00 USD a day; 24 of 32 unknown$/m);
  match(text(0, 0.001), /^Spend: 24 of 32 unknown; no change from the others$/m);
  match(text(0, 38), /^Archived permanently: campaign Best seller$/m);
  match(text(0, 38), /^Portfolio caps: portfolio Tents 450\.00 → none$/m);
  equal(text(0, 38).split("bids double").length, 2);
});
