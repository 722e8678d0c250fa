import { JobFailedError } from "../../mod.ts";
import { parseWorkflow, type WorkflowFile } from "../../src/account/runs/workflow_file.ts";
import { compareWorkflows, planWorkflows } from "../../src/account/runs/plan_workflows.ts";
import type { CleanRoom, RunWorkflowOptions } from "../../src/client/clean_room/clean_room.ts";
import { type CleanRoomRow, ResultReader, WITHHELD } from "../../src/client/clean_room/result_rows.ts";
import { checkWindow } from "../../src/client/clean_room/run_windows.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import { parsePolicy } from "../../src/plans/policy/parse_policy.ts";
import { deepEqual, equal, match, ok, rejects, throws } from "../support/assert.ts";
import { type Emulated, emulated } from "../support/emulated.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const DAY: RunWorkflowOptions = { start: "2026-09-25", end: "2026-09-25" };
const REACH = parseWorkflow(
  `/* ---
columns: { campaign_id_string: STRING, clicks: LONG, users: LONG }
--- */
SELECT campaign_id_string, SUM(clicks) AS clicks, COUNT(DISTINCT user_id) AS users
FROM sponsored_ads_traffic GROUP BY campaign_id_string`,
  "reach.sql",
);
const TERMS = parseWorkflow(
  `/* ---
withheld: filtered
parameters: { lowest: { type: INTEGER, default: 1 } }
--- */
SELECT customer_search_term, SUM(clicks) AS clicks FROM sponsored_ads_traffic
WHERE clicks >= CUSTOM_PARAMETER('lowest') GROUP BY customer_search_term`,
  "terms.sql",
);

/** A world whose clocks move with the waits of its client. */
async function world(): Promise<Emulated & { room: CleanRoom }> {
  const at: Emulated = await emulated({
    client: {
      sleep: (seconds) => {
        at.time.advance(seconds);
        at.emulator.advance(seconds);
        return Promise.resolve();
      },
    },
  });
  const [first] = await at.ads.cleanRooms({ region: "NA" });
  ok(first !== undefined);
  return {
    ...at,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
    room: await at.ads.cleanRoom(first.instanceId),
  };
}

const at = await world();
const { ads, us, emulator, room } = at;

Deno.test.afterAll(async () => await at[Symbol.asyncDispose]());

async function rowsOf(rows: AsyncIterable<CleanRoomRow>): Promise<CleanRoomRow[]> {
  return await Array.fromAsync(rows, (row) => ({ ...row }));
}

function creates(): number {
  return emulator.requests().filter(({ method, path }) =>
    method === "POST" && path.endsWith("/workflowExecutions")
  )
    .length;
}

Deno.test("the clean rooms of a login are found in every region, and opened by id or name", async () => {
  const rooms = await ads.cleanRooms();
  deepEqual([...new Set(rooms.map(({ region }) => region))].sort(), ["EU", "FE", "NA"]);
  equal((await ads.cleanRoom("Fernpfad Outdoor US")).instance.instanceId, room.instance.instanceId);
  await rejects(
    ads.cleanRoom("Fernpfad Outdoor UK"),
    /not an instance of this login. Did you mean "Fernpfad Outdoor US"/,
  );
  const tables = await room.dataSources();
  ok(tables.some(({ dataSourceId, columns }) => dataSourceId === "conversions" && columns.length > 5));
});

Deno.test("a query of a file runs over a window, and its rows have the types that the head declares", async () => {
  const { rows, executions, withheld } = await room.run(REACH.workflow, DAY);
  deepEqual(executions.map(({ start, end, adopted }) => [start, end, adopted]), [[
    "2026-09-25",
    "2026-09-25",
    false,
  ]]);
  const all = await rowsOf(rows);
  ok(all.length > 20);
  for (const row of all) {
    deepEqual(Object.values(row).map((value) => typeof value), ["string", "number", "number"]);
  }
  equal(withheld, undefined);
});

Deno.test("values that privacy left empty are marked and counted", async () => {
  const result = await room.run(TERMS.workflow, { ...DAY, parameters: { lowest: 1 } });
  const [row, ...others] = await rowsOf(result.rows);
  deepEqual(others, []);
  deepEqual([row?.["customer_search_term"], row?.["filtered"], row?.[WITHHELD]], [
    null,
    true,
    "customer_search_term",
  ]);
  ok(Number(row?.["clicks"]) > 100);
  deepEqual(result.withheld, { rows: 1, columns: { customer_search_term: 1 } });
});

