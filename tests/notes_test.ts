import { equal, match, ok } from "./support/assert.ts";
import { NOTES } from "../mod.ts";
import { generateQuirks, quirksPage } from "../scripts/generate_quirks.ts";

Deno.test("notes have names that are unique and fit an address", () => {
  const ids = NOTES.flatMap(({ id, notes }) => [id, ...notes.map((note) => note.id)]);
  equal(new Set(ids).size, ids.length);
  for (const id of ids) match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
});

Deno.test("every note has a title without a full stop and at least one whole sentence", () => {
  for (const { title, text } of NOTES.flatMap(({ notes }) => notes)) {
    match(title, /[^.]$/);
    match(text, /[.!"]$/, title);
    ok(text.length > 20, title);
  }
});

Deno.test("docs/quirks.md is what the notes say", async () => {
  const said: string[] = [];
  equal(await generateQuirks(["--check"], (line) => said.push(line)), 0, said.join("\n"));
  const page = quirksPage(NOTES);
  for (const { id } of NOTES.flatMap(({ notes }) => notes)) ok(page.includes(`<a id="${id}"></a>`));
});

Deno.test("the notes on invoices name what their documentation leaves out", () => {
  const invoices = NOTES.find(({ id }) => id === "invoices")!.notes.map(({ text }) => text).join("\n");
  for (
    const fact of [
      "406",
      "cursor",
      "`count`",
      "ACCUMULATING",
      "`invoiceStatuses`",
      "`toDate`",
      "`adProductGroup`",
      "`countryCode`",
      "`issuerContactInformation`",
      "`payerContactInformation`",
      "`thirdPartyContactInformation`",
      "`campaignAID`",
      "India",
      "404",
      "/invoiceSummaries/list",
      "application/vnd.billingInvoiceSummary.v1+json",
      "`invoiceSummaries`",
      "`nextToken`",
    ]
  ) ok(invoices.includes(fact), fact);
});
