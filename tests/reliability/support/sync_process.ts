import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Emulator } from "../../../src/emulator/mod.ts";
import { Warehouse } from "../../../src/store/mod.ts";

const RUNNER = fileURLToPath(new URL("./sync_runner.ts", import.meta.url));

/** Reports of the tests that run syncs in processes. */
export const REPORTS = ["sp_campaigns", "sb_campaigns"];

/** Runs the job in a process, tells when it begins, kills it so many milliseconds later, and gives what it said. */
export async function runAndKill(
  path: string,
  { after = Infinity, onBegun = () => {} }: { after?: number; onBegun?: () => void },
): Promise<string> {
  const isDeno = "Deno" in globalThis;
  const child = spawn(process.execPath, [...isDeno ? ["run", "-A", "-q"] : [], RUNNER, "--job", path], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  child.stdout.on("data", (data: Uint8Array) => {
    const isFirst = said === "";
    said += new TextDecoder().decode(data);
    if (!isFirst) return;
    onBegun();
    timer = killLater(child, after);
  });
  await new Promise((ended) => child.once("close", ended));
  clearTimeout(timer);
  assert.match(said, /^begun/, "it lived long enough to begin");
  return said;
}

function killLater(child: ChildProcess, after: number): ReturnType<typeof setTimeout> | undefined {
  return after === Infinity ? undefined : setTimeout(() => child.kill("SIGKILL"), after);
}

/** Rows of every report, and which days are covered; not when they were pulled. */
export async function contents(path: string): Promise<unknown> {
  const store = await Warehouse.open(path);
  const reports: Record<string, unknown> = {};
  for (const report of REPORTS) {
    const hash = createHash("sha256");
    let count = 0;
    for await (const row of store.rows(report)) {
      hash.update(JSON.stringify(row));
      count++;
    }
    reports[report] = { count, hash: hash.digest("hex") };
  }
  const coverage = (await store.coverage()).map(({ lastPull: _, ...line }) => line);
  await store.close();
  return { reports, coverage };
}

/** A store is whole at any moment: the file is sound, and every covered day has the rows that it had when it was stored. */
export function checkWholeness(path: string): void {
  const database = new DatabaseSync(path);
  assert.equal(database.prepare("PRAGMA integrity_check").get()!["integrity_check"], "ok");
  for (const report of REPORTS) {
    const wrong = database.prepare(
      `SELECT d.profile_id, d.date, d.rows, count(r.date) AS found
       FROM days AS d LEFT JOIN report_${report} AS r ON r.profile_id = d.profile_id AND r.date = d.date
       WHERE d.report = ? GROUP BY 1, 2, 3 HAVING d.rows <> found`,
    ).all(report);
    assert.deepEqual(wrong, [], `${report}: days with other rows than were stored`);
  }
  database.close();
}

/** No report was asked for twice, by the emulator's own journal. */
export function checkAskedOnce(emulator: Emulator): void {
  const asked = emulator.requests().filter(({ method, path, status }) =>
    method === "POST" && path.endsWith("/reporting/reports") && status === 200
  );
  const questions = asked.map(({ profileId, body }) => `${profileId} ${JSON.stringify(body)}`);
  const twice = questions.filter((question, i) => questions.indexOf(question) !== i);
  assert.deepEqual(twice, [], "reports that were asked for twice");
  assert(asked.length > 0);
}
