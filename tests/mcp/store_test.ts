import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { Agent } from "./support/agent.ts";
import { ReportWorld } from "./support/report_world.ts";
import { StoreAccess } from "../../src/interfaces/mcp/context/store_access.ts";
import { syncAnswer } from "../../src/interfaces/mcp/tooling/coverage_rows.ts";
import { type SyncOutcome, SyncResult } from "../../src/store/sync/sync_result.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { long } from "../support/long.ts";

const program = {
  command: Deno.execPath(),
  args: [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-read",
    "--allow-write",
    "--allow-env",
    new URL("../../mcp.ts", import.meta.url).href,
  ],
};

async function fill(path: string, rows: number): Promise<void> {
  await using store = await Warehouse.open(path);
  const day = {
    profileId: "1001",
    countryCode: "US",
    report: "sp_campaigns",
    start: "2026-09-01",
    end: "2026-09-01",
  };
  const row = (at: number) => ({ date: "2026-09-01", campaignId: String(at), cost: at });
  await store.replace(day, Array.from({ length: rows }, (_, at) => row(at)));
}

const WRITES: readonly string[] = [
  "DELETE FROM sp_campaigns",
  "WITH gone AS (SELECT 1) DELETE FROM sp_campaigns WHERE 1",
  "INSERT INTO sp_campaigns VALUES (1)",
  "UPDATE sp_campaigns SET cost = 0",
  "DROP VIEW sp_campaigns",
  "CREATE TEMP TABLE t (x)",
  "ATTACH '/etc/passwd' AS p",
  "VACUUM INTO '/tmp/mcp-stolen.sqlite'",
  "PRAGMA writable_schema = 1",
  "SELECT load_extension('/tmp/x')",
  "SELECT 1; DELETE FROM sp_campaigns",
  "BEGIN IMMEDIATE",
];

Deno.test("sync_reports holds back a report that came to nothing, until it is told to accept it", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context({ store: true }));
  const rows = [1, 2, 3].map((day) => ({ date: `2026-09-0${day}`, campaignId: "1", cost: 1 }));
  world.host.rows = () => rows;
  const args = {
    markets: ["US"],
    reports: ["sp_campaigns"],
    entities: false,
    start: "2026-09-01",
    end: "2026-09-03",
  };
  equal((await agent.call("sync_reports", args)).data["ok"], true);
  world.host.now += 86_400_000;
  world.host.rows = () => [];
  const held = await agent.call("sync_reports", args);
  equal(held.data["ok"], false);
  match(JSON.stringify(held.data["outcomes"]), /"state":"held".*Held back 3 days/);
  const covered = async (): Promise<unknown> => (await agent.call("report_coverage", {})).data["rows"];
  match(JSON.stringify(await covered()), /"rows":3/);
  world.host.now += 60_000;
  equal((await agent.call("sync_reports", { ...args, accept_shrink: true })).data["ok"], true);
  match(JSON.stringify(await covered()), /"rows":0/);
});

