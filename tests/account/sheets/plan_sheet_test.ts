import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import fc from "fast-check";
import { planSheet, pullSheet, SheetProblemsError } from "../../../src/account/mod.ts";
import { emulated } from "../../support/emulated.ts";
import { linesOf, rows, xlsx } from "./sheet_text.ts";
import { mostlyOnOneWire } from "../../support/on_both_wires.ts";

const SP = { Product: "Sponsored Products" };

/** The lines with `Operation` set in every row, or in those that are named. */
function withOperation(lines: string[][], word: string, only?: ReadonlySet<number>): string[][] {
  const at = lines[0]!.indexOf("Operation");
  return lines.map((line, index) =>
    index === 0 || (only !== undefined && !only.has(index)) ? line : line.with(at, word)
  );
}

for (const format of ["xlsx", "csv"] as const) {
  mostlyOnOneWire(
    `what is pulled as ${format} and marked as an update in every row changes nothing`,
    async (options) => {
      await using world = await emulated(options);
      const products = format === "csv" ? ["Sponsored Products"] : undefined;
      const pulled = await pullSheet(world.us, { format, products });
      const file = { bytes: pulled.bytes, name: `bulk.${format}` };
      const untouched = await planSheet(world.us, file);
      equal(untouched.plan.changes.length, 0);
      const count = Object.values(pulled.rows).reduce((sum, one) => sum + one, 0);
      equal(untouched.ignored, count);
      ok(count > 1000);

      const marked = new Map([...linesOf(file)].map(([tab, lines]) => [tab, withOperation(lines, "Update")]));
      const all = await planSheet(
        world.us,
        format === "csv" ? { ...xlsx(marked), name: "x" } : xlsx(marked),
        {
          skipBadRows: true,
        },
      );
      deepEqual(all.plan.changes, []);
      deepEqual(
        [...new Set(all.problems.map(({ message }) => message))],
        [],
        "every row that is pulled can be marked",
      );
    },
  );
}

/** Columns that are edited at random, by the word in the column Entity: the head of the id, the column, its field. */
const EDITABLE: Readonly<Record<string, Readonly<Record<string, readonly [string, string, string]>>>> = {
  "Sponsored Products": {
    "Keyword": ["Keyword Id", "Bid", "bid"],
    "Product targeting": ["Product Targeting Id", "Bid", "bid"],
    "Ad group": ["Ad Group Id", "Ad Group Default Bid", "defaultBid"],
    "Product ad": ["Ad Id", "State", "state"],
  },
  "Sponsored Display": {
    "Campaign": ["Campaign Id", "Budget", "budget"],
    "Ad group": ["Ad Group Id", "Ad Group Default Bid", "defaultBid"],
    "Audience targeting": ["Targeting Id", "Bid", "bid"],
    "Contextual targeting": ["Targeting Id", "Bid", "bid"],
    "Negative product targeting": ["Targeting Id", "State", "state"],
    "Product ad": ["Ad Id", "State", "state"],
  },
};

for (const [product, editable] of Object.entries(EDITABLE)) {
  mostlyOnOneWire(
    `random edits of a pulled sheet of ${product} give a plan with exactly these changes`,
    async (options) => {
      await using world = await emulated(options);
      const pulled = await pullSheet(world.us, { products: [product] });
      const [, lines = []] = [...linesOf({ bytes: pulled.bytes, name: "bulk.xlsx" })][0] ?? [];
      const head = lines[0]!;
      const at = (name: string): number => head.indexOf(name);
      const candidates = lines.flatMap((line, index) =>
        line[at("Entity")]! in editable && index > 0 ? [index] : []
      );
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.constantFrom(...candidates), { minLength: 1, maxLength: 40 }),
          fc.infiniteStream(fc.integer({ min: 2, max: 400 })),
          async (chosen, amounts) => {
            const edited = lines.map((line) => [...line]);
            const wanted = new Map<string, unknown>();
            for (const index of chosen) {
              const line = edited[index]!;
              const [idHeader, header, field] = editable[line[at("Entity")]!]!;
              const next = field === "state"
                ? (line[at(header)] === "paused" ? "enabled" : "paused")
                : String((amounts.next().value ?? 2) / 100);
              const isSame = line[at(header)] !== "" && line[at(header)] === next;
              line[at("Operation")] = "update";
              line[at(header)] = next;
              const state = product === "Sponsored Display" ? next : next.toUpperCase();
              const value = field === "state" ? state : Number(next);
              if (!isSame) wanted.set(`${line[at(idHeader)]} ${field}`, value);
            }
            const { plan } = await planSheet(world.us, xlsx(new Map([[product, edited]])));
            const found = plan.changes.flatMap(({ id, op, after }) =>
              Object.entries(after).map(([field, value]) =>
                [`${id} ${field}`, op === "update" ? value : op] as const
              )
            );
            deepEqual(new Map(found.sort()), new Map([...wanted].sort()));
          },
        ),
        { numRuns: 3, seed: 20261122 },
      );
    },
  );
}

