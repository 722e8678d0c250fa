import { figureColumns, nextSort, sortRows, sumOf } from "../../src/interfaces/console/web/figure_columns.js";
import { actionsOf, groupOf, shownAlerts } from "../../src/interfaces/console/web/inbox_list.js";
import { fieldLabel, formTexts, formValues } from "../../src/interfaces/console/web/job_forms.js";
import { deepEqual, equal, match } from "../support/assert.ts";
import {
  columnsOf,
  figureFilters,
  type GridColumn,
  shownColumns,
  sumsByCurrency,
  sumsOf,
  viewRows,
  wholeRow,
} from "../../src/interfaces/console/web/grid_columns.js";
import { type Bulk, bulkValue, readPaste, typedValue } from "../../src/interfaces/console/web/grid_edits.js";
import { readCampaigns, readList } from "../../src/interfaces/console/web/grid_lists.js";
import { joinedTables } from "../../src/interfaces/console/web/grid_rows.js";
import { isProductTerm } from "../../src/client/entities/model/check_keyword_text.ts";
import fc from "fast-check";

const NAMES = { campaigns: { "1": "Tents" }, ad_groups: {}, portfolios: {} };
const column = (key: string): GridColumn => columnsOf("campaigns").find((one) => one.key === key)!;
const row = (id: string, name: string, more: object = {}) =>
  wholeRow({ kind: "sp.campaigns", id, name, state: "ENABLED", budget: 10, ...more }, NAMES);

Deno.test("a cell takes an amount as people and spreadsheets write it, or one relative to the one there", () => {
  const typed = (text: string, now: unknown = 2) => {
    const found = typedValue(column("budget"), text, { now, decimals: 2 });
    return "value" in found ? found.value : found.problem;
  };
  deepEqual(
    ["0.55", "0,55", " $1.20 ", "1,234.50", "1.234,50", "12 €", "0.123,4"].map((text) => typed(text)).slice(
      0,
      6,
    ),
    [
      0.55,
      0.55,
      1.2,
      1234.5,
      1234.5,
      12,
    ],
  );
  deepEqual(["+10%", "-0.5", "*1.2", "+ 5 %", "+1,5"].map((text) => typed(text)), [2.2, 1.5, 2.4, 2.1, 3.5]);
  // 1.005 is rounded as written, not as a float has it.
  equal(typed("*1.5", 0.07), 0.11);
  match(String(typed("1,234")), /is ambiguous: 1234 or 1\.234/);
  for (const text of ["0.123", "0,125"]) match(String(typed(text)), /more than 2 decimals/);
  for (const nothing of ["-100%", "-200%", "-2.00"]) match(String(typed(nothing)), /no amount above 0/);
  match(String(typed("+1,250")), /is ambiguous/);
  match(String(typed("+10%", null)), /is empty/);
  for (const bad of ["", "ten", "1e3", "1.2.3", "0x10", "--1"]) {
    match(String(typed(bad)), /is not an amount/, bad);
  }
  deepEqual(typedValue(column("state"), "Paused", { now: "ENABLED", decimals: 2 }), { value: "PAUSED" });
  match(
    JSON.stringify(typedValue(column("state"), "archived", { now: "ENABLED", decimals: 2 })),
    /is not a state/,
  );
  deepEqual(typedValue(column("end"), "", { now: "2027-01-01", decimals: 2 }), { value: null });
  match(JSON.stringify(typedValue(column("end"), "2027-02-30", { now: null, decimals: 2 })), /is not a day/);
  match(JSON.stringify(typedValue(column("name"), "  ", { now: "A", decimals: 2 })), /cannot be empty/);
});