Deno.test("a window is cut into calendar parts, each with its days in its rows", async () => {
  const workflow =
    parseWorkflow("SELECT SUM(clicks) AS clicks FROM sponsored_ads_traffic", "sum.sql").workflow;
  const parts = await room.run(workflow, { start: "2026-09-19", end: "2026-09-22", each: "week" });
  const rows = await rowsOf(parts.rows);
  deepEqual(rows.map(({ window_start, window_end }) => [window_start, window_end]), [
    ["2026-09-19", "2026-09-20"],
    ["2026-09-21", "2026-09-22"],
  ]);
  const whole = await rowsOf((await room.run(workflow, { start: "2026-09-19", end: "2026-09-22" })).rows);
  equal(rows.reduce((sum, { clicks }) => sum + Number(clicks), 0), whole[0]?.["clicks"]);
});

Deno.test("windows and parameters that cannot be used are refused before anything is sent", async () => {
  at.asked();
  const refusals: [RunWorkflowOptions, RegExp][] = [
    [{ start: "2026-09-25", end: "2026-09-24" }, /the end is before the start/],
    [{ start: "2026-09-25", end: "2026-09-30" }, /the day is not over in UTC. End on 2026-09-29/],
    [{ start: "2025-08-01", end: "2026-09-24" }, /keep 13 months of data. Start on 2025-08-30 or later/],
    [{ ...DAY, zone: "Mars/Base" }, /time zone "Mars\/Base"/],
    [
      { ...DAY, parameters: { lowest: "many", other: 1 } },
      /"other" is not one of its parameters \(lowest\); "lowest" is "many"/,
    ],
  ];
  for (const [options, reason] of refusals) await rejects(room.run(TERMS.workflow, options), reason);
  deepEqual(at.asked(), []);
  const window = checkWindow({ start: "2026-09-25", end: "2026-09-28" }, Date.parse("2026-09-30T12:00:00Z"));
  match(window.warnings.join(), /Figures after 2026-09-27 are not complete yet/);
  throws(() => checkWindow({ start: "2026-9-1", end: "2026-09-28" }, Date.now()), /start/);
});

Deno.test("the value of a parameter never becomes a part of the query", async () => {
  const workflow = parseWorkflow(
    "/* ---\nparameters: { name: STRING }\n--- */\nSELECT COUNT(*) AS n FROM sponsored_ads_traffic WHERE campaign = CUSTOM_PARAMETER('name')",
    "one.sql",
  ).workflow;
  const { rows } = await room.run(workflow, { ...DAY, parameters: { name: "' OR '1' = '1" } });
  deepEqual(await rowsOf(rows), []);
  const sent = emulator.requests().findLast(({ method, path }) =>
    method === "POST" && path.endsWith("Executions")
  );
  ok(!JSON.stringify(sent?.body ?? "").includes("1' = '1'\" FROM"));
});

Deno.test("a dry run compiles, and a run that fails says why in the platform's words", async () => {
  await room.dryRun(REACH.workflow, DAY);
  const wrong = {
    ...REACH.workflow,
    outputColumns: [],
    sqlQuery: "SELECT COUNT(missing) AS n FROM sponsored_ads_traffic",
  };
  for (const run of [() => room.dryRun(wrong, DAY), () => room.run(wrong, DAY)]) {
    await rejects(run(), (error: unknown) => {
      ok(error instanceof JobFailedError);
      match(error.message, /clean-room query.*FAILED: The query cannot be compiled: no such column: missing/);
      return true;
    });
  }
});

Deno.test("a run that was interrupted is taken up by another process and requested once", async () => {
  const jobs = await temporaryFolder();
  try {
    const client = (): PlatformAds =>
      new PlatformAds(emulator.credentials, {
        platform: emulator.platform,
        now: at.time.now,
        jobs: jobs.path,
        sleep: (seconds, signal) => {
          signal?.throwIfAborted();
          emulator.advance(seconds);
          return Promise.resolve();
        },
      });
    const before = creates();
    const stop = new AbortController();
    const killed = (await client().cleanRoom(room.instance.instanceId)).run(REACH.workflow, {
      ...DAY,
      start: "2026-09-24",
      signal: stop.signal,
      onStart: () => stop.abort(new Error("killed")),
    });
    await rejects(killed, /killed/);
    const { rows, executions } = await (await client().cleanRoom(room.instance.instanceId)).run(
      REACH.workflow,
      {
        ...DAY,
        start: "2026-09-24",
      },
    );
    equal(executions[0]?.adopted, true);
    ok((await rowsOf(rows)).length > 20);
    equal(creates() - before, 1);
  } finally {
    await jobs.remove();
  }
});

