import assert from "node:assert/strict";
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
    assert.match(problems[1]!, /:1:nada: --map names it, and the file has no such header/);
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
      wrong: /can be read in two ways, as 1\.234 can: .*--decimal comma/,
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
      /País: it holds España, Italia: name the one of ES with --country/,
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
    assert.match(notices.join(), /1 rows with orders of new customers are added to their other half/);
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
