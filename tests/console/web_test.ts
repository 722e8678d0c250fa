import { deepEqual, equal, ok } from "../support/assert.ts";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ASSET_NAMES, assetText } from "../../src/console/assets.ts";
import { csvText, exploreSql } from "../../src/console/web/explore_sql.js";
import { planRows } from "../../src/console/web/pages/plan_rows.js";
import { visibleText } from "../../src/internal/visible_text.ts";
// @ts-types="@types/papaparse"
import Papa from "papaparse";
import { planView } from "../../src/plans/view/plan_view.ts";
import { bigPlan } from "./support/big_plan.ts";
import { anyText } from "../support/any_text.ts";

Deno.test("the pages and their libraries, without comments, are under 60 KB as one gzipped archive", async () => {
  let all = "";
  for (const name of ASSET_NAMES.filter((name) => !name.endsWith(".txt"))) {
    const text = await assetText(name);
    all += /^lib\/|css$|html$/.test(name) ? text : text.replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  }
  const size = gzipSync(all, { level: 9 }).length;
  console.log(`The pages are ${(size / 1024).toFixed(1)} KB gzipped`);
  ok(size < 60 * 1024, `${size} bytes`);
});

Deno.test("every file of the pages is listed, and every listed one is there", async () => {
  const found: string[] = [];
  const folder = new URL("../../src/console/web/", import.meta.url);
  const walk = async (path: string): Promise<void> => {
    for await (const entry of Deno.readDir(new URL(path, folder))) {
      if (entry.isDirectory) await walk(`${path}${entry.name}/`);
      else found.push(path.replace(/^\.\//, "") + entry.name);
    }
  };
  await walk("./");
  deepEqual(found.sort(), [...ASSET_NAMES].sort());
  for (const name of ASSET_NAMES) {
    const text = await assetText(name);
    // A bare name would be rewritten when the package is published, and the page would stay blank.
    const bare = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, path]) => path ?? "");
    if (name.endsWith(".js")) deepEqual(bare.filter((path) => !path.startsWith(".")), [], name);
  }
});

Deno.test("pages show a text as the library does", async () => {
  const { visible } = await visibleOfThePages();
  fc.assert(
    fc.property(anyText(), (text) => equal(visible(text), visibleText(text))),
    { seed: 21, numRuns: 2000 },
  );
  for (const odd of ["\u202egnp", "a\nb\tc", "\u0007", "\u{e0041}", "👨‍👩‍👧", "نص"]) {
    equal(visible(odd), visibleText(odd));
  }
});

/** The module of the pages draws too; only its text function is taken. */
async function visibleOfThePages(): Promise<{ visible: (text: unknown) => string }> {
  const source = await assetText("ui.js");
  const start = source.indexOf("const INVISIBLE");
  const end = source.indexOf("/**\n * A sign and a word");
  const module = `data:text/javascript,${encodeURIComponent(source.slice(start, end))}`;
  return await import(module);
}

Deno.test("the table of a plan has a row for each campaign and changed field, and filters, sorts and folds", () => {
  const { campaigns } = planView(bigPlan(1000));
  const none = { search: "", op: "", only: "", sort: "" };
  equal(planRows([...campaigns], none, new Set(), new Map()).length, 1005);
  const folded = new Set(campaigns.map(({ campaign_id: id }) => id ?? ""));
  equal(planRows([...campaigns], none, folded, new Map()).length, 5);
  const found = planRows([...campaigns], { ...none, search: "shoes 77" }, new Set(), new Map());
  deepEqual(found.map(({ type }) => type).sort().slice(0, 1), ["campaign"]);
  equal(found.filter(({ type }) => type === "field").length, 11);
  equal(planRows([...campaigns], { ...none, op: "archive" }, new Set(), new Map()).length, 0);
  const findings = new Map([[5, [{ level: "approve", message: "Too much" }]]]);
  deepEqual(
    planRows([...campaigns], { ...none, only: "findings" }, new Set(), findings).map(({ type }) => type),
    ["campaign", "field", "finding"],
  );
  const percents = planRows([...campaigns], { ...none, sort: "raise" }, new Set(), new Map())
    .flatMap((row) => row.type === "field" && row.change.fields[0] !== undefined ? [row.change] : [])
    .slice(0, 200).map(({ fields }) => fields[0]?.percent ?? 0);
  deepEqual(percents, [...percents].sort((a, b) => b - a));
});

Deno.test("the SQL of a choice quotes what needs quotes and takes no text into it", () => {
  const choice = {
    report: "sp_campaigns",
    measures: ["cost", "acos"],
    start: "",
    end: "",
    split: "date,campaignName",
    profile: "7",
  };
  equal(
    exploreSql({ ...choice, start: "2026-09-01", end: "2026-09-30" }),
    `SELECT date, "campaignName", sum(cost) AS cost, sum(cost) / nullif(sum(sales_14d), 0) AS acos
FROM sp_campaigns
WHERE date >= '2026-09-01' AND date <= '2026-09-30' AND profile_id = '7'
GROUP BY date, "campaignName"
ORDER BY date`,
  );
  const one = { US: "USD" };
  equal(exploreSql(choice, one), exploreSql(choice));
  const several = { US: "USD", DE: "EUR", FR: "EUR" };
  equal(
    exploreSql({ ...choice, split: "date", profile: "" }, several),
    `SELECT date, CASE country_code WHEN 'US' THEN 'USD' WHEN 'DE' THEN 'EUR' WHEN 'FR' THEN 'EUR' END AS currency, sum(cost) AS cost, sum(cost) / nullif(sum(sales_14d), 0) AS acos
FROM sp_campaigns
GROUP BY date, CASE country_code WHEN 'US' THEN 'USD' WHEN 'DE' THEN 'EUR' WHEN 'FR' THEN 'EUR' END
ORDER BY date`,
    "amounts of several currencies are not summed",
  );
  for (const apart of [{ ...choice, measures: ["clicks"] }, { ...choice, split: "country_code" }]) {
    equal(exploreSql(apart, several), exploreSql(apart), "counts and rows of one country need no currency");
  }
  const odd = exploreSql({
    report: 'x"; DROP',
    measures: ['a"b'],
    split: "",
    start: "' OR 1",
    end: "",
    profile: "' OR 1",
  });
  equal(odd, 'SELECT sum("a""b") AS "a""b"\nFROM "x""; DROP"');
});

Deno.test("saved figures are read back as they were, and no cell is a formula", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.integer())), (rows) => {
      const { data } = Papa.parse<string[]>(csvText(["name", "count"], rows).trimEnd(), { delimiter: "," });
      const [, ...back] = data;
      const isFormula = (text: string) => /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text));
      deepEqual(back, rows.map(([name, count]) => [isFormula(name) ? `'${name}` : name, String(count)]));
    }),
    { seed: 21 },
  );
  equal(
    csvText(["a"], [["=1+1"], ["-5"], [-5], ['say "x"'], [null]]),
    `a\r\n'=1+1\r\n-5\r\n-5\r\n"say ""x"""\r\n\r\n`,
  );
});
