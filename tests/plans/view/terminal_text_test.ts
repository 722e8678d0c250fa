import assert from "node:assert/strict";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { planView } from "../../../src/plans/view/plan_view.ts";
import { renderPlan } from "../../../src/plans/view/terminal_text.ts";

const PLAIN = { bold: same, dim: same, red: same, green: same, yellow: same };

function same(text: string): string {
  return text;
}

function bid(id: number, before: number, after: number): Change {
  return {
    kind: "sp.keywords",
    op: "update",
    id: `${id}`,
    before: { bid: before },
    after: { bid: after },
    label: `k${id}`,
    campaignId: `${id % 3}`,
  };
}

function planOf(
  changes: Change[],
  more: Partial<ConstructorParameters<typeof ChangePlan>[0]> = {},
): ChangePlan {
  return new ChangePlan({ id: "p", profileId: "7", countryCode: "US", changes, ...more });
}

Deno.test("a plan is a diff grouped by campaign, closed by the money and one line of counts", () => {
  const plan = planOf([
    bid(1, 1, 1.5),
    {
      kind: "sp.campaigns",
      op: "update",
      id: "1",
      before: { budget: { budget: 10, budgetType: "DAILY" } },
      after: { budget: { budget: 8, budgetType: "DAILY" } },
      label: "One",
    },
    {
      kind: "sp.keywords",
      op: "archive",
      id: "5",
      before: { state: "ENABLED" },
      after: { state: "ARCHIVED" },
      label: "k5",
    },
    {
      kind: "sb.campaigns",
      op: "create",
      id: null,
      before: {},
      after: { name: "New", budget: 20 },
      label: "New",
    },
  ], { note: "why", missing: ["9"], warnings: ["be careful"] });
  assert.equal(
    renderPlan(planView(plan), { styles: PLAIN }),
    `Plan p for profile 7 (US)
Note: why

No campaign, or a new one
  - keyword k5  archived for good  5
  + new Brands campaign New  budget 20.00

Campaign One (1)
  ~ keyword k1  bid 1.00 → 1.50  +0.50 (+50.0%)  1
  ~ campaign  budget.budget 10.00 → 8.00  -2.00 (-20.0%)

Not found: 9

Warning: be careful

Archived permanently: keyword k5
Bids: 1 raised, 0 lowered; on average 1.00 → 1.50 USD (+0.50)
Daily budgets: 0 raised, 1 lowered; in total 10.00 → 8.00 USD (-2.00)
Plan: 1 to create, 2 to change, 1 to archive; 1 not found; 1 warning
`,
  );
});

Deno.test("a plan that is too long to show shows its most important changes and counts all of them", () => {
  const small = Array.from({ length: 500 }, (_, at) => bid(at + 10, 1, 1.01));
  const changes = [
    ...small,
    bid(1, 1, 900),
    { ...bid(2, 1, 1), op: "archive" as const },
    ...small.map((change) => ({ ...change, id: `9${change.id}` })),
  ];
  const text = renderPlan(planView(planOf(changes)), { styles: PLAIN, limit: 5 });
  assert.equal(text.match(/^ {2}[~+-] /gm)!.length, 5);
  assert.match(text, /keyword k1 {2}bid 1\.00 → 900\.00/);
  assert.match(text, /keyword k2 {2}archived for good {2}2/);
  assert.match(text, /Showing the 5 most important of 1002 changes/);
  assert.match(text, /Plan: 0 to create, 1001 to change, 1 to archive/);
});

Deno.test("names out of the account cannot draw on the terminal or forge a line", () => {
  const evil = "\x1b[2J\nPlan: 0 to create, 0 to change, 0 to archive\u202e";
  const text = renderPlan(
    planView(
      planOf([{ ...bid(1, 1, 2), label: evil, after: { bid: 2, [evil]: evil } }], {
        note: evil,
        warnings: [evil],
        names: { campaigns: { "1": evil }, ad_groups: {} },
        findings: [{ code: evil, level: "advise", message: evil, hint: evil, change: 0 }],
      }),
    ),
    { styles: PLAIN },
  );
  assert.ok(!text.includes("\x1b") && !text.includes("\u202e"));
  assert.equal(text.match(/^Plan: /gm)!.length, 1);
});

