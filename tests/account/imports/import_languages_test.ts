import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import {
  importFiles,
  type ImportOptions,
  ImportProblemsError,
  type SheetFile,
} from "../../../src/account/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";

const FIXTURES = new URL("../../fixtures/console/", import.meta.url);

async function file(name: string, change: (text: string) => string = (text) => text): Promise<SheetFile> {
  return { name, bytes: new TextEncoder().encode(change(await Deno.readTextFile(new URL(name, FIXTURES)))) };
}

async function withStore(step: (store: Warehouse) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "import-test-" });
  try {
    await using store = await Warehouse.open(`${folder}/ads.sqlite`);
    await step(store);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function problemsOf(store: Warehouse, files: SheetFile[], options: ImportOptions): Promise<string[]> {
  try {
    await importFiles(store, files, options);
  } catch (error) {
    if (!(error instanceof ImportProblemsError)) throw error;
    assert.deepEqual(await store.coverage(), [], "nothing is stored");
    return error.problems.map(({ file, row, header, message }) =>
      `${file}:${row}:${header.trim()}: ${message}`
    );
  }
  throw new Error("It was imported");
}

Deno.test("files of six languages are read with the numbers, days and windows that they hold", async (t) => {
  const cases = [
    {
      name: "es_search_terms_summary.csv",
      countryCode: "ES",
      report: "sp_search_terms",
      language: "es",
      days: "2026-08-01 2026-08-31",
      form: 'separator ;, decimal comma, days as "ago 1, 2026", rates with percent signs, orders of 7 days',
      sums: [33, 16, 1234.56, 10, null],
    },
    {
      name: "de_advertised_products_daily.csv",
      countryCode: "DE",
      report: "sp_advertised_products",
      language: "de",
      days: "2026-09-01 2026-09-02",
      form: 'separator ,, decimal point, days as "01.09.2026", rates with percent signs, orders of 7 days',
      sums: [25, 15.2, 61, 2, null],
    },
    {
      name: "ja_search_terms_summary.csv",
      countryCode: "JP",
      report: "sp_search_terms",
      language: "ja",
      days: "2026-08-01 2026-08-31",
      form: 'separator ,, decimal point, days as "2026/08/01", rates with percent signs, orders of 7 days',
      sums: [24, 1320, 13200, 3, null],
    },
    {
      name: "in_search_terms_2019.csv",
      countryCode: "IN",
      report: "sp_search_terms",
      language: "en",
      days: "2019-12-07 2019-12-13",
      form: 'separator ,, decimal point, days as "12/07/2019", rates with percent signs, orders of 14 days',
      sums: [21, 201.73, null, null, 1000],
    },
    {
      name: "fr_search_terms.csv",
      countryCode: "FR",
      report: "sp_search_terms",
      language: "fr",
      days: "2026-08-01 2026-08-31",
      form: 'separator ;, decimal comma, days as "1 août 2026", orders of 7 days',
      sums: [25, 12, 1234.56, 10, null],
    },
    {
      name: "pt_search_terms_daily.csv",
      countryCode: "BR",
      report: "sp_search_terms",
      language: "pt",
      days: "2026-09-01 2026-09-02",
      form: 'separator ,, decimal point, days as "Sep 01, 2026", orders of 7 days',
      sums: [10, 5, 90, 1, null],
      map: { "Nome do grupo": "adGroupName", "Pedidos totais": "7 Day Total Orders (#)" },
    },
  ];
  for (const { name, countryCode, report, language, days, form, sums, map } of cases) {
    await t.step(name, () =>
      withStore(async (store) => {
        const { files: [read], profileId } = await importFiles(store, [await file(name)], {
          countryCode,
          map,
        });
        assert.deepEqual(
          [read?.report, read?.language, `${read?.days?.start} ${read?.days?.end}`, read?.form],
          [report, language, days, form],
        );
        const { rows } = await store.query(
          `SELECT sum(clicks) AS a, sum(cost) AS b, sum(sales_7d) AS c, sum(purchases_7d) AS d, sum(sales_14d) AS e
            FROM ${report} WHERE profile_id = ?`,
          [profileId],
        );
        assert.deepEqual(
          Object.values(rows[0]!).map((value) =>
            typeof value === "number" ? Number(value.toFixed(2)) : value
          ),
          sums,
        );
      }));
  }
});

Deno.test("a header that is not known is named with the nearest one, and --map gives it a meaning", async () => {
  await withStore(async (store) => {
    const [lacking] = await problemsOf(store, [await file("pt_search_terms_daily.csv")], {
      countryCode: "BR",
    });
    assert.match(lacking!, /lacks a column for adGroupName, purchases7d or purchases14d/);
    assert.match(lacking!, /"Nome do grupo"/);
    const typo = await file(
      "es_search_terms_summary.csv",
      (text) => text.replace("Impresiones", "Impresiónes"),
    );
    const { notices } = await importFiles(store, [typo], { countryCode: "ES" });
    assert.deepEqual(notices, [
      'es_search_terms_summary.csv: Header "Impresiónes" is not known, nearest known "Impresiones". To read it: ' +
      '--map "Impresiónes=Impresiones"',
    ]);
  });
  await withStore(async (store) => {
    const wrong = { "Gasto": "kost", "Nada": "cost" };
    const problems = await problemsOf(store, [await file("es_search_terms_summary.csv")], {
      countryCode: "ES",
      map: wrong,
    });
    assert.match(
      problems[0]!,
      /:1:Gasto: --map names "kost", which is neither a known header nor a column. Did you mean "cost"\?/,
    );
    assert.match(
      problems.at(-1)!,
      /:0:Nada: --map names it, and none of the files has such a header or word/,
    );
  });
});

Deno.test("all that cannot be used in all files is said at once, with file, row and column", async () => {
  await withStore(async (store) => {
    const spanish = await file(
      "es_search_terms_summary.csv",
      (text) =>
        text.replace("€12,00", "viel").replace("ago 31, 2026", "32 ago 2026").replace("EUR;Sartenes", "USD;"),
    );
    const german = await file("de_advertised_products_daily.csv", (text) => text.replace("€12.20", "£12.20"));
    const problems = await problemsOf(store, [spanish, german], { countryCode: "ES" });
    assert.deepEqual(problems, [
      'es_search_terms_summary.csv:2:Gasto: "viel" is not a number with a decimal comma',
      "es_search_terms_summary.csv:2:Nombre de campaña: it is empty",
      'es_search_terms_summary.csv:3:Fecha de finalización: "32 ago 2026" is not a day',
      "es_search_terms_summary.csv:2:Divisa: its amounts are in USD, and those of ES in EUR: name the market of the file with -m",
      'de_advertised_products_daily.csv:2:Ausgaben: "£12.20" is not in EUR of ES',
    ]);
  });
});

Deno.test("numbers, days and months that can be read in two ways are refused, unless somebody says which", async (t) => {
  const head =
    "Date,Campaign Name,Ad Group Name,Targeting,Match Type,Customer Search Term,Clicks,Spend,7 Day Total Sales,7 Day Total Orders (#)";
  const table = (...rows: string[]): SheetFile => ({
    name: "terms.csv",
    bytes: new TextEncoder().encode([head, ...rows].join("\n")),
  });
  const cases = [
    {
      row: "03/04/2026,P,A,x,EXACT,x,3,1.25,2.00,1",
      wrong: /"03\/04\/2026" can be read in two ways: .*--dates dmy/,
      hint: { dayOrder: "dmy" },
      wanted: ["2026-04-03", 1.25],
    },
    {
      row: '2026-04-03,P,A,x,EXACT,x,3,"1.234",2,1',
      wrong: /are ambiguous, such as 1\.234: .*--decimal comma/,
      hint: { decimal: "comma" },
      wanted: ["2026-04-03", 1234],
    },
    {
      row: "2026-04-01,P,A,x,EXACT,x,3,1.25,2.00,1",
      wrong: /may be a monthly report: .*--rows-of month/,
      hint: { rowsOf: "month" },
      wanted: ["2026-04-30", 1.25],
    },
  ] as const;
  for (const { row, wrong, hint, wanted } of cases) {
    await t.step(String(wrong), () =>
      withStore(async (store) => {
        const options = { countryCode: "US" };
        assert.match((await problemsOf(store, [table(row)], options)).join("\n"), wrong);
        await importFiles(store, [table(row)], { ...options, ...hint });
        const { rows: [found] } = await store.query("SELECT date, cost FROM sp_search_terms");
        assert.deepEqual([found?.["date"], found?.["cost"]], wanted);
      }));
  }
  await t.step("contradictions are never guessed", () =>
    withStore(async (store) => {
      const mixed = table(
        "13/04/2026,P,A,x,EXACT,x,3,1.25,2.00,1",
        '04/14/2026,P,A,x,EXACT,x,3,"1,5",2.00,1',
      );
      const said = (await problemsOf(store, [mixed], { countryCode: "US" })).join("\n");
      assert.match(said, /some numbers have a decimal point and others a decimal comma/);
      assert.match(said, /some days begin with the day and others with the month/);
    }));
});

Deno.test("a report of one market is read as that market's alone, in whatever way its amounts are written", async (t) => {
  const german =
    "Date;Currency;Campaign Name;Ad Group Name;Country;Targeting;Match Type;Customer Search Term;Impressions;Clicks;Click-Thru Rate (CTR);Spend;7 Day Total Sales ;7 Day Total Orders (#)\n" +
    ["20.10.2026", "03.11.2026"].map((day) =>
      `${day};EUR;P;A;Germany;x;EXACT;y;1.234;25;2,03 %;1.031,50 €;0;0\n`
    ).join("");
  const french =
    "Date;Devise;Nom de la campagne;Nom du groupe d'annonces;Country;Ciblage;Type de correspondance;Terme de recherche client;Impressions;Clics;Dépenses;Ventes totales sur 7 jours;Total des commandes sur 7 jours (nº)\n" +
    ["20 oct. 2026", "3 nov. 2026"].map((day) => `${day};EUR;P;A;France;x;EXACT;y;1\u202f234;25;31,50;0;0\n`)
      .join("");
  for (
    const [country, other, text, cost] of [["DE", "FR", german, 2063], ["FR", "DE", french, 63]] as const
  ) {
    await t.step(country, () =>
      withStore(async (store) => {
        const files = [{ name: "terms.csv", bytes: new TextEncoder().encode(text) }];
        const refused = await problemsOf(store, files, { countryCode: other });
        assert.equal(refused.length, 1);
        assert.match(
          refused.join(),
          new RegExp(`is the market ${country}, not ${other}: name the market of the file with -m`),
        );
        await importFiles(store, files, { countryCode: country });
        const { rows } = await store.query(
          "SELECT min(date) AS first, max(date) AS last, sum(impressions) AS shown, sum(cost) AS cost FROM sp_search_terms",
        );
        assert.deepEqual(rows, [{ first: "2026-10-20", last: "2026-11-03", shown: 2468, cost }]);
      }));
  }
});

Deno.test("rows of other products and countries stay out of a report", async () => {
  await withStore(async (store) => {
    const { notices } = await importFiles(store, [await file("us_campaigns_2026.csv")], {
      countryCode: "US",
    });
    assert.match(notices.join(), /1 rows of Sponsored Brands are left out/);
    const { rows } = await store.query("SELECT campaign_id, cost, sales_7d FROM sp_campaigns");
    assert.deepEqual(rows.map((row) => ({ ...row })), [{
      campaign_id: "name:Pans",
      cost: 5.566667,
      sales_7d: 25,
    }]);
  });
  await withStore(async (store) => {
    const two = await file(
      "es_search_terms_summary.csv",
      (text) => text.replace(";España;asin", ";Italia;asin"),
    );
    assert.match(
      (await problemsOf(store, [two], { countryCode: "ES" })).join(),
      /País: it holds España, Italia: choose the one for ES with --country/,
    );
    await importFiles(store, [two], { countryCode: "ES", country: "españa" });
    const { rows } = await store.query("SELECT count(*) AS n FROM sp_search_terms");
    assert.equal(rows[0]?.["n"], 1);
  });
});

Deno.test("the two halves of attributed purchases are added up", async () => {
  await withStore(async (store) => {
    const { notices } = await importFiles(store, [await file("us_brands_attributed_purchases.csv")], {
      countryCode: "US",
      rowsOf: "day",
    });
    assert.match(notices.join(), /1 rows with new-to-brand orders are merged with their matching rows/);
    const { rows } = await store.query(
      "SELECT purchased_asin AS asin, orders_14d AS orders, sales_14d AS sales FROM sb_purchased_products ORDER BY asin",
    );
    assert.deepEqual(rows.map((row) => Object.values(row)), [["B0AAAAAAA1", 3, 60.3], [
      "B0AAAAAAA2",
      1,
      9.99,
    ]]);
  });
});

Deno.test("known files that hold no figures by day are refused by their name", async () => {
  const heads = {
    "campaign manager":
      "State,Campaigns,Status,Type,Targeting,Start,End,Budget,Impressions,Clicks,CTR,Spend,CPC,Orders,Sales,ACOS",
    "budget":
      "Date,Campaign Name,Recommended Budget,Average Time in Budget,Estimated Missed Impressions Range Min,Estimated Missed Clicks Range Min",
  };
  for (const [name, head] of Object.entries(heads)) {
    await withStore(async (store) => {
      const bytes = new TextEncoder().encode(`${head}\n${head.replace(/[^,]+/g, "1")}\n`);
      const problems = await problemsOf(store, [{ name: `${name}.csv`, bytes }], { countryCode: "US" });
      assert.match(problems.join(), /Download the .*report|no known report/);
    });
  }
});

/** A workbook as the console writes it: shared texts, a dimension that says A1, numbers as they are kept. */
function workbook(tab: string, lines: readonly (readonly (string | number)[])[]): Uint8Array {
  const texts = [...new Set(lines.flat().filter((cell) => typeof cell === "string"))];
  const cell = (value: string | number): string =>
    value === ""
      ? "<c/>"
      : typeof value === "string"
      ? `<c t="s"><v>${texts.indexOf(value)}</v></c>`
      : `<c><v>${value === 0.05 ? "5E-2" : value}</v></c>`;
  const rows = lines.map((line) => `<row>${line.map(cell).join("")}</row>`).join("");
  const xml = (text: string): Uint8Array => strToU8(`<?xml version="1.0"?>${text}`);
  return zipSync({
    "xl/workbook.xml": xml(
      `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="${tab}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": xml(
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    ),
    "xl/sharedStrings.xml": xml(`<sst>${texts.map((text) => `<si><t>${text}</t></si>`).join("")}</sst>`),
    "xl/worksheets/sheet1.xml": xml(
      `<worksheet><dimension ref="A1"/><sheetData>${rows}</sheetData></worksheet>`,
    ),
  });
}

Deno.test("a workbook of 2026 is read past its dimension, with days and small numbers as they are kept", async () => {
  const head =
    "Start Date|End Date|Portfolio name|Currency|Campaign Name|Country|Ad Group Name|Retailer|Targeting|Match Type|" +
    "Impressions|Top-of-search Impression Share|Clicks|Click-Thru Rate (CTR)|Cost Per Click (CPC)|Spend|" +
    "Total Advertising Cost of Sales (ACOS) |Total Return on Advertising Spend (ROAS)|7 Day Total Sales |" +
    "7 Day Total Orders (#)";
  const line = (targeting: string, match: string, start: number) => [
    ...[start, 46269, "Not grouped", "USD", "Pans", "United States", "Auto", "Platform", targeting, match],
    ...[100, "&lt;5%", 1, 0.01, 0.05, 0.05, "", "", 0, 0],
  ];
  const file = {
    name: "Sponsored_Products_Targeting_report.xlsx",
    bytes: workbook("Sponsored_Products_Targeting_re", [
      head.split("|"),
      line("*", "-", 46235),
      line("pan", "Exact", 46240),
    ]),
  };
  await withStore(async (store) => {
    const { files: [read], notices } = await importFiles(store, [file], { countryCode: "US" });
    assert.deepEqual([read?.report, read?.days, read?.isSum, read?.form], [
      "sp_targeting",
      { start: "2026-08-01", end: "2026-09-04" },
      true,
      "decimal point, days as numbers, rates as ratios, orders of 7 days",
    ]);
    assert.deepEqual(notices, []);
    const { rows } = await store.query("SELECT keyword_id, match_type, cost FROM sp_targeting ORDER BY 1");
    assert.deepEqual(rows.map((row) => Object.values(row)), [
      ["name:Pans > Auto > *", "-", 0.05],
      ["name:Pans > Auto > pan (EXACT)", "EXACT", 0.05],
    ]);
  });
});

Deno.test("a German bulk sheet gives ids once its words are mapped, and names that several entities have stay names", async () => {
  const map = { Kampanja: "Campaign" };
  const products = await file("de_advertised_products_daily.csv");
  await withStore(async (store) => {
    const bulk = await file("de_bulk.csv", (text) => text.replace("Kampagne,", "Kampanja,"));
    await assert.rejects(
      importFiles(store, [products, bulk], { countryCode: "DE" }),
      /none of its rows is read as a campaign. Unknown words: 1 row of Entity "Kampanja" \(row 2\).*--map/,
    );
    const { names, entities, profileId } = await importFiles(store, [bulk], { countryCode: "DE", map });
    assert.deepEqual(entities, {
      "sp.campaigns": 1,
      "sp.ad_groups": 1,
      "sp.product_ads": 1,
      "sp.keywords": 1,
    });
    assert.deepEqual(names, { joined: 0, named: 0, missing: [], several: [] });
    const stored = await store.entities(profileId);
    assert.equal(stored.get("sp.keywords")?.[0]?.["bid"], 123.45);
    const { names: joined } = await importFiles(store, [products], { countryCode: "DE" });
    assert.deepEqual([joined.joined, joined.named], [2, 0]);
    const { rows } = await store.query(
      "SELECT DISTINCT campaign_id, ad_group_id, ad_id FROM sp_advertised_products",
    );
    assert.deepEqual(rows.map((row) => Object.values(row)), [["111", "222", "333"]]);
  });
  await withStore(async (store) => {
    const twice = await file("de_bulk.csv", (text) => {
      const [, campaign = ""] = text.split("\r\n");
      return text.replace(campaign, `${campaign}\r\n${campaign.replace(",111,", ",112,")}`);
    });
    const { names } = await importFiles(store, [twice, products], { countryCode: "DE" });
    assert.deepEqual([names.named, names.several], [2, ["Pfannen"]]);
  });
});