Deno.test("many cells are changed by percent, steps and found text, and cells without a value stay", () => {
  const none: Bulk = { operation: "percent", amount: "", find: "", replace: "" };
  const bulk = (asked: Partial<Bulk>, now: unknown, key = "budget") =>
    bulkValue({ ...none, ...asked }, column(key), { now, decimals: 2 });
  deepEqual(bulk({ amount: "10" }, 1.15), { value: 1.27 });
  deepEqual(bulk({ amount: "-5 %".replace(" ", "") }, 2), { value: 1.9 });
  deepEqual(bulk({ operation: "add", amount: "-0.05" }, 0.3), { value: 0.25 });
  deepEqual([0.62, 0.63, 0.01].map((now) => bulk({ operation: "round", amount: "0.05" }, now)), [
    { value: 0.6 },
    { value: 0.65 },
    { value: 0.05 },
  ]);
  deepEqual(bulk({ operation: "replace", find: "2P", replace: "3P" }, "Tent 2P 2P", "name"), {
    value: "Tent 3P 3P",
  });
  equal(bulk({ operation: "replace", find: "4P", replace: "3P" }, "Tent 2P", "name"), undefined);
  equal(bulk({ amount: "10" }, null), undefined);
  match(JSON.stringify(bulk({ operation: "add", amount: "-5" }, 2)), /negative/);
  match(JSON.stringify(bulk({ operation: "round", amount: "0" }, 2)), /step above 0/);
  match(JSON.stringify(bulk({ amount: "ten" }, 2)), /is not a number/);
});

Deno.test("a paste finds rows by id or name, names each line that it cannot use, and fills down without names", () => {
  const rows = [
    row("11", "Tents"),
    row("12", "Stoves"),
    row("13", "Same"),
    row("14", "same"),
    row("15", "Fixed"),
  ];
  const paste = (text: string, at = 0) => {
    const { cells, problems } = readPaste(text, {
      rows,
      at,
      column: column("budget"),
      columns: ["budget", "state"].map(column),
      now: (one, { key }) => one[key],
      decimals: 2,
      canEdit: ({ id }) => id !== "15",
    });
    return { cells: cells.map(({ row, column, value }) => [row.id, column.key, value]), problems };
  };
  deepEqual(paste("12\t5\r\ntents\t+10%\r\n"), {
    cells: [["12", "budget", 5], ["11", "budget", 11]],
    problems: [],
  });
  deepEqual(paste("id\tbudget\tstate\n11\t5\tpaused\n12\t\tenabled"), {
    cells: [["11", "budget", 5], ["11", "state", "PAUSED"], ["12", "state", "ENABLED"]],
    problems: [],
  });
  deepEqual(paste("5\n6", 1).cells, [["12", "budget", 5], ["13", "budget", 6]]);
  deepEqual(
    paste("5\r\n\r\n6\r\n").cells,
    [["11", "budget", 5], ["13", "budget", 6]],
    "an empty cell keeps its row",
  );
  deepEqual(paste("\n6").cells, [["12", "budget", 6]], "also the first one");
  deepEqual(paste("id\tbudget\n5\n\n6").cells, [["11", "budget", 5], ["13", "budget", 6]]);
  deepEqual(paste("5\n6", 4).problems, [
    'Line 1: Budget of "Fixed" cannot be edited',
    "Line 2: there is no row left for this value",
  ]);
  deepEqual(paste("Same\t5\nnone\t5\n11\tx\n12\t5\n12\t6\n11\t5\t6").problems, [
    'Line 1: 2 rows are named "Same": use their ids',
    'Line 2: no row in this view has the id or name "none"',
    'Line 3: "x" is not an amount',
    'Line 5: "12" is given twice',
    "Line 6: it has more values than columns",
  ]);
  deepEqual(paste("id\tprice\n11\t5"), {
    cells: [],
    problems: ['Line 1: "price" is not a column that can be edited here'],
  });
});

