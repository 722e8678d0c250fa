import assert from "node:assert/strict";
import fc from "fast-check";
import { parseWorkflows } from "../../src/account/runs/load_workflows.ts";
import { parseWorkflow } from "../../src/account/runs/workflow_file.ts";
import { WORKFLOW_TYPES } from "../../src/client/clean_room/clean_room_types.ts";

const SQL = "SELECT campaign, COUNT(DISTINCT user_id) AS users FROM sponsored_ads_traffic GROUP BY campaign";

function problemsOf(text: string, source = "queries/reach.sql"): string[] {
  try {
    parseWorkflow(text, source);
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message.split("\n").slice(1);
  }
  return [];
}

Deno.test("a query without a head is named for its file", () => {
  assert.deepEqual(parseWorkflow(`${SQL}\n`, "queries/reach.sql"), {
    source: "queries/reach.sql",
    workflow: { workflowId: "reach", sqlQuery: SQL },
  });
});

Deno.test("the head declares parameters, columns, the withheld column and a schedule", () => {
  const text = `-- A comment of the author.
/* ---
workflow: repeat-buyers
parameters:
  minimum: { type: INTEGER, default: 2, description: Orders of a shopper }
  since: DATE
columns: { users: LONG }
withheld: filtered
schedule: { every: monday, hour: 3 }
--- */
SELECT COUNT(DISTINCT user_id) AS users FROM conversions
WHERE conversions >= CUSTOM_PARAMETER('minimum') AND event_date_utc >= CUSTOM_PARAMETER('since')
`;
  const { workflow, schedule } = parseWorkflow(text.replace(/^.*\n/, ""), "a.sql");
  assert.deepEqual(workflow.inputParameters, [
    { name: "minimum", dataType: "INTEGER", defaultValue: "2", description: "Orders of a shopper" },
    { name: "since", dataType: "DATE" },
  ]);
  assert.deepEqual(
    [workflow.workflowId, workflow.outputColumns, workflow.filteredMetricsDiscriminatorColumn],
    [
      "repeat-buyers",
      [{ name: "users", dataType: "LONG" }],
      "filtered",
    ],
  );
  assert.match(workflow.sqlQuery, /^SELECT[\s\S]*'since'\)$/);
  assert.deepEqual(schedule, {
    scheduleId: "repeat-buyers",
    workflowId: "repeat-buyers",
    aggregationPeriod: "Weekly",
    aggregationStartDay: "Monday",
    aggregationHourUtc: 3,
    scheduleEnabled: true,
  });
});

Deno.test("the head declares how privacy filters, the kinds of columns, and what is taken away", () => {
  const head = (lines: string) => parseWorkflow(`/* ---\n${lines}\n--- */\n${SQL}`, "reach.sql");
  const { workflow, removes } = head(
    "privacy: values\ncolumns:\n  campaign: { kind: dimension }\n  users: { type: LONG, kind: metric }",
  );
  assert.deepEqual([workflow.privacyFilteringBehavior, workflow.outputColumns, removes], [
    "REMOVE_VALUES",
    [{ name: "campaign", columnType: "DIMENSION" }, {
      name: "users",
      dataType: "LONG",
      columnType: "METRIC",
    }],
    undefined,
  ]);
  assert.equal(head("privacy: rows").workflow.privacyFilteringBehavior, "REMOVE_ROWS");
  const empty = head("parameters: {}\ncolumns: {}\nwithheld: null\nprivacy: null");
  assert.deepEqual([Object.keys(empty.workflow), empty.removes], [
    ["workflowId", "sqlQuery"],
    ["inputParameters", "outputColumns", "filteredMetricsDiscriminatorColumn", "privacyFilteringBehavior"],
  ]);
  assert.deepEqual(problemsOf(`/* ---\nprivacy: none\ncolumns: { a: { kind: sum } }\n--- */\n${SQL}`), [
    "queries/reach.sql:2: privacy: Expected rows or values",
    'queries/reach.sql:3: columns.a: Expected a type such as INTEGER, or "type" and "kind": dimension or metric',
  ]);
});

Deno.test("all problems of a file come at once, each with its line", () => {
  const text = `/* ---
workflow: a b
parameters:
  low: { type: INT }
  day: { type: DATE, default: tomorrow }
colums: {}
schedule: { every: morning }
--- */
SELECT campaign
FROM sponsored_ads_traffic RIGHT JOIN conversions
WHERE clicks > CUSTOM_PARAMETER('lowest')
ORDER BY campaign LIMIT 5`;
  const lines = problemsOf(text).map((line) => line.replace("queries/reach.sql:", ""));
  assert.deepEqual(lines.map((line) => Number(/^\d+/.exec(line))), [2, 4, 5, 6, 7, 9, 9, 10, 11, 12, 12]);
  for (
    const words of [
      "2: workflow: Expected letters",
      '5: parameters.day.default: "tomorrow" is not a day',
      '6: Unknown key colums. Did you mean "columns"?',
      "7: schedule.every: Expected day, or a day of the week",
      "9: The query needs an aggregate function",
      "10: RIGHT JOIN is not supported",
      '11: Parameter "lowest" is not declared',
      "12: LIMIT is not supported",
    ]
  ) assert.ok(lines.some((line) => line.startsWith(words)), `${words} in ${lines.join("\n")}`);
});

