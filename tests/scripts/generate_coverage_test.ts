import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { generateCoverage } from "../../scripts/generate_coverage.ts";
import { catalog } from "../../src/catalog/mod.ts";

const page = await readFile(new URL("../../docs/coverage.md", import.meta.url), "utf8");

Deno.test("docs/coverage.md is what its generator makes of the catalog", async () => {
  const log: string[] = [];
  assert.equal(await generateCoverage(["--check"], (line) => log.push(line)), 0, log.join("\n"));
});

Deno.test("docs/coverage.md has one line for each operation and each API", async () => {
  const lines = page.split("\n");
  const rows = lines.filter((line) => line.startsWith("| `"));
  assert.equal(rows.length, (await catalog.operations()).length);
  assert.equal(lines.filter((line) => line.startsWith("| [")).length, (await catalog.apis()).size);
});

for (
  const [row, flags] of [
    ["`ListSponsoredProductsKeywords` | `POST /sp/keywords/list`", "reads, typed: `sp.keywords.list`"],
    ["`getInvoice` | `GET /invoices/{invoiceId}`", "reads, corrected"],
    ["`getSnapshot` | `GET /sd/snapshots/{snapshotId}`", "reads, deprecated"],
    ["`list_invoices` | `POST /mcp/list_invoices`", "hosted tool"],
    ["`ListMigrations` | `POST /sb/v4/migrations/list`", "reads, assumed media type"],
    ["`CreatePortfolios` | `POST /portfolios`", "typed: `portfolios.create`"],
  ] as const
) {
  Deno.test(`docs/coverage.md says of ${row}: ${flags}`, () => {
    assert.ok(page.includes(`| ${row} | ${flags} |`));
  });
}