Deno.test("a view filters by text, state and figure, sorts what is unknown last, and sums shares of sums", () => {
  const rows = [
    row("11", "Tents", { cost: 10, sales: 20, clicks: 5, impressions: 100, orders: 1 }),
    row("12", "Stoves", { cost: 30, sales: 60, clicks: 5, impressions: 300, orders: 4, state: "PAUSED" }),
    row("13", "Bags"),
    row("14", "Lamps", { cost: 5, sales: 0, clicks: 1, impressions: 9, orders: 0 }),
  ];
  const ids = (view: Parameters<typeof viewRows>[1]) => viewRows(rows, view).map(({ id }) => id).join();
  equal(ids({ q: "STO" }), "12");
  equal(ids({ q: "13" }), "13");
  equal(ids({ state: "PAUSED" }), "12");
  equal(ids({ sort: "cost" }), "14,11,12,13");
  equal(ids({ sort: "-cost" }), "12,11,14,13");
  equal(ids({ sort: "name" }), "13,14,12,11");
  equal(ids({ where: "acos > 49" }), "11,12");
  equal(ids({ where: "Spend < 8" }), "14");
  equal(figureFilters("name > 3"), undefined);
  equal(figureFilters("clicks > 3 and name > 3"), undefined);
  equal(ids({ where: "spend > 0, Spend < 8" }), "14");
  const sums = sumsOf(rows);
  deepEqual([sums.cost, sums.sales, sums.acos, sums.roas, sums.known], [45, 80, 0.5625, 80 / 45, 3]);
  equal(viewRows(rows, {}, ({ id }) => id === "14").length, 1);
});

Deno.test("tables of several profiles are one, with sums and orders by currency", () => {
  const found = (currency: string, decimals: number, rows: object[]) => ({
    found: {
      currency,
      decimals,
      rows,
      fields: { "sp.campaigns": { budget: "budget.budget" } },
      names: { campaigns: {}, ad_groups: {}, portfolios: { [currency]: `P ${currency}` } },
    },
  });
  const one = (id: string, cost?: number) => ({
    kind: "sp.campaigns",
    id,
    name: id,
    budget: 5,
    cost,
    sales: 20,
  });
  const profiles = [{ profile_id: "1", country_code: "US", name: "Shop" }];
  const joined = joinedTables("campaigns", [
    { id: "1", ...found("USD", 2, [one("11", 10), one("12", 30)]) },
    { id: "2", ...found("JPY", 0, [one("21", 2000), one("22")]) },
  ], profiles);
  deepEqual(
    joined.rows.map(({ id, profile_id, currency, decimals, market }: Record<string, unknown>) => [
      ...[id, profile_id, currency, decimals, market],
    ]),
    [
      ["11", "1", "USD", 2, "US · Shop"],
      ["12", "1", "USD", 2, "US · Shop"],
      ["21", "2", "JPY", 0, "2"],
      ["22", "2", "JPY", 0, "2"],
    ],
  );
  deepEqual(joined.portfolios_of, { "1": { USD: "P USD" }, "2": { JPY: "P JPY" } });
  deepEqual(
    sumsByCurrency(joined.rows).map(({ currency, cost, acos, known, count }) => [
      ...[currency, cost, acos, known, count],
    ]),
    [["USD", 40, 1, 2, 2], ["JPY", 2000, 50, 1, 2]],
  );
  equal(sumsByCurrency([]).length, 1);
  deepEqual(viewRows(joined.rows, { sort: "-cost" }).map(({ id }) => id), ["21", "12", "11", "22"]);
  deepEqual(shownColumns("campaigns", "budget", true).map(({ key }) => key), ["name", "market", "budget"]);
});

Deno.test("columns come from the address, and the name always is one", () => {
  deepEqual(shownColumns("portfolios", "").map(({ key }) => key), ["name", "state", "budget"]);
  deepEqual(shownColumns("campaigns", "roas,budget,unknown").map(({ key }) => key), [
    "name",
    "budget",
    "roas",
  ]);
});

