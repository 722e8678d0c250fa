import { deepEqual, equal, match } from "../../support/assert.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import type { ChangePlanFields } from "../../../src/plans/model/plan_data.ts";
import type { Finding } from "../../../src/plans/model/finding.ts";
import { askLines, campaignTitle } from "../../../src/plans/view/plan_lines.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";
import type { PlanView } from "../../../src/plans/view/view_types.ts";

const same = (text: string): string => text;
const PLAIN = { bold: same, dim: same, red: same, green: same, yellow: same };

function bid(id: string, before: number, after: number): Change {
  return {
    kind: "sp.keywords",
    op: "update",
    id,
    before: { bid: before },
    after: { bid: after },
    label: "k",
  };
}

function view(changes: readonly Change[], more: Partial<ChangePlanFields> = {}, limit?: number): PlanView {
  const plan = new ChangePlan({ id: "p", profileId: "7", countryCode: "US", changes, ...more });
  return planView(plan, limit === undefined ? {} : { limit });
}

function text(changes: readonly Change[], more: Partial<ChangePlanFields> = {}, limit?: number): string {
  return renderPlan(view(changes, more), { styles: PLAIN, ...(limit === undefined ? {} : { limit }) });
}

const CALL: Change = {
  kind: "call",
  op: "call",
  id: null,
  before: {},
  after: { operation: "x:Do", request: "PUT /x", body: { a: 2 } },
  label: "x:Do",
};

Deno.test("a plan up to the limit is shown whole, of a longer one the most important changes in their order", () => {
  const changes = [
    bid("0", 1, 1.5),
    bid("1", 1, 1.5),
    { ...bid("2", 1, 1.5), kind: "sp.targets" },
    bid("3", 1, 1.1),
  ];
  const shown = (limit: number): number[] =>
    view(changes, {}, limit).campaigns.flatMap(({ changes }) => changes.map(({ change }) => change));
  deepEqual(shown(4), [0, 1, 2, 3]);
  deepEqual(shown(3), [0, 1, 2]);
  deepEqual(shown(2), [0, 2]);
  deepEqual(view(changes, {}, 2).counts, { create: 0, update: 4, archive: 0 });
});

Deno.test("a campaign is called what the plan calls it, then what was read, and nothing else", () => {
  const campaign: Change = { ...bid("1", 1, 2), kind: "sp.campaigns", label: "Own" };
  const names = { campaigns: { "1": "Read", "2": "Other" }, ad_groups: {} };
  const called = (change: Change, others: readonly Change[] = []): string | null =>
    view([change, ...others], { names }).campaigns[0]!.campaign_name;
  equal(called({ ...bid("9", 1, 2), campaignId: "1" }), "Read");
  equal(
    called({ ...bid("1", 1, 9), campaignId: "1" }, [campaign]),
    "Own",
    "the keyword has the campaign's id",
  );
  equal(called(campaign, [{ ...campaign, label: "Later" }]), "Own");
  equal(called({ ...bid("9", 1, 2), campaignId: "3" }), null);
  equal(called({ ...bid("9", 1, 2), campaignId: "constructor" }), null);
  const title = { campaign_id: null, campaign_ref: "c1", campaign_name: null, changes: [] };
  equal(campaignTitle(title), "New campaign c1");
});

Deno.test("an amount has a difference, and a percentage of what was more than 0", () => {
  const first = (change: Change): unknown => view([change]).campaigns[0]!.changes[0]!.fields[0];
  const field = { field: "bid", before: 0, after: 1, difference: 1 };
  deepEqual(first(bid("1", 0, 1)), field);
  deepEqual(first(bid("1", 2, 1)), { ...field, before: 2, difference: -1, percent: -50 });
});

Deno.test("budgets of campaigns are summed up, those of anything else are not", () => {
  const budget = (kind: string): Change => ({
    ...bid("1", 1, 2),
    kind,
    before: { budget: 0.1 },
    after: { budget: 0.3 },
  });
  deepEqual(view([budget("sp.campaigns"), budget("portfolios")]).daily_budgets, {
    ...{ raised: 1, lowered: 0, before: 0.1, after: 0.3, difference: 0.2 },
  });
  equal(view([], { countryCode: "ZZ" }).currency, null);
});

Deno.test("what a plan does not have has no line, and one that fits is not called cut", () => {
  equal(
    text([bid("1", 2, 3), bid("2", 3, 2)], {}, 2),
    "Plan p for profile 7 (US)\n\nNo campaign, or a new one\n  ~ keyword k  bid 2.00 → 3.00  +1.00 (+50.0%)  1\n" +
      "  ~ keyword k  bid 3.00 → 2.00  -1.00 (-33.3%)  2\n\n" +
      "Bids: 1 raised, 1 lowered; on average 2.50 → 2.50 USD (+0.00)\nPlan: 0 to create, 2 to change, 0 to archive\n",
  );
  const listed = { missing: ["8", "9"], warnings: ["w", "w"], reverses: "p0" };
  equal(
    text([], listed, 2),
    "Plan p for profile 7 (US)\nUndoes plan p0\n\nNot found: 8, 9\n\nWarning: w\nWarning: w\n\n" +
      "Plan: 0 to create, 0 to change, 0 to archive; 2 not found; 2 warnings\n",
  );
  match(text([CALL, { ...CALL, label: "y" }], {}, 1), /the 1 most important of 2 changes/);
});