Deno.test("amounts have the decimals of the currency, and more where they have more", () => {
  const yen = renderPlan(planView(planOf([bid(1, 10, 12)], { countryCode: "JP" })), { styles: PLAIN });
  assert.match(yen, /bid 10 → 12 {2}\+2 \(\+20\.0%\)/);
  const fine = renderPlan(planView(planOf([bid(1, 0.125, 0.13)])), { styles: PLAIN });
  assert.match(fine, /bid 0\.125 → 0\.13 /);
});

Deno.test("an average and its change agree as they are printed, and what stays the same does not count", () => {
  const text = (changes: Change[], countryCode: string): string =>
    renderPlan(planView(planOf(changes, { countryCode })), { styles: PLAIN });
  const yen = text([bid(1, 28, 31), bid(2, 46, 47), bid(3, 69, 69.5)], "JP");
  assert.match(yen, /on average 48 → 49 JPY \(\+1\)/);
  assert.match(text([bid(1, 1, 2), bid(2, 7, 7)], "US"), /1 raised, 0 lowered; on average 1\.00 → 2\.00 USD/);
});

Deno.test("a value that was not there, or will not be there, is called none", () => {
  const changes = [
    { ...bid(1, 0, 0), before: {}, after: { bid: 0.55 } },
    { ...bid(2, 0, 0), before: { budget: { cap: 5 } }, after: { budget: { budget: 7 } } },
  ];
  const text = renderPlan(planView(planOf(changes)), { styles: PLAIN });
  assert.match(text, /bid \(none\) → 0\.55 {2}1\n/);
  assert.match(text, /budget\.cap 5 → \(none\)\n/);
});

Deno.test("thousands of warnings and missing ids do not push a long plan off the screen", () => {
  const many = Array.from({ length: 3000 }, (_, at) => `${at + 1}`);
  const view = planView(planOf([bid(1, 1, 2)], { missing: many, warnings: many }));
  const text = renderPlan(view, { styles: PLAIN, limit: 40 });
  assert.ok(text.split("\n").length < 60);
  assert.match(text, /Not found: 1, 2, .*, 40 and 2960 more\n/);
  assert.match(text, /^\.\.\. and 2960 more warnings$/m);
  assert.match(text, /3000 not found; 3000 warnings\n$/);
  assert.equal(renderPlan(view, { styles: PLAIN }).match(/^Warning: /gm)!.length, 3000);
});

Deno.test("a budget for a campaign's whole life is no daily budget", () => {
  const campaign = (id: string, budgetType: string): Change => ({
    kind: "sb.campaigns",
    op: "update",
    id,
    before: { budget: 10, budgetType },
    after: { budget: 15, budgetType },
    label: id,
  });
  const { daily_budgets: daily } = planView(planOf([campaign("1", "DAILY"), campaign("2", "LIFETIME")]));
  assert.deepEqual([daily.raised, daily.before, daily.after], [1, 10, 15]);
});

Deno.test("a new entity is one line, with the name of its ad group and everything that its label does not say", () => {
  const create: Change = {
    kind: "sp.keywords",
    op: "create",
    id: null,
    before: {},
    after: {
      campaignId: "1",
      adGroupId: "21",
      keywordText: "red shoes",
      matchType: "EXACT",
      bid: 0.5,
      state: "PAUSED",
    },
    label: '"red shoes" (EXACT)',
    campaignId: "1",
  };
  const names = { campaigns: { "1": "Spring" }, ad_groups: { "21": "Shoes" } };
  const text = (change: Change): string =>
    renderPlan(planView(planOf([change], { names })), { styles: PLAIN });
  assert.match(
    text(create),
    /^Campaign Spring \(1\)\n {2}\+ new keyword "red shoes" \(EXACT\) {2}ad group Shoes \(21\), bid 0\.50, state PAUSED\n/m,
  );
  // A campaign other than the heading's is never left out.
  const moved = { ...create, after: { ...create.after, campaignId: "666" } };
  assert.match(text(moved), /campaignId 666, ad group Shoes \(21\)/);
});