Deno.test("a job's form gives the values of its fields, and says what is wrong with each text", () => {
  const field = (name: string, type: string, more: object = {}) => ({
    name,
    type,
    help: "",
    default: null,
    otherwise: null,
    required: false,
    rare: false,
    choices: null,
    or: null,
    columns: null,
    column_types: null,
    ...more,
  });
  const fields = [
    field("where", "text"),
    field("max_acos", "share"),
    field("bid", "amount", { or: "cpc" }),
    field("days", "whole"),
    field("ids", "ids"),
    field("again", "switch"),
    field("map", "table", {
      columns: ["source", "target", "bid"],
      column_types: { source: "text", target: "text", bid: "amount" },
      required: true,
    }),
  ];
  const values = {
    where: "clicks30d > 3",
    max_acos: 0.29,
    bid: 0.5,
    days: 30,
    ids: ["1", "2"],
    again: true,
    map: [{ source: "Auto, all", target: "2", bid: 0.4 }, { source: "3", target: "4" }],
  };
  const texts = formTexts(fields, values);
  equal(texts["max_acos"], "29 %");
  deepEqual(formValues(fields, texts), { values, problems: [] });
  deepEqual(formValues(fields, { map: "source,target\n1,2\n", bid: "CPC", max_acos: "12,5 %", days: " " }), {
    values: { map: [{ source: "1", target: "2" }], bid: "cpc", max_acos: 0.125 },
    problems: [],
  });
  const map = "1,2";
  for (
    const [text, value] of [["0.3", 0.3], ["0,125", 0.125], ["1", 1], ["30%", 0.3], [
      "150 %",
      "150%",
    ]] as const
  ) {
    deepEqual(
      formValues(fields, { map, max_acos: text }).values["max_acos"],
      value,
      "as adsctl reads a share",
    );
  }
  const amount = (bid: string) => formValues(fields, { map, bid });
  deepEqual(["0,125", "1.000,50", "$2"].map((text) => amount(text).values["bid"]), [0.125, 1000.5, 2]);
  deepEqual(formValues(fields, { map: "1\t2\t0,75" }).values["map"], [{
    source: "1",
    target: "2",
    bid: 0.75,
  }]);
  const problemsOf = (texts: Record<string, string>) => formValues(fields, texts).problems;
  const ambiguous = (text: string) =>
    `"${text}" is ambiguous: 1000 or 1.000. Write it without a thousands separator`;
  for (const text of ["1.000", "1,000"]) {
    deepEqual(problemsOf({ map, bid: text }), [`Bid: ${ambiguous(text)}`]);
  }
  deepEqual(problemsOf({ map: "1,2\n3,4,1.000" }), [`Map: line 2: ${ambiguous("1.000")}`]);
  deepEqual(problemsOf({ map: "1,2,,," }), []);
  deepEqual(problemsOf({ map: "1,2,1,25" }), [
    "Map: line 1: 4 values for 3 columns: separate them by tabs, or write 1.25 for 1,25",
  ]);
  deepEqual(problemsOf({ days: "soon", bid: "-1", max_acos: "30" }), [
    'Max ACOS: "30" is ambiguous: write 30 % or a share such as 0.3',
    'Bid: "-1" is not an amount',
    'Days: "soon" is not a whole number',
    'Fill in "Map"',
  ]);
  deepEqual(fieldLabel(field("max_acos", "share", { help: "maximum ACOS", otherwise: "any" })), {
    words: "Max ACOS",
    help: "maximum ACOS; 30 % or 0.3; empty: any",
  });
});

Deno.test("stored figures have a column for each measure, are sorted by head, and are summed by their parts", () => {
  const columns = ["campaign_id", "campaign", "week", "currency", "impressions", "cost", "acos"];
  deepEqual(figureColumns({ columns }).map(({ name }) => name), [
    "Campaign",
    "Week",
    ...["Spend", "± spend", "Sales", "± sales", "ACOS", "ROAS", "Orders", "Impr.", "Clicks", "CTR", "CVR"],
  ]);
  const rows = [{ acos: 0.2, campaign: "b" }, { acos: null, campaign: "a" }, { acos: 0.5, campaign: "c" }];
  deepEqual(sortRows(rows, "-acos").map(({ campaign }) => campaign), ["c", "b", "a"]);
  deepEqual(sortRows(rows, "campaign").map(({ campaign }) => campaign), ["a", "b", "c"]);
  deepEqual(["", "-cost", "cost", "sales"].map((sort) => nextSort(sort, "cost")), [
    "-cost",
    "cost",
    "",
    "-cost",
  ]);
  const days = [{ cost: 10, sales: 20, clicks: 5, impressions: 100, orders: 1 }, {
    cost: 2,
    sales: 40,
    clicks: 5,
    impressions: 400,
    orders: 2,
  }];
  deepEqual(
    ["cost", "acos", "roas", "cpc", "ctr", "cvr"].map((key) => sumOf(days, key)),
    [12, 0.2, 5, 1.2, 0.02, 0.3],
  );
  equal(sumOf([{ cost: 1, sales: 0 }], "acos"), null);
  equal(sumOf([], "cost"), null);
});