function scheduled(file: WorkflowFile, hour: number): WorkflowFile {
  const { workflowId } = file.workflow;
  return {
    ...file,
    schedule: {
      scheduleId: workflowId,
      workflowId,
      aggregationPeriod: "Daily",
      aggregationHourUtc: hour,
      scheduleEnabled: true,
    },
  };
}

withoutPolicy("its plans are applied without an approval");
Deno.test("files become stored workflows and schedules by a plan, and everything is undone", async () => {
  const files = [scheduled(REACH, 3), TERMS];
  const plan = await planWorkflows(us, room, files, { note: "queries" });
  deepEqual(plan.changes.map(({ label }) => label.split(":")[1]), [
    "createWorkflow",
    "createWorkflow",
    "createSchedule",
  ]);
  deepEqual(plan.warnings, []);
  deepEqual(await room.workflows(), [], "planning sends nothing");
  const created = await plan.apply(us, { checkDrift: true });
  ok(created.ok, created.summary());
  deepEqual((await room.workflows()).map(({ workflowId }) => workflowId), ["reach", "terms"]);
  deepEqual(await compareWorkflows(room, files), []);
  equal((await planWorkflows(us, room, files)).changes.length, 0);

  // A column of the head goes, the hour changes, one file is gone.
  const { outputColumns: _, ...workflow } = REACH.workflow;
  const next = [scheduled({ ...REACH, workflow, removes: ["outputColumns"] }, 5)];
  const differences = await compareWorkflows(room, next);
  deepEqual(differences.map(({ kind, id, state, fields }) => [kind, id, state, ...fields]), [
    ["workflow", "reach", "changed", "outputColumns"],
    ["workflow", "terms", "only stored"],
    ["schedule", "reach", "changed", "aggregationHourUtc"],
  ]);
  equal((await planWorkflows(us, room, next)).changes.length, 2, "nothing is deleted without prune");
  const second = await planWorkflows(us, room, next, { prune: true });
  const rows = second.table().map(({ field, before, after }) => [field, before, after]);
  ok(
    rows.some(([field, , after]) => field === "body.outputColumns" && after === undefined),
    JSON.stringify(rows),
  );
  const changed = await second.apply(us, { checkDrift: true });
  ok(changed.ok, changed.summary());
  deepEqual(await compareWorkflows(room, next), []);

  // Back to the first files, then to nothing.
  const back = changed.rollbackPlan();
  deepEqual(back.warnings, []);
  ok((await back.apply(us, { checkDrift: true })).ok);
  deepEqual(await compareWorkflows(room, files), []);
  const undo = created.rollbackPlan();
  deepEqual(undo.warnings, []);
  const undone = await undo.apply(us, { checkDrift: true });
  ok(undone.ok, undone.summary());
  deepEqual([await room.workflows(), await room.schedules()], [[], []]);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a plan keeps what the file of a workflow does not mention, and takes away what it empties", async () => {
  const { pathParams, headers } = room.place;
  const stored = {
    ...TERMS.workflow,
    privacyFilteringBehavior: "REMOVE_VALUES",
    filteredMetricsDiscriminatorColumn: "withheld",
    outputFormat: { separatorCharacter: ";" },
    inputParameters: [{ name: "least", dataType: "INTEGER", displayName: "Least clicks", defaultValue: "1" }],
    outputColumns: [{ name: "n", dataType: "LONG", columnType: "METRIC" }],
  };
  const api = "workflow-management-service";
  const made = await us.planCall<string>(`${api}:createWorkflow`, stored, { pathParams, headers });
  ok((await made.apply(us)).ok);
  const now = async (): Promise<Record<string, unknown>> => {
    const workflowId = TERMS.workflow.workflowId;
    const { workflow } = await ads.call<string>(`${api}:getWorkflow`, undefined, {
      pathParams: { ...pathParams, workflowId },
      headers,
    }) as { workflow: Record<string, unknown> };
    return workflow;
  };
  const { workflowId, sqlQuery } = TERMS.workflow;
  const silent = { source: "terms.sql", workflow: { workflowId, sqlQuery } };
  deepEqual(await compareWorkflows(room, [silent]), []);
  const edited: WorkflowFile = {
    source: "terms.sql",
    workflow: {
      workflowId,
      sqlQuery: `${sqlQuery} `,
      inputParameters: [{ name: "least", defaultValue: "2" }],
    },
    removes: ["filteredMetricsDiscriminatorColumn"],
  };
  deepEqual((await compareWorkflows(room, [edited])).map(({ fields }) => [...fields].sort()), [
    ["filteredMetricsDiscriminatorColumn", "inputParameters", "sqlQuery"],
  ]);
  ok((await (await planWorkflows(us, room, [edited])).apply(us, { checkDrift: true })).ok);
  const { filteredMetricsDiscriminatorColumn: _, ...kept } = stored;
  deepEqual(await now(), {
    ...kept,
    sqlQuery: `${sqlQuery} `,
    inputParameters: [{ ...stored.inputParameters[0], defaultValue: "2" }],
  });
  // The plan of a create whose id is there already undoes nothing of it.
  const again = await us.planCall<string>(`${api}:createWorkflow`, stored, { pathParams, headers });
  deepEqual(again.inverse().changes.map(({ label }) => label.split(":")[1]), ["updateWorkflow"]);
  ok((await made.inverse().apply(us)).ok);
  deepEqual(await room.workflows(), []);
});

