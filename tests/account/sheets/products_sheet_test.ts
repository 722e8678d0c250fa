import { deepEqual, equal, match, ok, rejects } from "../../support/assert.ts";
import { planSheet, pullSheet, type SheetProblemsError } from "../../../src/account/mod.ts";
import { emulated } from "../../support/emulated.ts";
import { linesOf, rows } from "./sheet_text.ts";
import { onBothWires } from "../../support/on_both_wires.ts";

onBothWires(
  "a Display campaign with all that belongs to it is made from a sheet, and comes back as it was written",
  async (options, wire) => {
    await using world = await emulated(options);
    const place = {
      Product: "Sponsored Display",
      Operation: "create",
      "Campaign Id": "c",
      "Ad Group Id": "g",
    };
    const audience = "views=(exact-product lookback=30)";
    const given = [
      {
        ...place,
        Entity: "Campaign",
        "Ad Group Id": "",
        "Campaign Name": "Sheet",
        "Start Date": "20261201",
        "End Date": "20271231",
        State: "paused",
        Tactic: wire === "legacy" ? "T00030" : "",
        "Budget Type": "Daily",
        Budget: "12.5",
        "Cost Type": "CPC",
      },
      {
        ...place,
        Entity: "Ad group",
        "Ad Group Name": "Viewers",
        State: "enabled",
        "Bid Optimization": "conversions",
        "Ad Group Default Bid": "0.5",
      },
      { ...place, Entity: "Product ad", State: "enabled", SKU: "SKU-W1RG7-1" },
      {
        ...place,
        Entity: "Audience targeting",
        State: "enabled",
        Bid: "0.7",
        "Targeting Expression": audience,
      },
      {
        ...place,
        Entity: "Contextual targeting",
        State: "paused",
        "Targeting Expression": 'category="12" price<40',
      },
      { ...place, Entity: "Negative product targeting", State: "enabled", ASIN: "B0YG5W1RG7" },
      {
        ...place,
        Entity: "Negative product targeting",
        State: "enabled",
        "Targeting Expression": 'brand="77"',
      },
    ];
    const { plan } = await planSheet(world.us, rows(given));
    deepEqual(plan.findings.filter(({ refused }) => refused), []);
    const result = await plan.apply(world.us);
    equal(result.ok, true, result.summary());
    const [campaign] = await world.us.sd.campaigns.list({ name: "Sheet" });
    deepEqual([campaign!.startDate, campaign!.endDate, campaign!.costType], ["20261201", "20271231", "cpc"]);

    const pulled = await pullSheet(world.us, {
      products: ["Sponsored Display"],
      campaignIds: [campaign!.campaignId],
    });
    const [head = [], ...lines] = [...linesOf({ bytes: pulled.bytes, name: "bulk.xlsx" }).values()][0] ?? [];
    const found = lines.map((line) =>
      Object.fromEntries(head.map((name, at) => [name, line[at] ?? ""]).filter(([, text]) => text !== ""))
    );
    const own = [
      "Entity",
      "Campaign Name",
      "Start Date",
      "Tactic",
      "Budget",
      "Ad Group Name",
      "SKU",
      "State",
    ];
    const more = ["Targeting Expression", "Ad Group Default Bid", "Bid Optimization", "Bid"];
    const shown = (row: Readonly<Record<string, string | undefined>>): string =>
      [...own, ...more].map((name) => row[name] ?? "").join("|");
    deepEqual(found.map(shown).sort(), given.map(shown).sort());
    ok(found.every((row) => row["Campaign Id"] === campaign!.campaignId), "negatives among them");
    deepEqual(
      found.flatMap(({ Entity, ASIN }) => Entity === "Negative product targeting" ? ASIN ?? "" : []).sort(),
      [
        "",
        "B0YG5W1RG7",
      ],
    );
  },
);

onBothWires(
  "videos and product targets of Brands are made from a sheet, and rows that cannot be planned say why",
  async (options) => {
    await using world = await emulated(options);
    const place = {
      Product: "Sponsored Brands",
      Operation: "create",
      "Campaign ID": "c",
      "Ad Group ID": "g",
    };
    const ad = {
      ...place,
      State: "enabled",
      "Creative ASINs": "B0YG5W1RG7",
      "Video asset IDs": "video.1:version_v1",
    };
    const good = [
      {
        ...place,
        Entity: "Campaign",
        "Ad Group ID": "",
        "Campaign name": "Films",
        State: "paused",
        "Budget type": "daily",
        Budget: "12",
      },
      { ...place, Entity: "Ad group", "Ad group name": "Films", State: "enabled" },
      { ...ad, Entity: "Video ad", "Ad name": "One product" },
      {
        ...place,
        Entity: "Product targeting",
        State: "enabled",
        Bid: "1.2",
        "Product targeting expression": 'category="7" price<49.99 rating>3',
      },
      { ...place, Entity: "Negative product targeting", "Product targeting expression": 'asin="b0yg5w1rg7"' },
      {
        ...ad,
        Entity: "Brand video ad",
        "Ad name": "The brand",
        "Brand name": "Fernpfad",
        "Brand logo asset ID": "logo.1:version_v1",
        "Creative headline": "Sleep outside",
        "Landing page URL": "https://example.com/store",
        "Landing page type": "store",
      },
    ];
    const { plan } = await planSheet(world.us, rows(good));
    deepEqual(
      plan.changes.filter(({ kind }) => kind === "sb.ads").map(({ after }) => after["adFormat"]),
      ["video", "brandVideo"],
    );
    const result = await plan.apply(world.us);
    equal(result.ok, true, result.summary());
    const idOf = (wanted: string) => result.changes.find(({ change: { kind } }) => kind === wanted)!.id!;
    const { sb } = world.us;
    const { expressions, bid } = (await sb.targets.get(idOf("sb.targets")))!;
    deepEqual([expressions, bid], [[
      { type: "asinCategorySameAs", value: "7" },
      { type: "asinPriceLessThan", value: "49.99" },
      { type: "asinReviewRatingGreaterThan", value: "3" },
    ], 1.2]);
    deepEqual((await sb.negativeTargets.get(idOf("sb.negative_targets")))!.expressions, [
      { type: "asinSameAs", value: "B0YG5W1RG7" },
    ]);

    const bad = rows([
      { ...place, Entity: "Product targeting", Bid: "1", "Product targeting expression": "close-match" },
      {
        ...place,
        Entity: "Negative product targeting",
        Operation: "update",
        "Product Targeting ID": "8",
        State: "paused",
      },
      { ...place, Entity: "Store spotlight ad", "Ad name": "Pages", State: "enabled" },
      {
        Product: "Sponsored Display",
        Entity: "Campaign",
        Operation: "update",
        "Campaign ID": "1",
        State: "Archived",
      },
      {
        ...place,
        Entity: "Keyword",
        State: "paused",
        "Keyword text": "boots",
        "Match type": "exact",
      },
      { ...place, Entity: "Negative keyword", Operation: "update", "Keyword ID": "7", State: "paused" },
    ]);
    await rejects(planSheet(world.us, bad), (error: SheetProblemsError) => {
      match(
        error.message,
        /row 2, Product targeting expression: "close-match" is not known: expected parts such/,
      );
      match(error.message, /rows 3, 7, State: "paused" cannot be set: expected one of enabled/);
      match(error.message, /row 5, State: archived cannot be set as a state: use the Operation archive/);
      match(error.message, /row 6, State: the platform enables every new entity/);
      match(
        error.message,
        /row 4, Entity: a Store spotlight ad cannot be created .* adFormat storeSpotlight/,
      );
      return true;
    });
  },
);