Deno.test("alerts are filtered and grouped, and lead to what they are about", () => {
  const alert = (id: string, rule: string, campaign: string | null, state = "new", more: object = {}) => ({
    id,
    rule,
    severity: "urgent",
    profileId: "1",
    currency: "USD",
    cost_a_day: null,
    weight: 0,
    ...more,
    day: "2026-09-29",
    mark: { state },
    about: { campaign, campaign_id: campaign && "7", keyword_id: null },
  });
  const all = [
    alert("a", "r1", "One"),
    alert("b", "r2", null),
    alert("c", "r1", null, "seen"),
    alert("d", "r1", "One", "closed"),
    alert("e", "r2", null, "seen", { severity: "note" }),
  ];
  const costing = [
    alert("f", "r1", null, "new", { cost_a_day: 5, weight: 5 }),
    alert("g", "r1", null, "new", { cost_a_day: 900, weight: 9, currency: "JPY" }),
    alert("h", "r1", null, "new", { cost_a_day: 20, weight: 20 }),
    alert("i", "r1", null),
  ];
  const costs = (view: object) => shownAlerts(costing, view).map(({ id }) => id).join("");
  deepEqual([costs({}), costs({ by: "cost" }), costs({ cost: "20" }), costs({ cost: "0" })], [
    "hgfi",
    "hfgi",
    "hg",
    "hgf",
  ]);
  deepEqual([groupOf(costing[1], "cost"), groupOf(costing[3], "cost")], ["JPY a day", "Cost unknown"]);
  const ids = (view: object) => shownAlerts(all, view).map(({ id }) => id).join("");
  deepEqual(
    [ids({}), ids({ by: "rule" }), ids({ rule: "r2" }), ids({ state: "closed" }), ids({ profile: "2" })],
    ["abc", "acb", "b", "d", ""],
  );
  deepEqual([groupOf(all[0], "campaign"), groupOf(all[1], "campaign")], ["One", "Whole accounts"]);
  deepEqual(actionsOf(all[0]).map(({ href }) => href), [
    "/grid?profile=1&campaign=7",
    "/jobs?profile=1&job=bids&campaign_ids=7&change=-10%25",
    "/jobs?profile=1&job=budgets&campaign_ids=7",
    "/jobs?profile=1&job=negatives&campaign_ids=7",
    "/account?profile=1&view=drift&q=7",
  ]);
  equal(ids({ state: "notes" }), "e", "notes have a list of their own");
  deepEqual(actionsOf(all[1]), []);
});

Deno.test("a pasted list gives texts with match types and bids, once each", () => {
  const read = (text: string, table = "keywords") => readList(text, { decimals: 2, table });
  deepEqual(read("tent\t0,55\tPhrase\r\n\nB0ABCDE123\nTent\tphrase\n"), {
    lines: [{ line: 1, text: "tent", bid: 0.55, match: "phrase" }, { line: 3, text: "B0ABCDE123" }],
    problems: [],
  });
  deepEqual(read("tent\t0.5\nfree\ntent\t0.5\ntent\t0.6\nfree\t0.4").problems, [
    'Line 4, column 1: "tent" is in line 1 too, with the bid 0.5',
    'Line 5, column 1: "free" is in line 2 too, without a bid',
  ]);
  deepEqual(read("tent; phrase; 0,55\nfree").lines.map(({ text, bid }) => [text, bid]), [["tent", 0.55], [
    "free",
    undefined,
  ]]);
  deepEqual(read("tent\t1.234\tfuzzy\n\n\t0.5").problems, [
    'Line 1, column 2: "1.234" is ambiguous: 1234 or 1.234. Write it without a thousands separator',
    'Line 1, column 3: "fuzzy" is not exact or phrase or broad',
    "Line 3, column 1: the text is missing",
  ]);
  deepEqual(read("tent\texact\nB0ABCDE123\t0.5", "targets").problems, [
    'Line 1, column 1: "tent" is not an ASIN',
    'Line 1, column 2: "exact" is a match type; an ASIN has none',
  ]);
  deepEqual(read("tent\tbroad\nfree\t\t0.5", "negatives").problems, [
    'Line 1, column 2: "broad" is not exact or phrase',
    "Line 2, column 3: a negative has no bid",
  ]);
});