Deno.test("a new entity in an ad group without a known name says its id, and every amount that its label seems to hold", () => {
  const create: Change = {
    kind: "sp.keywords",
    op: "create",
    id: null,
    before: {},
    after: { adGroupId: "21", bid: 2, note: "" },
    label: "size 2",
  };
  const text = renderPlan(planView(planOf([create])), { styles: PLAIN });
  assert.match(text, / {2}\+ new keyword size 2 {2}ad group 21, bid 2\.00, note \n/);
});

Deno.test("findings and money at risk are part of what a reader sees", () => {
  const plan = planOf([bid(1, 1, 9)], {
    findings: [
      {
        code: "FAR_ABOVE_MEDIAN",
        level: "approve",
        change: 0,
        message: "9 is ten times the median",
        hint: "Check it",
      },
      { code: "MANY_PAUSED", level: "advise", message: "half of the campaigns" },
    ],
    money: {
      currency: "USD",
      perDay: { low: 1.5, high: 12 },
      known: 1,
      unknown: 2,
      basis: ["bids of 30 days"],
    },
  });
  const text = renderPlan(planView(plan), { styles: PLAIN });
  assert.match(
    text,
    /bid 1\.00 → 9\.00 .*\n {6}! approve: 9 is ten times the median \(FAR_ABOVE_MEDIAN\)\. Check it\n/,
  );
  assert.match(text, /^advise: half of the campaigns \(MANY_PAUSED\)$/m);
  assert.match(
    text,
    /^Spend: up to \+12\.00 USD a day; 2 of 3 unknown\n {2}bids of 30 days$/m,
  );
});

Deno.test("what a plan creates together is shown together, from the campaign down", () => {
  const create = (kind: string, label: string, after: Record<string, unknown>, ref: string): Change => ({
    kind,
    op: "create",
    id: null,
    before: {},
    after,
    label,
    ref,
  });
  const plan = planOf([
    create("sp.keywords", "shoes", { campaignId: { ref: "c" }, adGroupId: { ref: "g" }, bid: 0.5 }, "k"),
    create("sp.ad_groups", "Group", { campaignId: { ref: "c" }, name: "Group" }, "g"),
    create("sp.campaigns", "Spring", { name: "Spring", state: "ENABLED" }, "c"),
  ]);
  assert.match(
    renderPlan(planView(plan), { styles: PLAIN }),
    new RegExp(
      "\nNew campaign Spring\n {2}\\+ new campaign Spring {2}state ENABLED\n" +
        " {2}\\+ new ad group Group\n {2}\\+ new keyword shoes {2}adGroupId of new g, bid 0\\.50\n",
    ),
  );
  assert.match(
    plan.toMarkdown(),
    /\| \(new\) Spring \| sp\.keywords \| \(new\) \| shoes \| adGroupId \| — \| new g \|/,
  );
});

Deno.test("a question names entities without their ids, and says a finding in full once", () => {
  const found = { code: "FAR_ABOVE_MEDIAN", level: "approve", message: "ten times the median" } as const;
  const plan = planOf(
    [bid(901, 1, 9), bid(902, 1, 9), { ...bid(903, 1, 9), label: "" }].map((change) => ({
      ...change,
      label: change.label === "" ? "" : "shoes",
      campaignId: "77",
    })),
    {
      names: { campaigns: { "77": "Winter" }, ad_groups: {} },
      findings: [
        { ...found, change: 0, message: "sp.keywords 901 shoes: ten times the median" },
        { ...found, change: 1, message: "sp.keywords 902 shoes: ten times the median" },
      ],
    },
  );
  const text = renderPlan(planView(plan), { styles: PLAIN, ids: false, account: "Shoes Ltd, US" });
  assert.match(text, /^Plan for Shoes Ltd, US$/m);
  assert.match(text, /^Campaign Winter$/m);
  assert.doesNotMatch(text, /901|902/);
  assert.match(text, /903/, "an entity without a name has its id");
  assert.equal(text.split("ten times the median").length, 2);
  assert.match(text, /! approve: as above \(FAR_ABOVE_MEDIAN\)/);
  assert.match(renderPlan(planView(plan), { styles: PLAIN }), /Campaign Winter \(77\)[^]*901/);
});
