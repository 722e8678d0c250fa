import assert from "node:assert/strict";
import fc from "fast-check";
import { type Change, ChangePlan } from "../../../mod.ts";
import type { ChangePlanFields } from "../../../src/plans/model/plan_data.ts";
import { anyText } from "../../support/any_text.ts";

const UPDATE: Change = {
  kind: "sp.keywords",
  op: "update",
  id: "301",
  before: { bid: 0.5 },
  after: { bid: 0.6 },
  label: "shoes",
};

function markdown(parts: Partial<ChangePlanFields> = {}): string {
  const plan = new ChangePlan({ id: "p1", profileId: "100", countryCode: "US", changes: [UPDATE], ...parts });
  return plan.toMarkdown();
}

Deno.test("A plan reads as a heading, a table, what was not found, warnings and one line of counts", () => {
  const archive: Change = {
    ...UPDATE,
    op: "archive",
    id: "302",
    before: { state: "ENABLED" },
    after: { state: "ARCHIVED" },
  };
  const create: Change = { ...UPDATE, op: "create", id: null, before: {}, after: { bid: 1 }, label: "new" };
  const text = markdown({
    changes: [{ ...UPDATE, campaignId: "11" }, archive, create],
    names: { campaigns: { "11": "Spring" }, ad_groups: {} },
    note: "why",
    missing: ["9", "8"],
    warnings: ["careful"],
  });
  const fingerprint = /Fingerprint ([0-9a-f]{12})\n$/.exec(text)?.[1];
  assert.equal(
    text,
    `## Plan p1

Profile 100 (US), amounts in USD

Note: why

| campaign | kind | id | what | field | before | after | change |
|---|---|---|---|---|---|---|---|
|  | sp.keywords | 302 | shoes | state | ENABLED | ARCHIVED |  |
|  | sp.keywords | (new) | new | bid | — | 1 |  |
| 11 Spring | sp.keywords | 301 | shoes | bid | 0.5 | 0.6 | +0.10 (+20.0%) |

Not found: 9, 8

> Warning: careful

Archived permanently: keyword shoes

Bids: 1 raised, 0 lowered; on average 0.50 → 0.60 USD (+0.10)

1 to create, 1 to change, 1 to archive. Fingerprint ${fingerprint}
`,
  );
});

Deno.test("A plan says what it undoes and what was found, and of what it does not have nothing", () => {
  const finding = { code: "X", level: "advise" as const, message: "look" };
  const text = markdown({ reverses: "p0", findings: [{ ...finding, change: 0 }, finding] });
  assert.deepEqual(text.split("\n").filter((line) => line !== "" && !line.startsWith("|")).slice(0, -1), [
    "## Plan p1",
    "Profile 100 (US), amounts in USD",
    "Undoes plan p0",
    "> shoes: advise: look (X)",
    "> advise: look (X)",
    "Bids: 1 raised, 0 lowered; on average 0.50 → 0.60 USD (+0.10)",
  ]);
});

Deno.test("A plan without changes says so in its counts and has no table", () => {
  const text = markdown({ changes: [] });
  assert.match(text, /0 to create, 0 to change, 0 to archive/);
  assert.doesNotMatch(text, /\|/);
});

/** Cells of a Markdown row: pipes that no backslash escapes part them. */
function cells(row: string): string[] {
  return row.replace(/\\./gu, "..").split("|").slice(1, -1);
}

Deno.test("No name, value, note, warning or id can break the table, end a line or steer a terminal", () => {
  const nasty = fc.oneof(
    anyText(),
    fc.array(
      fc.constantFrom(
        "|",
        "\\",
        "\n",
        "\r",
        "\u001b[2J",
        "\u0007",
        "\u2028",
        "\u202e",
        "a",
        "`",
        "<!--",
        "# ",
      ),
    )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(nasty, nasty, nasty, (label, value, text) => {
      const changes = [{ ...UPDATE, label, before: { name: value }, after: { name: `${value}x` } }];
      const lines = markdown({ changes, note: text, warnings: [text], missing: [text] }).split("\n");
      const control = lines.filter((line) => /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(line));
      assert.deepEqual(control, []);
      const rows = lines.filter((line) => line.startsWith("|  | sp.keywords"));
      assert.equal(rows.length, 1);
      assert.equal(cells(rows[0]!).length, 8, rows[0]!);
      assert.deepEqual(lines.map((line) => line.split(" ")[0]).filter((word) => word !== ""), [
        "##",
        "Profile",
        "Note:",
        "|",
        "|---|---|---|---|---|---|---|---|",
        "|",
        "Not",
        ">",
        "0",
      ]);
    }),
    { numRuns: 200 },
  );
});
