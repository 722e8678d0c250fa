import { parseStep, readStep } from "../../src/account/jobs/amount_step.ts";
import { typedValue } from "../../src/interfaces/console/web/grid_edits.js";
import type { AnyOperation } from "../../src/operations/model/operation.ts";
import { draftItems } from "../../src/operations/plans/draft_items.ts";
import { planUpdate } from "../../src/operations/plans/plan_writes.ts";
import { amountStep } from "../../src/operations/plans/relative_amounts.ts";
import { deepEqual, equal, match, ok, throws } from "../support/assert.ts";
import { interfaces } from "./support/interfaces.ts";

const BID = { key: "bid", type: "money", title: "Bid", width: 0 } as const;

/** What each text makes of 2.00: a new amount, or why not. An item of an update refuses differences of money too. */
const CASES: readonly (readonly [text: string, ofTwo: number | string, inItems?: string])[] = [
  ["+10%", 2.2],
  ["-25 %", 1.5],
  [" + 5% ", 2.1],
  ["+0.5%", 2.01],
  ["*1.2", 2.4],
  ["×2", 4],
  ["* 0.5", 1],
  ["+0.05", 2.05, "has a sign"],
  ["-0.5", 1.5, "has a sign"],
  ["-1.00", 1, "has a sign"],
  ["-10", "no percent sign", "has a sign"],
  ["+1", "no percent sign", "has a sign"],
  ["-100%", "nothing left", "no amount above 0"],
  ["-200%", "nothing left", "no amount above 0"],
  ["*0", "nothing left", "no amount above 0"],
  ["10%", "unreadable", '"+10%" or "-10%", with its sign'],
  ["*10%", "unreadable", '"+10%" or "-10%", with its sign'],
  ["+-3", "unreadable", "is not a number"],
  ["ten", "unreadable", "is not a number"],
  ["", "unreadable", "is not a number"],
];

Deno.test("jobs, updates and the grid read one table of changes of an amount alike", () => {
  for (const [text, ofTwo, inItems] of CASES) {
    const step = readStep(text);
    const cell = typedValue(BID, text, { now: 2, decimals: 2 });
    if (typeof ofTwo === "number") {
      equal(Number(parseStep(text).of(2).toPrecision(12)), ofTwo, text);
      deepEqual(cell, { value: ofTwo }, text);
    } else {
      equal(step, ofTwo, text);
      throws(() => parseStep(text), RangeError, text);
      ok("problem" in cell, text);
    }
    const item = () => amountStep(text, { where: "item 3", name: "bid" });
    if (inItems === undefined) equal(Number(item().of(2).toPrecision(12)), ofTwo, text);
    else throws(item, new RegExp(`^TypeError: Cannot use item 3: "bid" is .*${inItems.replace("+", "\\+")}`));
  }
});

Deno.test("an edit of a draft holds an amount, and no change of one", () => {
  const edit = { kind: "sp.campaigns", id: "1", label: "Shoes", field: "budget.budget", seen: 5 };
  const [item] = draftItems([{ ...edit, value: "+10%" }]);
  match(String(item?.problem), /"budget\.budget" to "\+10%"/);
  equal(draftItems([{ ...edit, value: 6 }])[0]?.problem, undefined);
});

Deno.test("the tool and the route work changes out of amounts just read, round them alike, and refuse with the field", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const keywords = await ca.sp.keywords.list({ states: ["ENABLED"] });
  const bare = keywords.find(({ bid }) => bid === undefined)!;
  const paid = keywords.filter(({ bid }) => bid !== undefined).slice(0, 2);
  const [first, second] = paid.map(({ keywordId }) => keywordId);
  const [campaign] = await ca.sp.campaigns.list({ states: ["ENABLED"] });
  await ca.sp.keywords.update([{ keywordId: first!, bid: 0.57 }, { keywordId: second!, bid: 1 }]);
  const { budget } = campaign!.budget as { budget: number };
  const items = [
    { keywordId: first, bid: "+10%" },
    { keyword_id: second, bid: "*1.5", state: "PAUSED" },
    { keywordId: bare.keywordId, bid: "+10%" },
    { keywordId: "77", bid: "+10%" },
    { entity: "sp_campaigns", campaignId: campaign!.campaignId, budget: { budget: "+100%" } },
  ];
  const operation = planUpdate as AnyOperation;
  const tool = await at.tool(operation, { entity: "keywords", items });
  equal(tool.isError, false, tool.text);
  const saved = JSON.parse(
    await Deno.readTextFile(`${at.world.planFolder}/plan-${tool.data.plan_id}.json`),
  );
  deepEqual(
    saved.changes.map(({ after }: { after: unknown }) => after),
    [
      { bid: 0.63 },
      { bid: 1.5, state: "PAUSED" },
      { budget: { ...campaign!.budget as object, budget: budget * 2 } },
    ],
  );
  deepEqual(saved.missing, ["77"]);
  match(
    saved.warnings.join(),
    new RegExp(`${bare.keywordId} .*has no "bid" of its own, so \\+10% was left out`),
  );
  const rounded = `Amounts are rounded to what the market takes: keyword ${first} 0.627 → 0.63`;
  ok(
    saved.findings.some((one: { message: string }) => one.message === rounded),
    JSON.stringify(saved.findings),
  );
  const route = await at.route(operation, { entity: "keywords", items });
  equal(route.status, 200, JSON.stringify(route.data));
  const { changes } = JSON.parse((await at.consolePlans.get(route.data.plan_id)).toJson());
  deepEqual(changes, saved.changes);

  const before = at.world.emulator.requests().length;
  const wrong = [
    { keywordId: "1", bid: "-10" },
    { keywordId: "2", bid: "+10%" },
    { entity: "campaigns", campaignId: "3", budget: { budget: "10%" } },
  ];
  for (
    const { message } of [
      { message: (await at.tool(operation, { entity: "keywords", items: wrong })).text },
      { message: (await at.route(operation, { entity: "keywords", items: wrong })).data.error.message },
    ]
  ) {
    match(message, /item 0: .*"bid" is "-10", which has a sign/);
    match(message, /item 2: .*"budget\.budget" is "10%", which is not a number\. Write a change as "\+10%"/);
  }
  equal(at.world.emulator.requests().length, before, "nothing was read");
});

Deno.test("an object without the amount to change is left out whole, and so is what would become 0", async () => {
  await using at = await interfaces();
  const ca = await (await at.context.ads()).profile("CA");
  const bare = (await ca.portfolios.list()).find(({ budget }) => budget === undefined);
  const [keyword] = (await ca.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
    bid !== undefined
  );
  const { keywordId } = keyword!;
  (await ca.sp.keywords.update([{ keywordId, bid: 0.04 }])).raiseForErrors();
  const tool = await at.tool(planUpdate as AnyOperation, {
    entity: "portfolios",
    items: [
      {
        portfolioId: bare!.portfolioId,
        name: "New name",
        budget: { amount: "+10%", policy: "MONTHLY_RECURRING" },
      },
      { entity: "sp.keywords", keywordId, bid: "-95%" },
    ],
  });
  equal(tool.isError, false, tool.text);
  const { changes, warnings } = JSON.parse(
    await Deno.readTextFile(`${at.world.planFolder}/plan-${tool.data.plan_id}.json`),
  );
  deepEqual(changes.map(({ after }: { after: unknown }) => after), [{ name: "New name" }]);
  match(warnings[0], /has no "budget\.amount" of its own, so \+10% was left out/);
  match(warnings[1], /-95% leaves nothing of its "bid" 0\.04, so it was left out/);
});
