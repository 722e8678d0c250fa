import { deepEqual, equal, ok } from "../support/assert.ts";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { ASSET_NAMES, assetText, pageResponse } from "../../src/interfaces/console/assets.ts";
import { chartOf, drawable, EXAMPLES, withQuery } from "../../src/interfaces/console/web/sql_chart.js";
import {
  findingGroups,
  findingsOf,
  shortFinding,
  unsendable,
} from "../../src/interfaces/console/web/pages/plan_findings.js";
import { nameWords } from "../../src/interfaces/console/web/format.js";
import { planRows } from "../../src/interfaces/console/web/pages/plan_rows.js";
import { lostWords, undoWords } from "../../src/interfaces/console/web/pages/plan_words.js";
import { FULL_SHARE } from "../../src/store/model/full_share.ts";
import { visibleText } from "../../src/base/text/visible_text.ts";
import { planView } from "../../src/plans/view/plan_view.ts";
import { bigPlan } from "./support/big_plan.ts";
import { anyText } from "../support/any_text.ts";

/** Files that the first page needs: those that its HTML names, with what they import, and one page. */
const FIRST =
  /^(?:app|parts|api|ui|router|shell|keys|live|format|chart|csv|save_csv|sync)\.|^lib\/|^pages\/overview/;

Deno.test("names of the platform are written in words", () => {
  const words = {
    adGroupId: "Ad group id",
    ASIN: "ASIN",
    UpdateSponsoredProductsKeywords: "Update sponsored products keywords",
    "sponsored-brands-v4": "Sponsored brands v4",
    listSPCampaigns: "List SP campaigns",
    campaign_name: "Campaign name",
  };
  for (const [name, wanted] of Object.entries(words)) equal(nameWords(name), wanted);
});

Deno.test("the pages and their libraries, without comments, are under 140 KB as one gzipped archive, the first page under 40", async () => {
  let [all, first] = ["", ""];
  for (const name of ASSET_NAMES.filter((name) => !name.endsWith(".txt"))) {
    const text = await assetText(name);
    const bare = /^lib\/|css$|html$/.test(name) ? text : text.replace(/\/\*\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
    all += bare;
    if (FIRST.test(name)) first += bare;
  }
  const [size, begin] = [all, first].map((text) => gzipSync(text, { level: 9 }).length) as [number, number];
  console.log(
    `The pages are ${(size / 1024).toFixed(1)} KB gzipped, the first page ${(begin / 1024).toFixed(1)} KB`,
  );
  ok(size < 140 * 1024, `${size} bytes`);
  ok(begin < 40 * 1024, `${begin} bytes`);
});

Deno.test("every file of the pages is listed, and every listed one is there", async () => {
  const found: string[] = [];
  const folder = new URL("../../src/interfaces/console/web/", import.meta.url);
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
    const bare = [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g)].map(([, path]) =>
      path ?? ""
    );
    if (name.endsWith(".js")) deepEqual(bare.filter((path) => !path.startsWith(".")), [], name);
  }
});

Deno.test("Node reads the same files of the pages", async () => {
  const imported = await Promise.all(ASSET_NAMES.map(assetText));
  const runtime = Object.getOwnPropertyDescriptor(globalThis, "Deno")!;
  Reflect.deleteProperty(globalThis, "Deno");
  try {
    for (const [at, name] of ASSET_NAMES.entries()) equal(await assetText(name), imported[at], name);
  } finally {
    Object.defineProperty(globalThis, "Deno", runtime);
  }
});