long();
Deno.test("the report store, asked by an agent", async (t) => {
  await using world = new ReportWorld();
  await fill(world.store, 12_000);
  for (
    const [where, options] of [["inside this process", {}], ["in a process of its own", { program }]] as const
  ) {
    await using agent = await Agent.connect(world.context({ store: true, ...options }));

    await t.step(`reads, ${where}`, async () => {
      const sql =
        "SELECT country_code, count(*) AS days, sum(cost) AS cost FROM sp_campaigns WHERE cost < ? GROUP BY 1";
      const { data, text } = await agent.call("query_reports", { sql, params: [10] });
      deepEqual(data.rows, [{ country_code: "US", days: 10, cost: 45 }]);
      match(text, /country_code \| days \| cost\nUS \| 10 \| 45/);
    });

    await t.step(`cuts a huge result and says so, ${where}`, async () => {
      const { data } = await agent.call("query_reports", { sql: "SELECT * FROM sp_campaigns" });
      equal(data.rows.length, 50);
      equal(data.total, 10_000);
      match(data.notes.join(), /Cut at 10000 rows, and there are more/);
      equal(JSON.parse(await agent.read(data.result_uri)).length, 10_000);
    });

    await t.step(`4. SQL that writes is refused by the database, ${where}`, async () => {
      // One process a statement is slow: there the first few stand for all.
      for (const sql of "program" in options ? WRITES.slice(0, 3) : WRITES) {
        const { isError, text } = await agent.call("query_reports", { sql });
        equal(isError, true, sql);
        match(text, /^Cannot run the query: /, sql);
      }
      const { data } = await agent.call("query_reports", { sql: "SELECT count(*) AS n FROM sp_campaigns" });
      equal(data.rows[0].n, 12_000);
    });
  }

  await t.step("a result of huge texts neither fills the answer nor a message", async () => {
    await using agent = await Agent.connect(world.context({ store: true }));
    const wide = "SELECT printf('%.*c', 9000000, 'x') AS x UNION ALL SELECT 'y'";
    const { data, text } = await agent.call("query_reports", { sql: wide });
    match(data.rows[0].x, /^x{400}… \(9000000 characters\)$/);
    deepEqual([data.rows.length, data.total, data.result_uri], [2, 2, undefined]);
    ok(text.length < 5000);
    match(data.notes.join("; "), /Long values are cut here; All of them are too much for one resource/);

    const japanese = "SELECT replace(hex(zeroblob(1500000)), '0', '\u65e5') AS x UNION ALL SELECT 'y'";
    equal((await agent.call("query_reports", { sql: japanese })).data.result_uri, undefined);

    await using apart = await Agent.connect(world.context({ store: true, program }));
    const huge =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3) SELECT printf('%.*c', 40000000, 'x') FROM n";
    const refused = await apart.call("query_reports", { sql: huge });
    equal(refused.isError, true);
    match(refused.text, /its rows hold more than 64 MiB/);
  });

  await t.step("a query that never ends is ended with its process, and the server lives on", async () => {
    await using agent = await Agent.connect(world.context({ store: true, program }));
    const endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n";
    const cancel = new AbortController();
    const lost = agent.call("query_reports", { sql: endless }, { signal: cancel.signal }).catch(() =>
      "cancelled"
    );
    // The server answers others meanwhile.
    equal((await agent.call("report_coverage")).data.rows.length, 1);
    cancel.abort();
    equal(await lost, "cancelled");
    const { data } = await agent.call("query_reports", { sql: "SELECT 1 AS one" });
    equal(data.rows[0].one, 1);
  });

  await t.step("no rows of a report that was never stored is not called zero", async () => {
    await using agent = await Agent.connect(world.context({ store: true }));
    const { data } = await agent.call("query_reports", { sql: "SELECT * FROM sp_targeting" });
    match((data.notes ?? []).join(), /Nothing of sp_targeting was ever stored/);
    const none = await agent.call("query_reports", { sql: "SELECT * FROM sp_campaigns WHERE cost < 0" });
    equal(none.data.notes, undefined);
    const summed = await agent.call("query_reports", {
      sql: "SELECT sum(cost) AS cost FROM sp_campaigns WHERE date BETWEEN ? AND ?",
      params: ["2026-08-31", "2026-09-03"],
    });
    match(
      summed.data.notes.join(),
      /sp_campaigns of US has 1 of 4 days, without 2026-08-31, 2026-09-02 to 2026-09-03/,
    );
  });

  await t.step("tells what is stored, as a tool and as a resource", async () => {
    await using agent = await Agent.connect(world.context({ store: true }));
    const { data } = await agent.call("report_coverage");
    const { country, report, first_day, days, rows } = data.rows[0];
    deepEqual([country, report, first_day, days, rows], ["US", "sp_campaigns", "2026-09-01", 1, 12_000]);
    deepEqual(JSON.parse(await agent.read("platform-ads://coverage")), data.rows);
    equal(data.notes, undefined);
  });

  await t.step("names Brands campaigns that version 3 leaves out of every day", async () => {
    const context = world.context({ store: true });
    const what = { profileId: "1", countryCode: "US" };
    const row = { date: "2026-09-01", campaignId: "71", campaignName: "Reported", clicks: 3, cost: 1 };
    await context.store!.useOwn(async (store) => {
      await store.replace({ ...what, report: "sb_campaigns", start: row.date, end: row.date }, [row]);
      await store.replaceEntities({ ...what, kind: "sb.campaigns" }, [
        { campaignId: "70", name: "Older video", state: "ENABLED", isMultiAdGroupsEnabled: false },
      ]);
    });
    await using agent = await Agent.connect(context);
    const { data } = await agent.call("report_coverage");
    match((data.notes ?? []).join(), /No rows of 1 Brands campaign .*US "Older video" \(70\)/);
  });
});

