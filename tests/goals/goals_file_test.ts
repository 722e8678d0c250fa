import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { loadGoals, parseGoals } from "../../src/account/mod.ts";

const WHOLE = `version: 1
hold_back: 25%
goals:
  shoes:
    currency: USD
    select: { names: ["Shoes *"], labels: ["team:core"], portfolios: ["Autumn"], ids: ["12"], when: campaign.budget < 50.0 }
    aim: profit
    margin: 30%
    margins: { b0example1: 35%, SKU-2: 0.28 }
    brand: { terms: ["acme*"], incremental: 40% }
    limits:
      month: 3000
      reserve: 2%
      min_bid: 0.1
      max_bid: 2.5
      raise: 20%
      cut: 25%
      cooling: 5
      min_budget: 5
      max_budget: 200
      never: { ids: ["1"], names: ["*clearance*"] }
    explore: 5%
  hats: { aim: sales, roas: 4 }
  caps: { aim: orders, cost_per_order: 8.5 }
`;

Deno.test("a file of goals is read with every option, and with its defaults", () => {
  const { goals: [shoes, hats, caps], holdBack, isHoldBackGiven } = parseGoals(WHOLE, "goals.yaml");
  ok(shoes !== undefined && hats !== undefined && caps !== undefined);
  deepEqual([holdBack, isHoldBackGiven], [0.25, true]);
  deepEqual([...shoes.margins], [["B0EXAMPLE1", 0.35], ["SKU-2", 0.28]]);
  deepEqual([shoes.margin, shoes.explore, shoes.brand?.incremental], [0.3, 0.05, 0.4]);
  deepEqual(
    { ...shoes.limits, never: [shoes.limits.never?.ids, shoes.limits.never?.names] },
    {
      month: 3000,
      reserve: 0.02,
      minBid: 0.1,
      maxBid: 2.5,
      raise: 0.2,
      cut: 0.25,
      cooling: 5,
      minBudget: 5,
      maxBudget: 200,
      never: [["1"], ["*clearance*"]],
    },
  );
  deepEqual([hats.acos, hats.explore, hats.limits.raise, hats.limits.cooling], [0.25, 0.02, 0.3, 7]);
  equal(caps.costPerOrder, 8.5);
  equal(parseGoals("version: 1\ngoals: { a: { aim: sales, acos: 0.2 } }", "g").holdBack, 0.2);
});

/** A goal that is wrong, and what is said of it. */
const WRONG: readonly (readonly [goal: string, says: RegExp])[] = [
  ["{ aim: new customers }", /a\.aim: Reports of Sponsored Products have no orders of new customers/],
  ["{ aim: clicks }", /a\.aim: Expected sales, profit, orders or spend/],
  ["{ aim: spend }", /a\.aim: An amount to spend evenly is missing: write limits: \{ month: 3000 \}/],
  ["{ aim: spend, acos: 25%, limits: { month: 9 } }", /a\.acos: It is for aim: sales/],
  ["{ aim: sales }", /g\.yaml:3: goals\.a\.aim: Sales need a target: write acos: 25%, or roas: 4/],
  ["{ aim: sales, acos: 25%, roas: 4 }", /a\.roas: ACOS and ROAS are the same target/],
  [
    "{ aim: sales, acos: 25 }",
    /a\.acos: Expected 500% at most\. Write 25% or 0\.25 for a quarter; this is 2500%/,
  ],
  ["{ aim: sales, acos: 0% }", /a\.acos: Expected more than 0%/],
  ["{ aim: sales, acos: cheap }", /a\.acos: Expected a percentage such as 25%/],
  ["{ aim: orders, acos: 25% }", /a\.acos: It is for aim: sales, and does nothing for aim: orders/],
  ["{ aim: orders }", /a\.aim: Orders need a target: write cost_per_order: 8/],
  ["{ aim: profit }", /a\.aim: Profit needs margins: write margin: 30%/],
  ["{ aim: sales, acos: 25%, margin: 30% }", /a\.margin: It is for aim: profit/],
  ["{ aim: sales, acos: 25%, hold_back: 10% }", /Unknown key hold_back in goals\.a/],
  [
    "{ aim: sales, acos: 25%, limits: { months: 3000 } }",
    /Unknown key months in goals\.a\.limits\. Did you mean "month"\?/,
  ],
  ["{ aim: sales, acos: 25%, limits: { month: 0 } }", /limits\.month: Expected an amount above 0/],
  [
    "{ aim: sales, acos: 25%, limits: { reserve: 2% } }",
    /limits\.reserve: It needs limits\.month, which is missing/,
  ],
  [
    "{ aim: sales, acos: 25%, limits: { min_bid: 2, max_bid: 1 } }",
    /limits\.max_bid: It is below min_bid, 2/,
  ],
  [
    "{ aim: sales, acos: 25%, limits: { min_budget: 9, max_budget: 5 } }",
    /limits\.max_budget: It is below min_budget, 9/,
  ],
  [
    "{ aim: sales, acos: 25%, limits: { raise: 0%, cut: 0% } }",
    /limits\.raise: With raise and cut of 0% no bid can move/,
  ],
  ["{ aim: sales, acos: 25%, limits: { cooling: 90 } }", /limits\.cooling: Expected 60 days at most/],
  ["{ aim: sales, acos: 25%, limits: { never: {} } }", /limits\.never: It names nothing: write ids or names/],
  ["{ aim: sales, acos: 25%, explore: 40% }", /a\.explore: Expected 20% at most/],
  ["{ aim: sales, acos: 25%, select: { products: [sb] } }", /Unknown key products in goals\.a\.select/],
  [
    "{ aim: sales, acos: 25%, select: { when: acos30d > 1 } }",
    /select\.when: A selection uses current campaign fields/,
  ],
  [
    "{ aim: sales, acos: 25%, select: { labels: [core] } }",
    /select\.labels\.0: Expected a label as key:value/,
  ],
  ["{ aim: sales, acos: 25%, currency: dollars }", /a\.currency: Expected a code such as USD/],
];