Deno.test("the HTML of a page names all modules that the page needs, so that they load at once", async () => {
  const modulesOf = async (path: string): Promise<string[]> => {
    const html = await (await pageResponse(path)).text();
    return [...html.matchAll(/modulepreload" href="\/assets\/([^"]+)"/g)].map(([, name]) => name ?? "");
  };
  const paths = ["/", "/grid", "/plans", "/plans/20260930-1", "/operations/sp:ListKeywords", "/explore"];
  for (const path of paths) {
    const names = await modulesOf(path);
    deepEqual(names.length, new Set(names).size, path);
    for (const name of names) {
      const folder = new URL(`http://assets/${name}`);
      const text = await assetText(ASSET_NAMES.find((one) => one === name)!);
      const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";$/gm)];
      const needed = imports.map(([, from = ""]) => new URL(from, folder).pathname.slice(1));
      deepEqual(needed.filter((one) => !names.includes(one)), [], `${path} ${name}`);
    }
  }
  ok((await modulesOf("/grid")).includes("pages/grid.js"));
  ok((await modulesOf("/plans/20260930-1")).includes("pages/plan.js"));
  ok(!(await modulesOf("/")).includes("pages/grid.js"));
  deepEqual([(await pageResponse("/grid")).status, (await pageResponse("/grids")).status], [200, 404]);
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
  const end = source.indexOf("/**\n * A sign and a word for a state");
  const module = `data:text/javascript,${encodeURIComponent(source.slice(start, end))}`;
  return await import(module);
}

Deno.test("the table of a plan has a row for each campaign and changed field, and filters, sorts and folds", () => {
  const { campaigns } = planView(bigPlan(1000));
  const none = { search: "", op: "", only: "", sort: "" };
  const open = { folded: new Set<string>(), findings: new Map() };
  equal(planRows([...campaigns], none, open).length, 1005);
  const folded = new Set(campaigns.map(({ campaign_id: id }) => id ?? ""));
  equal(planRows([...campaigns], none, { ...open, folded }).length, 5);
  const found = planRows([...campaigns], { ...none, search: "shoes 77" }, open);
  deepEqual(found.map(({ type }) => type).sort().slice(0, 1), ["campaign"]);
  equal(found.filter(({ type }) => type === "field").length, 11);
  equal(planRows([...campaigns], { ...none, op: "archive" }, open).length, 0);
  const findings = new Map([[5, [{ level: "approve", message: "Too much" }]]]);
  deepEqual(
    planRows([...campaigns], { ...none, only: "findings" }, { ...open, findings, unfolded: new Set([5]) })
      .map((
        { type },
      ) => type),
    ["campaign", "field", "detail"],
  );
  const out = new Set([5, 6]);
  equal(planRows([...campaigns], { ...none, only: "out" }, { ...open, out }).length, 3);
  equal(planRows([...campaigns], { ...none, only: "sent" }, { ...open, out }).length, 1003);
  equal(planRows([...campaigns], none, { ...open, group: new Set([7]) }).length, 2);
  const percents = planRows([...campaigns], { ...none, sort: "raise" }, open)
    .flatMap((row) => row.type === "field" && row.change.fields[0] !== undefined ? [row.change] : [])
    .slice(0, 200).map(({ fields }) => fields[0]?.percent ?? 0);
  deepEqual(percents, [...percents].sort((a, b) => b - a));
});

Deno.test("figures of a campaign are sums of those beside its changes, and none where one is not known", () => {
  const change = (at: number, evidence?: object) => ({
    change: at,
    label: "",
    kind: "sp.keywords",
    op: "update",
    fields: [],
    evidence,
  });
  const parts = { folded: new Set<string>(), findings: new Map() };
  const none = { search: "", op: "", only: "", sort: "" };
  const sums = (...changes: unknown[]) => {
    const [row] = planRows([{ campaign_id: "1", campaign_name: "One", changes }], none, parts);
    return row?.type === "campaign" ? row.sums : undefined;
  };
  const known = { clicks: 10, cost: 5, orders: 2, acos: 0.25 };
  deepEqual(sums(change(0, known), change(1, { clicks: 20, cost: 10, orders: 0 })), {
    clicks: 30,
    cost: 15,
    orders: 2,
    acos: 0.75,
  });
  deepEqual(sums(change(0, known), change(1)), {});
  deepEqual(sums(change(0, known), change(1, { clicks: 1, cost: 1, orders: 1 })), {
    clicks: 11,
    cost: 6,
    orders: 3,
  });
});

Deno.test("a lost response to Apply says how many changes were sent, and only what is known", () => {
  equal(
    lostWords("apply", { sent: 12, total: 40 }, 40),
    "The console's response was lost. 12 of 40 changes had been sent when the console was last heard from; " +
      "the page finds out the rest when the console is back",
  );
  equal(
    lostWords("resume", undefined, 1),
    "The console's response was lost. It is not known yet how many of 1 change were sent; " +
      "the page finds out the rest when the console is back",
  );
  equal(
    lostWords("refuse", { sent: 12, total: 40 }, 40),
    "The console's response was lost. The page reads the plan's state when the console is back",
  );
});

Deno.test("only changes that one command undoes are said to be undone by one", () => {
  const [update, archive, call] = ["update", "archive", "call"].map((op) => ({ op }));
  equal(undoWords([update]), "You can undo them.");
  equal(undoWords([archive]), "1 entity is archived for good.");
  equal(
    undoWords([update, archive, archive, call]),
    "2 entities are archived for good. 1 call cannot be undone. You can undo the rest.",
  );
});

Deno.test("findings are gathered by what a person can do about them", () => {
  const shown = { plan: { findings: [], campaigns: [] } };
  const review = {
    drift: [
      { change: 0, already: true, fields: [] },
      { change: 1, already: false, fields: [{ field: "bid", expected: 1, actual: 1.47 }] },
    ],
    findings: [
      { code: "BID_BELOW", level: "advise", change: 2, message: "below", refused: true },
      { code: "AMOUNT_TRIPLED", level: "approve", change: 3, message: "tripled" },
      { code: "POLICY_MAX_BID", level: "deny", change: 4, message: "above" },
      { code: "FEW_CLICKS", level: "note", change: 5, message: "few" },
      { code: "FEW_CLICKS", level: "note", change: 6, message: "few" },
      { code: "BUDGETS_DOUBLED", level: "approve", message: "of the plan" },
    ],
  };
  const findings = findingsOf(shown, review);
  deepEqual([...unsendable(findings)].sort(), [0, 1, 2]);
  deepEqual(findings.whole.map(({ code }) => code), ["BUDGETS_DOUBLED"]);
  deepEqual(findingGroups(findings).map(({ key, words, changes }) => [key, words, changes.join()]), [
    ["refused", "1 change cannot be sent: the platform would refuse it", "2"],
    ["deny", "1 change is denied by the policy", "4"],
    ["approve", "1 change needs approval", "3"],
    ["drift", "2 changes no longer fit: 1 already has this value, 1 changed since", "0,1"],
    ["few_clicks", "2 changes: few clicks", "5,6"],
  ]);
  equal(shortFinding(findings.byChange.get(1))?.words, "changed to 1.47");
  equal(shortFinding(findings.byChange.get(0))?.words, "already has this value");
  equal(shortFinding(undefined), undefined);
});

Deno.test("an example of SQL finds days out of budget as jobs and rules do", () => {
  ok(EXAMPLES.some(([, sql]) => sql.includes(`WHERE budget_used >= ${FULL_SHARE} `)));
});

Deno.test("a result of SQL is drawn by day, summed up, or as bars, and ids are not drawn", () => {
  const columns = ["date", "campaign_id", "name", "cost", "note"];
  const rows = [
    ["2026-09-02T00:00:00Z", 7, "b", 2, null],
    ["2026-09-01", 8, "a", 1.5, "x"],
    ["2026-09-01", 7, "b", 1, null],
  ];
  deepEqual(drawable({ columns, rows }), ["cost"]);
  deepEqual(chartOf({ columns, rows }, "cost"), { days: ["2026-09-01", "2026-09-02"], values: [2.5, 2] });
  const bare = { columns: columns.slice(1), rows: rows.map((row) => row.slice(1)) };
  deepEqual(chartOf(bare, "cost"), { bars: [{ name: "b", value: 3 }, { name: "a", value: 1.5 }], more: 0 });
  const many = { columns: ["name", "n"], rows: Array.from({ length: 25 }, (_, at) => [`${at}`, at]) };
  const drawn = chartOf(many, "n");
  deepEqual(drawn && "bars" in drawn ? [drawn.bars.length, drawn.bars[0], drawn.more] : drawn, [
    20,
    { name: "24", value: 24 },
    5,
  ]);
  equal(chartOf({ columns: ["n", "m"], rows: [[1, 2], [3, 4]] }, "n"), undefined);
  deepEqual(withQuery(["a", "b"], "b"), ["b", "a"]);
});