withoutPolicy("its plans are applied without an approval");
Deno.test("a workflow that was changed elsewhere is drift, and the plan is not sent", async () => {
  const made = await planWorkflows(us, room, [TERMS]);
  ok((await made.apply(us)).ok);
  const changed = { ...TERMS, workflow: { ...TERMS.workflow, sqlQuery: `${TERMS.workflow.sqlQuery} ` } };
  const plan = await planWorkflows(us, room, [changed]);
  const { pathParams, headers } = room.place;
  const other = await us.planCall<string>(
    "workflow-management-service:updateWorkflow",
    { ...TERMS.workflow, sqlQuery: "SELECT COUNT(*) AS n FROM conversions" },
    { pathParams: { ...pathParams, workflowId: "terms" }, headers },
  );
  ok((await other.apply(us)).ok);
  await rejects(plan.apply(us, { checkDrift: true }), /sqlQuery/);
  ok((await made.inverse().apply(us)).ok);
  deepEqual(await room.workflows(), []);
});

Deno.test("a policy judges plans of workflows, and lets queries run", async () => {
  const judged = new PlatformAds(emulator.credentials, {
    platform: emulator.platform,
    now: at.time.now,
    sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
    policy: parsePolicy(
      "version: 1\nrules:\n  - { name: calls, level: deny, ops: [call], when: 'true', message: No calls }\n",
    ),
  });
  const profile = await judged.profile("US");
  const plan = await planWorkflows(profile, room, [TERMS]);
  await rejects(plan.apply(profile), /No calls/);
  const { pathParams, headers } = room.place;
  const direct = profile.call<string>("workflow-management-service:createWorkflow", TERMS.workflow, {
    pathParams,
    headers,
  });
  await rejects(direct, /policy/i);
  deepEqual(await room.workflows(), []);
  const { rows } = await (await judged.cleanRoom(room.instance.instanceId)).run(REACH.workflow, DAY);
  ok((await rowsOf(rows)).length > 20);
});

Deno.test("files with the same workflow, or a profile of another region, are refused", async () => {
  await rejects(
    compareWorkflows(room, [REACH, { ...REACH, source: "other.sql" }]),
    /"reach" is in reach.sql and other.sql/,
  );
  const de = await ads.profile("DE", { accountType: "seller" });
  await rejects(planWorkflows(de, room, [REACH]), /the clean room is in region NA/);
});

Deno.test("cells are read by declared types, and ids keep their digits", () => {
  const reader = new ResultReader({
    workflowId: "a",
    sqlQuery: "",
    outputColumns: [{ name: "big", dataType: "LONG" }, { name: "yes", dataType: "BOOLEAN" }],
  });
  deepEqual(
    reader.read({ big: "9007199254740993", yes: "true", campaign_id: "0012", cost: "1.50", words: "" }),
    {
      big: "9007199254740993",
      yes: true,
      campaign_id: "0012",
      cost: 1.5,
      words: null,
    },
  );
});