const REFUSED = [
  ["", /:1: The file has no query/],
  ["/* ---\nworkflow: a\n", /:1: The head has no end/],
  [
    "/* ---\nparameters:\n  a: INTEGER\n--- */\n" + SQL,
    /:5: Parameter "a" is declared in the head and not used/,
  ],
  [
    "/* ---\nparameters: { a: { type: INTEGER, default: x } }\n--- */\n" + SQL,
    /:2: .*"x" is not a whole number/,
  ],
  ["/* ---\nworkflow: [\n--- */\n" + SQL, /:\d: Flow sequence/],
  [`${SQL}; SELECT 1`, /:1: Only one statement/],
  [`${SQL.replace("(", "")}`, /:1: A "\(" is missing/],
  [`${SQL} HAVING COUNT(*) > 'open`, /:1: A text has no closing quote/],
] as const;

for (const [text, problem] of REFUSED) {
  Deno.test(`a file is refused by line: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.match(problemsOf(text).join("\n"), problem);
  });
}

Deno.test("words within texts, comments and windows are no problems", () => {
  const sql = `-- LIMIT 5
SELECT campaign, 'ORDER BY; LIMIT' AS words, /* RIGHT JOIN */ COUNT(*) AS n,
  ROW_NUMBER() OVER (PARTITION BY campaign ORDER BY COUNT(*)) AS place
FROM sponsored_ads_traffic GROUP BY campaign`;
  assert.deepEqual(problemsOf(sql), []);
});

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,20}$/);
const heads = fc.record({
  workflow: fc.stringMatching(/^[A-Za-z0-9._-]{1,30}$/),
  parameters: fc.dictionary(
    name,
    fc.record({ type: fc.constantFrom(...WORKFLOW_TYPES), description: fc.string({ maxLength: 30 }) }),
    { maxKeys: 5 },
  ),
  columns: fc.dictionary(name, fc.constantFrom(...WORKFLOW_TYPES), { maxKeys: 3 }),
});

Deno.test("any head that is written as YAML is read back", () => {
  fc.assert(
    fc.property(heads, fc.constantFrom("\n", "\r\n"), (head, end) => {
      const used = Object.keys(head.parameters).map((one) => `x = CUSTOM_PARAMETER('${one}')`).join(" AND ");
      const sql = `${SQL.replace(" GROUP", ` WHERE 1 = 1${used === "" ? "" : ` AND ${used}`} GROUP`)}`;
      const text = `/* ---\n${JSON.stringify(head, null, 1)}\n--- */\n${sql}\n`.replaceAll("\n", end);
      const { workflow } = parseWorkflow(text, "a.sql");
      assert.equal(workflow.workflowId, head.workflow);
      assert.equal(workflow.sqlQuery, sql);
      assert.deepEqual(
        (workflow.inputParameters ?? []).map(({ name, dataType }) => [name, dataType]),
        Object.entries(head.parameters).map(([name, { type }]) => [name, type]),
      );
      assert.deepEqual(
        Object.fromEntries((workflow.outputColumns ?? []).map(({ name, dataType }) => [name, dataType])),
        { ...head.columns },
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("ids that several files define are refused together with all other problems", () => {
  const text = (head: string): string => `/* ---\n${head}\n--- */\n${SQL}`;
  assert.throws(
    () =>
      parseWorkflows([
        { source: "a/reach.sql", text: text("schedule: { id: nightly }") },
        { source: "b/reach.sql", text: SQL },
        { source: "b/other.sql", text: text("schedule: { id: nightly }") },
        { source: "b/empty.sql", text: "" },
      ]),
    (error: Error) => {
      assert.match(error.message, /b\/empty\.sql:1: The file has no query/);
      assert.match(error.message, /workflow "reach" is in a\/reach\.sql and b\/reach\.sql/);
      assert.match(error.message, /schedule "nightly" is in a\/reach\.sql and b\/other\.sql/);
      return true;
    },
  );
});

Deno.test("any text is read or refused with its file, and never fails otherwise", () => {
  const pieces = fc.constantFrom(
    "/* ---\n",
    "--- */\n",
    "workflow: a\n",
    "SELECT ",
    "(",
    ")",
    "'",
    '"',
    "\n",
    "COUNT(*)",
    ";",
    "- ",
    ": ",
    "CUSTOM_PARAMETER",
    "\t",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 14 }), (parts) => {
      const text = parts.join("");
      for (const line of problemsOf(text, "a.sql")) assert.match(line, /^a\.sql(?::\d+)?: /);
    }),
    { numRuns: 150 },
  );
});
