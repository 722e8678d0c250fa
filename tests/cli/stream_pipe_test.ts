import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { Warehouse } from "../../src/store/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { type CliRun, runCli } from "./support/run_cli.ts";
import { ADSCTL } from "./support/process.ts";
import { long } from "../support/long.ts";
import { until } from "../support/until.ts";

function record(id: string | number, clicks = 1): string {
  return JSON.stringify({
    dataset_id: "sp-traffic",
    idempotency_id: String(id),
    advertiser_id: "ENTITY1",
    marketplace_id: "M1",
    time_window_start: "2026-09-01T10:00:00Z",
    clicks,
  });
}

/** Waits until a store holds so many records. */
async function stored(path: string, count: number): Promise<void> {
  await until(() => {
    try {
      using database = new DatabaseSync(path, { readOnly: true });
      return database.prepare("SELECT count(*) AS n FROM stream_sp_traffic").get()?.["n"] === count;
    } catch {
      return false; // It is not there yet.
    }
  });
}

/** A command that reads a pipe of this process, and what can be done to both. */
function piped(path: string, env: Record<string, string>): {
  write(text: string): void;
  interrupt(): void;
  run: Promise<CliRun>;
} {
  let pipe!: ReadableStreamDefaultController<string>;
  let interrupt = (): void => {};
  const stream = new ReadableStream<string>({
    start: (controller) => void (pipe = controller),
  });
  const run = runCli(`store stream run --from - --store ${path}`, {
    env,
    pieces: () => stream,
    onInterrupt: (press) => void (interrupt = press),
  });
  return {
    write: (text) => pipe.enqueue(text),
    interrupt: () => interrupt(),
    run,
  };
}

Deno.test("what comes through a pipe that stays open is stored as it comes; Ctrl-C stores what is left and says so", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("open.sqlite");
  const pipe = piped(path, { HOME: folder.path });
  pipe.write(`${record("a")}\n${record("b").slice(0, 40)}`);
  await stored(path, 1);
  pipe.write(`${record("b").slice(40)}\nnot json\n${record("c")}`);
  await stored(path, 3);
  pipe.write(`\n${record("d")}\n{"dataset_id": "sp-tra`);
  await stored(path, 4);
  pipe.interrupt();
  const { code, stderr } = await pipe.run;
  assert.equal(code, 130, stderr);
  assert.match(
    stderr,
    /^6 messages: 4 records stored, 0 duplicates, 2 set aside in .*\nInterrupted: input received so far is stored\n/,
  );
  assert.ok(stderr.includes(`adsctl query --store ${path} 'SELECT reason`), stderr);
  const store = await Warehouse.open(path);
  const { rows } = await store.query("SELECT message_id, body FROM stream_rejected ORDER BY message_id");
  await store.close();
  assert.deepEqual(rows.map(({ message_id: id, body }) => [id, body]), [
    ["-:3", "not json"],
    ["-:6", '{"dataset_id": "sp-tra'],
  ]);
});

Deno.test("a failure in the middle of a pipe says how much of it is stored", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("broken.sqlite");
  const pipe = piped(path, { HOME: folder.path });
  pipe.write(`${record("a")}\n`);
  await stored(path, 1);
  pipe.write("\0{\0");
  const { code, stderr } = await pipe.run;
  assert.equal(code, 2);
  assert.match(stderr, /^Before it failed: 1 messages: 1 records stored, .*duplicates are ignored\n/);
  assert.match(stderr, /not UTF-8 text/);
});

long();
Deno.test("a real pipe that stays open is stored as it comes, and SIGINT ends it", async () => {
  await using folder = await temporaryFolder();
  const path = folder.file("real.sqlite");
  const [program, ...args] = ADSCTL;
  const child = new Deno.Command(program!, {
    args: [...args, "store", "stream", "run", "--from", "-", "--store", path],
    env: { XDG_STATE_HOME: folder.path },
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const pipe = child.stdin.getWriter();
  const write = (text: string): Promise<void> => pipe.write(new TextEncoder().encode(text));
  const many = Array.from({ length: 3000 }, (_, at) => `${record(at)}\n`).join("");
  await write(`${many}${record("last").slice(0, 9)}`);
  await stored(path, 3000);
  await write(`${record("last").slice(9)}\n`);
  await stored(path, 3001);
  child.kill("SIGINT");
  const { code } = await child.status;
  const said = await new Response(child.stderr).text();
  assert.equal(code, 130, said);
  assert.match(said, /^3001 messages: 3001 records stored.*\nInterrupted: input received so far is stored/);
  await pipe.close().catch(() => {});
});