mostlyOnOneWire(
  "texts in place of ids tie new campaigns, ad groups and what is in them together",
  async (options) => {
    await using world = await emulated(options);
    const file = rows([
      {
        ...SP,
        Entity: "Keyword",
        Operation: "Create",
        "Campaign Id": "spring",
        "Ad Group Id": "shoes",
        State: "enabled",
        Bid: "0.55",
        "Keyword Text": "red shoes",
        "Match Type": "Exact",
      },
      {
        ...SP,
        Entity: "Ad Group",
        Operation: "create",
        "Campaign Id": "spring",
        "Ad Group Id": "shoes",
        State: "enabled",
        "Ad Group Name": "Shoes",
        "Ad Group Default Bid": "0.5",
      },
      {
        ...SP,
        Entity: "Bidding Adjustment",
        Operation: "create",
        "Campaign Id": "spring",
        Placement: "Placement Top",
        Percentage: "25",
      },
      {
        ...SP,
        Entity: "Campaign",
        Operation: "create",
        "Campaign Id": "spring",
        "Campaign Name": "Spring sheet",
        "Start Date": "20261201",
        "Targeting Type": "manual",
        State: "paused",
        "Daily Budget": "12",
        "Bidding Strategy": "Dynamic bids - down only",
      },
      {
        ...SP,
        Entity: "Product targeting",
        Operation: "create",
        "Campaign Id": "spring",
        "Ad Group Id": "shoes",
        State: "enabled",
        Bid: "0.4",
        "Product Targeting Expression": 'asin="B0YG5W1RG7"',
      },
      {
        ...SP,
        Entity: "Negative keyword",
        Operation: "create",
        "Campaign Id": "spring",
        "Ad Group Id": "shoes",
        State: "enabled",
        "Keyword Text": "free",
        "Match Type": "negativePhrase",
      },
      {
        ...SP,
        Entity: "Campaign negative keyword",
        Operation: "create",
        "Campaign Id": "spring",
        State: "enabled",
        "Keyword Text": "=cheap",
        "Match Type": "negativeExact",
      },
    ]);
    const { plan } = await planSheet(world.us, file, { skipBadRows: true });
    equal(plan.changes.length, 6);
    const campaign = plan.changes.find(({ kind }) => kind === "sp.campaigns");
    deepEqual(campaign?.after["budget"], { budgetType: "DAILY", budget: 12 });
    deepEqual(campaign?.after["dynamicBidding"], {
      placementBidding: [{ placement: "PLACEMENT_TOP", percentage: 25 }],
      strategy: "LEGACY_FOR_SALES",
    });
    const negated = plan.changes.find(({ kind }) => kind === "sp.campaign_negative_keywords");
    equal(negated?.after["keywordText"], "=cheap", "a text that looks like a formula comes through");
    const bare = rows([]);
    ok(bare.bytes.length > 0);
    const usable = await planSheet(
      world.us,
      rows([]),
    );
    equal(usable.plan.changes.length, 0);
  },
);

mostlyOnOneWire("a sheet of new entities is applied by its references", async (options) => {
  await using world = await emulated(options);
  const file = rows([
    {
      ...SP,
      Entity: "Campaign",
      Operation: "create",
      "Campaign Id": "c",
      "Campaign Name": "Sheet",
      "Start Date": "2026-12-01",
      "Targeting Type": "Manual",
      State: "Paused",
      "Daily Budget": "12",
    },
    {
      ...SP,
      Entity: "Ad Group",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
      State: "enabled",
      "Ad Group Name": "Shoes",
      "Ad Group Default Bid": "0.5",
    },
    {
      ...SP,
      Entity: "Keyword",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
      State: "enabled",
      "Keyword Text": "red shoes",
      "Match Type": "Exact",
    },
    {
      ...SP,
      Entity: "Negative product targeting",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
      State: "enabled",
      "Product Targeting Expression": 'asin="B0YG5W1RG7"',
    },
    {
      ...SP,
      Entity: "Product ad",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
      State: "enabled",
      sku: "SKU-W1RG7-1",
    },
  ]);
  const { plan } = await planSheet(world.us, file);
  const result = await plan.apply(world.us);
  equal(result.ok, true, result.summary());
  const [campaign] = await world.us.sp.campaigns.list({ name: "Sheet", states: null });
  equal((await world.us.sp.keywords.list({ campaignIds: [campaign!.campaignId] })).length, 1);
});