Deno.test("of many queries few run at the same time, and all are answered", async () => {
  const folder = await Deno.makeTempDir();
  const log = `${folder}/log`;
  const script =
    `echo 1 >> ${log}; sleep 0.1; echo -1 >> ${log}; echo '{"rows":[{"n":1}],"truncated":false}'`;
  const store = new StoreAccess(`${folder}/ads.sqlite`, { program: { command: "sh", args: ["-c", script] } });
  const asked = { sql: "SELECT 1", params: [], maxRows: 1 };
  const gone = AbortSignal.abort();
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => store.query({ ...asked, signal: new AbortController().signal })),
    store.query({ ...asked, signal: gone }).catch(({ name }: Error) => name),
  ]);
  deepEqual(answers, [
    ...Array.from({ length: 6 }, () => ({ rows: [{ n: 1 }], truncated: false })),
    "AbortError",
  ]);
  const steps = (await Deno.readTextFile(log)).trim().split("\n").map(Number);
  equal(steps.length, 12);
  let running = 0;
  for (const step of steps) ok((running += step) <= 2, steps.join());
  await store.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a sync of very many reports tells first what is not stored, and that there are more", () => {
  const outcome = (at: number, state: "stored" | "failed"): SyncOutcome => ({
    profileId: String(at),
    countryCode: "US",
    report: "sp_campaigns",
    start: "2026-09-01",
    end: "2026-09-30",
    reportId: "1",
    state,
    resumed: false,
    rows: 1,
    ...(state === "failed" ? { error: new Error("no") } : {}),
  });
  const outcomes = Array.from({ length: 300 }, (_, at) => outcome(at, at === 299 ? "failed" : "stored"));
  const { data, text } = syncAnswer(new SyncResult({ outcomes, stopped: false }), []);
  equal(data.outcomes.length, 200);
  deepEqual([data.outcomes[0]!["profile_id"], data.outcomes[0]!["why"]], ["299", "no"]);
  match(text, /The first 200 of 300 outcomes; report_coverage tells what is stored/);
});

Deno.test("sync_reports pulls what is missing, tells how far it is, and goes on after a cancellation", async () => {
  await using world = new ReportWorld();
  await using agent = await Agent.connect(world.context({ store: true }));
  const args = {
    markets: ["US"],
    reports: ["sp_campaigns"],
    entities: false,
    start: "2026-09-01",
    end: "2026-09-07",
  };
  const cancel = new AbortController();
  world.host.onWait = () => cancel.abort();
  const lost = await agent.call("sync_reports", args, { signal: cancel.signal }).catch(() => "cancelled");
  equal(lost, "cancelled");
  world.host.onWait = () => {};

  const told: string[] = [];
  const figures: number[] = [];
  const result = await agent.client.callTool({
    name: "sync_reports",
    arguments: { ...args, markets: ["all"] },
  }, {
    onprogress: ({ message, progress }) => {
      told.push(message ?? "");
      figures.push(progress);
    },
  });
  ok(figures.every((figure, at) => at === 0 || figure > figures[at - 1]!), figures.join());
  const data = result.structuredContent as { ok: boolean; outcomes: { state: string }[] };
  equal(data.ok, true);
  deepEqual(data.outcomes.map(({ state }) => state), ["stored"]);
  ok(told.some((line) => /^US sp_campaigns: /.test(line)), told.join());
  equal(world.host.asked("POST").length, 1);
  const { data: rows } = await agent.call("query_reports", { sql: "SELECT count(*) AS n FROM sp_campaigns" });
  equal(rows.rows[0].n, 1);
});

Deno.test("without a store there are no tools for it; read-only has no sync", async () => {
  await using world = new ReportWorld();
  const names = async (options: Parameters<ReportWorld["context"]>[0]): Promise<string[]> => {
    await using agent = await Agent.connect(world.context(options));
    return (await agent.client.listTools()).tools.map(({ name }) => name);
  };
  const store = ["query_reports", "report_coverage", "sync_reports"];
  deepEqual((await names({})).filter((name) => store.includes(name)), []);
  deepEqual((await names({ store: true })).filter((name) => store.includes(name)).sort(), store);
  const readOnly = await names({ store: true, settings: { readOnly: true } });
  deepEqual(readOnly.filter((name) => store.includes(name)), ["query_reports", "report_coverage"]);
});
