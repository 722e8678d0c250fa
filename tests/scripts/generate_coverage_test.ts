import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { coveragePage } from "../../scripts/catalog/coverage_page.ts";
import { generateCoverage } from "../../scripts/generate_coverage.ts";
import { catalog, Operation } from "../../src/platform/catalog/mod.ts";

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
  const [slug, data, row] of [
    [
      "sponsored-products",
      { operationId: "ListSponsoredProductsKeywords", method: "POST", path: "/sp/keywords/list" },
      "| `ListSponsoredProductsKeywords` | `POST /sp/keywords/list` | reads, method: `sp.keywords.list` |",
    ],
    [
      "advertising-billing",
      { operationId: "getInvoice", method: "GET", path: "/invoices/{invoiceId}", deprecated: true },
      "| `getInvoice` | `GET /invoices/{invoiceId}` | reads, deprecated, corrected |",
    ],
    [
      "mcp-billing",
      { operationId: "list_invoices", method: "POST", path: "/mcp/list_invoices" },
      "| `list_invoices` | `POST /mcp/list_invoices` | hosted tool |",
    ],
    [
      "things",
      { operationId: "createThing", method: "POST", path: "/things", assumed: true },
      "| `createThing` | `POST /things` | assumed media type |",
    ],
  ] as const
) {
  Deno.test(`the coverage page describes ${slug}:${data.operationId} by its flags`, async () => {
    const hostedTools = slug.startsWith("mcp-");
    const api = { slug, title: "T", source: "test", operations: [], ...(hostedTools && { hostedTools }) };
    const operation = new Operation(api, { ...data, summary: "S" });
    const record = {
      slug,
      title: "T",
      version: "3.0",
      source: "test",
      operationCount: 1,
      unlistedCount: 0,
      hostedTools,
      note: undefined,
    };
    const none = new Set<string>();
    const source = {
      apis: [record],
      operations: [operation],
      paths: new Map<string, string>(),
      described: none,
      emulated: none,
    };
    const lines = (await coveragePage({ ...source, sourceHash: "sha256:0" })).split("\n");
    assert.equal(lines.filter((line) => line.startsWith("| `")).join(), row);
  });
}