mostlyOnOneWire("rows archive, change a premium alone, and change portfolios and Brands", async (options) => {
  await using world = await emulated(options);
  const { us } = world;
  const [keyword] = await us.sp.keywords.list({ states: ["ENABLED"] });
  const [campaign] = await us.sp.campaigns.list({ states: ["ENABLED"] });
  const [brand] = (await us.sb.keywords.list({ states: ["enabled"] })).filter(({ bid }) => bid !== undefined);
  const [portfolio] = await us.portfolios.list();
  const file = rows([
    { ...SP, Entity: "Keyword", Operation: "ARCHIVE", "Keyword Id": keyword!.keywordId },
    {
      ...SP,
      Entity: "Bidding adjustment",
      Operation: "update",
      "Campaign Id": campaign!.campaignId,
      Placement: "placement top",
      Percentage: "33",
    },
    {
      Product: "Sponsored Brands",
      Entity: "Keyword",
      Operation: "update",
      "Keyword Id": brand!.keywordId,
      Bid: "1.23",
    },
    {
      Product: "Portfolios",
      Entity: "Portfolio",
      Operation: "update",
      "Portfolio Id": portfolio!.portfolioId,
      "Portfolio Name": "From a sheet",
    },
  ]);
  const { plan } = await planSheet(us, file);
  deepEqual(
    plan.changes.map(({ kind, op, id }) => [kind, op, id]).sort(),
    [
      ["portfolios", "update", portfolio!.portfolioId],
      ["sb.keywords", "update", brand!.keywordId],
      ["sp.campaigns", "update", campaign!.campaignId],
      ["sp.keywords", "archive", keyword!.keywordId],
    ],
  );
  const result = await plan.apply(us);
  equal(result.ok, true, result.summary());
  const after = (await us.sp.campaigns.getMany([campaign!.campaignId])).get(campaign!.campaignId);
  const before = campaign!.dynamicBidding?.placementBidding ?? [];
  equal(
    after?.dynamicBidding?.placementBidding?.find(({ placement }) => placement === "PLACEMENT_TOP")
      ?.percentage,
    33,
  );
  ok((after?.dynamicBidding?.placementBidding?.length ?? 0) >= before.length, "other placements stay");
});

Deno.test("every cell that cannot be used is named at once, with row and column, and nothing is asked", async () => {
  await using world = await emulated();
  world.asked();
  const file = rows([
    { ...SP, Entity: "Keyword", Operation: "chnage", "Keyword Id": "1" },
    { ...SP, Entity: "Keywrd", Operation: "update", "Keyword Id": "1" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "9.22337E+18", Bid: "1" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "12", Bid: "0,55" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "new", Bid: "1" },
    {
      ...SP,
      Entity: "Keyword",
      Operation: "create",
      "Keyword Id": "13",
      "Campaign Id": "1",
      "Ad Group Id": "g9",
      State: "enabled",
      "Keyword Text": "a",
      "Match Type": "exakt",
    },
    {
      ...SP,
      Entity: "Campaign",
      Operation: "create",
      "Campaign Id": "c",
      "Campaign Name": "x",
      "Targeting Type": "auto",
      State: "enabled",
      "Daily Budget": "10 €",
    },
    {
      ...SP,
      Entity: "Ad group",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
      "Ad Group Name": "x",
      State: "enabled",
      "Ad Group Default Bid": "1",
    },
    { Product: "Sponsored Snacks", Entity: "Keyword", Operation: "update", "Keyword Id": "1" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "12", Bid: "0.55" },
    { ...SP, Entity: "Keyword", Operation: "update", "Keyword Id": "12", State: "paused" },
    {
      ...SP,
      Entity: "Bidding adjustment",
      Operation: "update",
      "Campaign Id": "1",
      Placement: "top",
      Percentage: "2,5",
    },
  ]);
  await rejects(planSheet(world.us, file), (error: SheetProblemsError) => {
    ok(error instanceof SheetProblemsError);
    for (
      const text of [
        /row 2, Operation: "chnage" is not known: expected create, update, archive/,
        /row 3, Entity: "Keywrd" is not known: expected one of Campaign, Ad group/,
        /row 4, Keyword Id: 9\.22337E\+18 is rounded: the last digits of the id are lost/,
        /row 5, Bid: "0,55": the file mixes decimal points and decimal commas/,
        /row 6, Keyword Id: "new" is not an id/,
        /row 7, Keyword Id: 13 is the id of an existing entity/,
        /row 7, Match Type: "exakt" is not known: expected one of exact, phrase, broad/,
        /row 8, Daily Budget: .*€/,
        /row 9, Campaign Id: "c" is neither an id nor the text of a usable row/,
        /row 10, Product: "Sponsored Snacks" is not known/,
        /row 12: row 11 is about the same entity/,
        /row 13, Placement: "top" is not known/,
        /row 13, Percentage: "2,5" is not a whole percentage/,
      ]
    ) match(error.message, text);
    return true;
  });
  deepEqual(world.asked(), []);
});