Deno.test("a wrong goal is refused by file, line and field, and never ignored", () => {
  for (const [goal, says] of WRONG) {
    throws(() => parseGoals(`version: 1\ngoals:\n  a: ${goal}\n`, "g.yaml"), says);
  }
  throws(() => parseGoals("version: 2\ngoals: {}", "g.yaml"), /g\.yaml:1: version/);
  throws(() => parseGoals("version: 1\ngoals: {}", "g.yaml"), /No goal is defined, so nothing is planned/);
});

Deno.test("all problems of a file are told at once", () => {
  const wrong = `version: 1
hold_back: 80%
goals:
  a b: { aim: sales, acos: 25% }
  c:
    aim: sales
    margin: 30%
    explore: 1.5
  d: { aim: profit, limits: { min_bid: 2, max_bid: 1 } }
`;
  let message = "";
  try {
    parseGoals(wrong, "g.yaml");
  } catch (error) {
    message = (error as Error).message;
  }
  for (const line of [2, 4, 6, 7, 8, 9]) match(message, new RegExp(`^g\\.yaml:${line}: `, "m"));
  equal(message.split("\n").length, 8);
});

Deno.test("margins by product come from a CSV file beside the goals, and each wrong row is refused by file and line", async () => {
  const folder = await Deno.makeTempDir({ prefix: "goals-margins-test-" });
  const path = `${folder}/goals.yaml`;
  const goals = "version: 1\ngoals:\n  all: { aim: profit, margins: margins.csv }\n";
  await Deno.writeTextFile(path, goals);
  const write = (text: string) => Deno.writeTextFile(`${folder}/margins.csv`, text);
  await write("Title;ASIN;SKU;Margin\nA mug;b0example1;mug-1;35%\n;B0EXAMPLE2;;0.2\n");
  const [goal] = (await loadGoals(path)).goals;
  deepEqual([...goal?.margins ?? []], [["B0EXAMPLE1", 0.35], ["MUG-1", 0.35], ["B0EXAMPLE2", 0.2]]);

  await write("asin,margin\nB0EXAMPLE1,35\n,20%\nB0EXAMPLE2,10%\nB0EXAMPLE2,10%\nB0EXAMPLE3,0%\n");
  const wrong = await loadGoals(path).catch((error: Error) => error.message);
  equal(
    wrong,
    [
      `Cannot use ${path}, so nothing is planned:`,
      ...[
        `2: margin is "35": expected a percentage above 0% such as 35%, 100% at most`,
        "3: The row has no asin",
        "5: B0EXAMPLE2 is in line 4 already",
        `6: margin is "0%": expected a percentage above 0% such as 35%, 100% at most`,
      ].map((line) => `${folder}/margins.csv:${line}`),
    ].join("\n"),
  );
  await write("product,profit\nB0EXAMPLE1,35%\n");
  await rejects(
    loadGoals(path),
    /margins\.csv:1: Expected a header with the columns asin or sku, and margin/,
  );
  await Deno.remove(`${folder}/margins.csv`);
  await rejects(loadGoals(path), /Cannot read the file of margins ".*margins\.csv": there is no such file/);
  throws(
    () => parseGoals(goals, "goals.yaml"),
    /goals\.yaml:3: goals\.all\.margins: A file of margins is only read for goals in a file/,
  );
  throws(() => parseGoals(goals.replace(".csv", ".xlsx"), "goals.yaml"), /goals\.yaml:3: /);
  await Deno.remove(folder, { recursive: true });
});
