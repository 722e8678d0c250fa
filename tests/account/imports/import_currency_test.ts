import assert from "node:assert/strict";
import {
  importFiles,
  type ImportOptions,
  ImportProblemsError,
  type SheetFile,
} from "../../../src/account/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";

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

Deno.test("an amount with another currency than the market's refuses the file", async (t) => {
  const table = (amounts: readonly string[], head = "Spend"): SheetFile => ({
    name: "terms.csv",
    bytes: new TextEncoder().encode([
      `Date,Campaign Name,Ad Group Name,Targeting,Match Type,Customer Search Term,Clicks,${head},7 Day Total Sales,7 Day Total Orders (#)`,
      ...amounts.map((amount, at) => `2026-04-03,P,A,x,EXACT,x${at},3,"${amount}",2.00,1`),
    ].join("\n")),
  });
  const markets: readonly [country: string, foreign: string[], own: string[]][] = [
    ["US", ["CA$1.25", "MX$ 1.25", "A$1.25", "R$1.25", "C$1.25", "€1.25", "CAD 1.25", "1.25₩"], [
      "$1.25",
      "US$1.25",
      "USD 1.25",
      "1.25",
    ]],
    ["CA", ["US$1.25", "USD1.25", "A$1.25"], ["$1.25", "CA$1.25", "C$1.25", "CAD 1.25"]],
    ["DE", ["₺1.25", "1.25 kr", "1.25 kr.", "£1.25", "$1.25", "1.25 zł", "1.25 TL", "R 1.25"], [
      "€1.25",
      "1.25 €",
      "EUR 1.25",
    ]],
    ["SE", ["1.25 TL", "€1.25"], ["1.25 kr", "SEK 1.25"]],
    ["BR", ["$1.25", "US$1.25"], ["R$1.25"]],
    ["TR", ["1.25 kr"], ["₺1.25", "1.25 TL", "TRY 1.25"]],
    ["IN", ["$1.25"], ["₹1.25", "Rs. 1.25", "Rs1.25", "INR 1.25"]],
  ];
  for (const [countryCode, foreign, own] of markets) {
    await t.step(countryCode, () =>
      withStore(async (store) => {
        const said = await problemsOf(store, [table(foreign)], { countryCode });
        assert.deepEqual(
          said.map((line) => line.replace(/ is not in .*/, "")),
          foreign.map((amount, at) => `terms.csv:${at + 2}:Spend: "${amount}"`),
        );
        await importFiles(store, [table(own)], { countryCode });
        const { rows } = await store.query("SELECT cost FROM sp_search_terms");
        assert.deepEqual(rows.map(({ cost }) => cost), own.map(() => 1.25));
      }));
  }
  await t.step("in a header", () =>
    withStore(async (store) => {
      const said = await problemsOf(store, [table(["1.25"], "Spend (CAD)")], { countryCode: "US" });
      assert.match(said.join("\n"), /Spend \(CAD\): its amounts are in CAD, and those of US in USD/);
    }));
});