Deno.test("what asks for a person is one line for each code, which names the others", () => {
  const changes = Array.from({ length: 9 }, (_, at) => ({ ...bid(String(at), 1, 9), label: `k${at}` }));
  const finding = (change: number, code = "TRIPLED"): Finding => ({
    ...{ code, level: "approve", change },
    message: `sp.keywords ${change} k${change}: 9 is 9.0 times 1`,
  });
  deepEqual(askLines([...changes.map((_, at) => finding(at)), finding(0, "CAPPED")], changes), [
    "approve: keyword k0: 9 is 9.0 times 1 (TRIPLED). " +
    "Also: keyword k1, keyword k2, keyword k3, keyword k4, keyword k5, 3 more",
    "approve: keyword k0: 9 is 9.0 times 1 (CAPPED)",
  ]);
});

Deno.test("archives and caps are marked and counted whole in a plan that is shown in part", () => {
  const archive = (id: string): Change => ({ ...bid(id, 1, 1), op: "archive", after: { state: "ARCHIVED" } });
  const cap = {
    ...bid("p", 1, 1),
    kind: "portfolios",
    before: { budget: { amount: 10 } },
    after: { budget: { amount: 11 } },
  };
  const raises = Array.from({ length: 9 }, (_, at) => bid(`r${at}`, 1, 9));
  const changes = [...raises, ...Array.from({ length: 7 }, (_, at) => archive(`a${at}`)), cap];
  const lines = renderPlan(view(changes, {}, 6), { styles: PLAIN, limit: 6 });
  match(lines, /^Archived permanently: (keyword k, ){4}keyword k and 2 more$/m);
  match(lines, /^Portfolio caps: portfolio k 10.00 → 11.00$/m);
  const uncapped = {
    ...cap,
    before: { budget: { policy: "DATE_RANGE" } },
    after: { budget: { policy: "NO_CAP" } },
  };
  match(
    renderPlan(view([uncapped], {}, 1), { styles: PLAIN }),
    /^Portfolio caps: portfolio k capped → none$/m,
  );
});

Deno.test("a plan that undoes another says so once, and names it by its day where ids are left out", () => {
  const reverses = "20261118-120501-4a596f71";
  const shown = view([bid("1", 2, 3)], { reverses, note: `Undo of plan ${reverses}` });
  const head = (ids: boolean): string[] => renderPlan(shown, { styles: PLAIN, ids }).split("\n").slice(1, 3);
  deepEqual(head(true), [`Undoes plan ${reverses}`, ""]);
  deepEqual(head(false), ["Undoes the plan of 2026-11-18 12:05 UTC", ""]);
});

Deno.test("changes that will not be sent are in no total, and are counted apart", () => {
  const findings = [{ code: "BID_BAD", level: "approve", message: "m", change: 1, refused: true } as const];
  const shown = text([bid("1", 2, 3), bid("2", 3, 99)], { findings });
  match(shown, /Bids: 1 raised, 0 lowered; on average 2\.00 → 3\.00 USD/);
  match(shown, /Plan: 0 to create, 1 to change, 0 to archive; 1 will not be sent/);
});

Deno.test("money is unknown for one change or for all, and says so", () => {
  const money = { currency: "USD", perDay: { low: 0, high: 1 }, basis: [] };
  match(text([], { money: { ...money, known: 2, unknown: 1 } }), /^Spend: up to .* a day; 1 of 3 unknown\n/m);
  match(
    text([], { money: { ...money, known: 2, unknown: 0 } }),
    /^Spend: between no change and \+1\.00 USD a day\n/m,
  );
  match(
    text([], { money: { ...money, known: 0, unknown: 1 } }),
    /^Spend: 1 of 1 unknown \(needs 30 days of stored figures\)$/m,
  );
});

Deno.test("a call shows what it sends, and what that replaces where it is known", () => {
  match(text([CALL]), /\n {2}> call x:Do\n {6}request PUT \/x\n {6}body\.a 2\n/);
  match(
    text([{ ...CALL, before: { body: { a: 1, b: 3 } } }]),
    /\n {6}body\.a 1 → 2\n {6}body\.b 3 → \(none\)\n/,
  );
});

Deno.test("what is refused is red; a lowered bid has no colour, and what stays has no sign of a fall", () => {
  const marks = {
    bold: same,
    dim: same,
    yellow: same,
    green: (text: string) => `G${text}`,
    red: (text: string) => `R${text}`,
  };
  const line = (change: Change): string => renderPlan(view([change]), { styles: marks }).split("\n")[3]!;
  equal(line(bid("1", 2, 3)), "  ~ keyword k  bid 2.00 → 3.00  +1.00 (+50.0%)  1");
  equal(line(bid("1", 2, 1)), "  ~ keyword k  bid 2.00 → 1.00  -1.00 (-50.0%)  1");
  equal(line(bid("1", 2, 2)), "  ~ keyword k  bid 2.00 → 2.00  +0.00 (+0.0%)  1");
  equal(line({ ...bid("1", 2, 2), before: {}, after: {} }), "  ~ keyword k  1");
  const denied = {
    code: "POLICY_DENIED",
    level: "deny",
    change: 0,
    message: "the bid is above the limit",
  } as const;
  match(renderPlan(view([bid("1", 2, 9)], { findings: [denied] }), { styles: marks }), /\nR {6}! /);
});

Deno.test("the grounds of an estimate are shown, or where to read them", () => {
  const money = {
    currency: "USD",
    perDay: { low: -9, high: 0 },
    known: 1,
    unknown: 2,
    basis: ["By spend of a month"],
  };
  const shown = view([bid("1", 2, 1)], { money });
  match(
    renderPlan(shown, { styles: PLAIN }),
    /between no change and -9\.00 USD a day; 2 of 3 unknown\n {2}By spend of a month\n/,
  );
  const short = renderPlan(shown, { styles: PLAIN, grounds: "elsewhere" });
  match(short, /2 of 3 unknown; elsewhere\n/);
  equal(short.includes("By spend"), false);
});