Deno.test("a pasted list of campaigns says every mistake at once, by line and column", () => {
  const read = (text: string) =>
    readCampaigns(text, { decimals: 2, portfolios: { "7": "Summer" }, taken: new Set(["tents"]) });
  deepEqual(read("New tents\t20\tAutomatic\n\nStoves\t5,50\tmanual\t0.4\tenabled\t2031-05-01\t\tsummer"), {
    lines: [
      { line: 1, name: "New tents", budget: 20, targeting: "AUTO" },
      {
        ...{ line: 3, name: "Stoves", budget: 5.5, targeting: "MANUAL", bid: 0.4 },
        ...{ state: "ENABLED", start: "2031-05-01", portfolio: "7" },
      },
    ],
    problems: [],
  });
  deepEqual(read("name\tportfolio\tbudget\nLamps\t7\t3").lines, [
    { line: 2, name: "Lamps", portfolio: "7", budget: 3 },
  ]);
  deepEqual(read("Tents\tten\tboth\nA\t1\na\t1\t\t\tasleep\tsoon\t\tspring\tmore\n\t5").problems, [
    'Line 1, column 2 (Budget): "ten" is not an amount',
    'Line 1, column 3 (Targeting): "both" is not auto or manual',
    'Line 1, column 1 (Name): the profile has a campaign "Tents"',
    'Line 3, column 5 (State): "asleep" is not a state: expected enabled or paused',
    'Line 3, column 6 (Start): "soon" is not a day: write it as 2027-03-31',
    'Line 3, column 8 (Portfolio): There is no portfolio "spring"',
    "Line 3, column 9: the list has no such column",
    'Line 3, column 1 (Name): "a" is in line 2 too',
    "Line 4, column 1 (Name): the name is missing",
  ]);
  deepEqual(read("name\tprice\nA\t5").problems, ['Line 1, column 2: "price" is not a column of campaigns']);
  deepEqual(read("name\tbid\nA\t5").problems, ["Line 2, column 1 (Name): the budget is missing"]);
});

Deno.test("pages know an ASIN as the library does", () => {
  const asin = fc.stringMatching(/^ ?[bB]?0?[0-9a-zA-Z]{7,9}$/);
  fc.assert(fc.property(asin, (text) => {
    const { problems } = readList(text, { decimals: 2, table: "targets" });
    equal(problems.length === 0, isProductTerm(text));
  }));
});

Deno.test("a placement takes percent up to 900, and a portfolio its name or id", () => {
  const names = { "7": "Summer", "8": "Winter", "9": "winter" };
  const typed = (key: string, text: string, now: unknown = 20) => {
    const found = typedValue({ ...column(key), names }, text, { now, decimals: 2 });
    return "value" in found ? found.value : found.problem;
  };
  deepEqual(["35", "35 %", "+5", "+5%", "0"].map((text) => typed("top", text)), [35, 35, 25, 25, 0]);
  equal(typed("top", "+5", null), 5);
  match(String(typed("top", "901")), /more than 900/);
  match(String(typed("top", "3.5")), /decimals/);
  deepEqual([typed("portfolio", " summer "), typed("portfolio", "8"), typed("portfolio", "")], [
    "7",
    "8",
    null,
  ]);
  match(String(typed("portfolio", "winter")), /2 portfolios are named/);
  match(String(typed("portfolio", "spring")), /no portfolio "spring"/);
});
