import { deepEqual } from "../support/assert.ts";

/** Direct reads of clock, timers and chance. Code gets them by options, so that tests and simulations can set them. */
const READS =
  /\bDate\.now\(\)|\bnew Date\(\)|\bperformance\.now\(\)|\bMath\.random\(\)|\bset(?:Timeout|Interval)\(|\bAbortSignal\.timeout\(|\brandomUUID\(\)|\bgetRandomValues\(/g;
const COMMENTS = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*/g;

/** Files below src that read them directly, how often, and why that stays. */
const KNOWN: readonly { readonly reason: string; readonly files: Readonly<Record<string, number>> }[] = [
  {
    reason: "Names and keys that must neither repeat nor be guessed; nothing is decided by them.",
    files: {
      "account/rollout/snapshot_account.ts": 1,
      "interfaces/cli/commands/auth/auth_consent.ts": 1,
      "interfaces/cli/commands/rehearse.ts": 1,
      "interfaces/cli/shell/output/export_rows.ts": 1,
      "interfaces/mcp/context/mcp_context.ts": 1,
      "interfaces/mcp/tooling/recorded_call.ts": 2,
      "interfaces/mcp/calls/tasks.ts": 1,
      "interfaces/mcp/http/legacy_sessions.ts": 2,
      "interfaces/mcp/calls/result_cache.ts": 1,
      "plans/apply/apply_journal.ts": 1,
      "plans/review/approval_key.ts": 2,
      "plans/state/ledger_lines.ts": 1,
      "plans/review/hold_back.ts": 1,
      "base/runtime/file_system.ts": 1,
      "base/runtime/temporary_file.ts": 1,
      "store/lake/publish_lake.ts": 1,
      "store/sync/read_export.ts": 1,
      "store/sync/fields_pull.ts": 1,
      "store/tables/pulls_table.ts": 1,
      "store/sqlite/open_database.ts": 1,
      "store/stream/subscriptions.ts": 1,
      "store/sync/plan_sync.ts": 1,
      "platform/transport/export_queue.ts": 1,
      "platform/transport/pacer/pacer.ts": 1,
      "automation/worker/plan_task.ts": 1,
      "automation/worker/queue_journal.ts": 2,
    },
  },
  {
    reason:
      "Waits, time limits and measurements of the machine; a simulated world replaces the globals below them.",
    files: {
      "interfaces/arena/run/command_agent.ts": 2,
      "interfaces/cli/shell/io/runtime_io.ts": 1,
      "interfaces/cli/shell/connect/queue_notice.ts": 1,
      "interfaces/console/api/console_routes.ts": 1,
      "interfaces/console/http/event_hub.ts": 1,
      "store/warehouse/shared_store.ts": 1,
      "interfaces/mcp/access/issuer_keys.ts": 1,
      "interfaces/mcp/calls/call_metrics.ts": 2,
      "interfaces/mcp/calls/pending_calls.ts": 4,
      "interfaces/mcp/server/resources.ts": 1,
      "interfaces/mcp/http/guard.ts": 1,
      "interfaces/mcp/http/operator_routes.ts": 1,
      "store/warehouse/query_in_subprocess.ts": 1,
      "plans/change_plan/change_plan.ts": 2,
      "plans/policy/judge_by_rules.ts": 4,
      "client/reports/file/open_file.ts": 1,
      "client/calls/send_asset.ts": 1,
      "base/runtime/file_lock.ts": 5,
      "automation/scripts/child_program.ts": 1,
      "automation/scripts/run_script.ts": 2,
      "automation/service/units/stream.ts": 1,
      "store/warehouse/state_session.ts": 3,
      "store/postgres/database.ts": 1,
      "store/postgres/postgres_error.ts": 3,
      "store/queue/heartbeat.ts": 5,
      "store/queue/postgres_pace_store.ts": 4,
      "store/queue/queue_utils.ts": 2,
      "store/queue/sync_task.ts": 3,
      "store/queue/take_jobs.ts": 1,
      "store/queue/worker.ts": 3,
      "store/sqlite/transactions.ts": 4,
      "store/stream/queue_client.ts": 1,
      "store/stream/queue_source.ts": 3,
      "store/stream/text_source.ts": 4,
      "platform/transport/exchange.ts": 1,
      "platform/transport/retry.ts": 1,
      "base/time/clock.ts": 2,
      "automation/watch/deliver_alerts.ts": 1,
    },
  },
  {
    reason: "Defaults where a caller gives no moment of its own, and stamps that people read.",
    files: {
      "interfaces/demo/demo_account.ts": 2,
      "plans/store/running_experiments.ts": 1,
      "plans/review/review_plan.ts": 1,
      "plans/policy/test_policy.ts": 1,
      "client/reports/check_fields.ts": 1,
      "store/figures/figures.ts": 1,
      "store/figures/plan_outcome.ts": 1,
      "store/queue/run_job.ts": 2,
      "platform/transport/pacer/file_pace_store.ts": 3,
      "automation/watch/watch_state.ts": 2,
    },
  },
  {
    reason: "The emulator has a clock of its own, and ids of requests that nothing depends on.",
    files: {
      "emulator/emulator.ts": 1,
      "emulator/hosts/identity_host.ts": 1,
      "emulator/http/incoming_request.ts": 1,
      "emulator/hosts/queue_host.ts": 2,
    },
  },
];

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory && name !== "web") yield* sources(`${folder}/${name}`);
    else if (name.endsWith(".ts")) yield `${folder}/${name}`;
  }
}

Deno.test("clock, timers and chance are read directly only where it is known why", async () => {
  const found: Record<string, number> = {};
  for await (const path of sources("src")) {
    const code = (await Deno.readTextFile(path)).replaceAll(COMMENTS, "");
    const count = code.match(READS)?.length ?? 0;
    if (count > 0) found[path.slice("src/".length)] = count;
  }
  const known = Object.assign({}, ...KNOWN.map(({ files }) => files));
  const differs = [...new Set([...Object.keys(found), ...Object.keys(known)])].sort()
    .filter((path) => found[path] !== known[path])
    .map((path) => `${path}: ${found[path] ?? 0} direct reads, ${known[path] ?? 0} are known`);
  deepEqual(differs, []);
});
