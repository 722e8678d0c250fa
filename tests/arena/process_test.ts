import { fileURLToPath } from "node:url";
import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { ADSCTL, inPipe } from "../cli/support/process.ts";
import { longFile } from "../support/long.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

longFile();

const AGENT = fileURLToPath(new URL("support/stdio_agent.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

interface Line {
  readonly task: string;
  readonly seed: number;
  readonly done: boolean;
  readonly calls: number;
}

async function linesOf(path: string): Promise<Line[]> {
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
}

Deno.test("an agent with a stdio client does a task through arena connect, and arena run writes its result", async () => {
  await using folder = await temporaryFolder();
  const out = folder.file("results.jsonl");
  const agent = `${Deno.execPath()} run -A -q --config ${CONFIG} ${AGENT}`;
  const words = ["arena", "run", "--agent", agent, "--tasks", "weekly/out-of-stock", "--env", "DENO_DIR"];
  const run = await inPipe([...ADSCTL, ...words, "--out", out, "--format", "tsv"], { cwd: folder.path });
  equal(run.code, 0, run.stderr);
  match(run.stdout, /^weekly\t1\t1\t1\t1\t0\t0\t0\t3\t/m);
  match(run.stderr, /^done {2}weekly\/out-of-stock 1 {2}3 calls/m);
  const [line] = await linesOf(out);
  deepEqual([line?.task, line?.seed, line?.done, line?.calls], ["weekly/out-of-stock", 1, true, 3]);
});

Deno.test("a run that is killed goes on with the next task, and runs none again", async () => {
  await using folder = await temporaryFolder();
  const out = folder.file("results.jsonl");
  const begun = folder.file("begun");
  // On the third task of the first run it waits to be killed.
  await Deno.writeTextFile(
    folder.file("agent.sh"),
    `#!/bin/sh
echo x >> '${begun}'
if [ ! -e '${begun}.again' ] && [ "$(wc -l < '${begun}')" -eq 3 ]; then echo waits >&2; exec sleep 120; fi
echo "paused: 0"
`,
    { mode: 0o755 },
  );
  const words = ["arena", "run", "--agent", "./agent.sh", "--tasks", "weekly/*", "--out", out, "--json"];
  const [program, ...args] = [...ADSCTL, ...words];
  const first = new Deno.Command(program!, { args, cwd: folder.path, stdout: "null", stderr: "piped" })
    .spawn();
  for await (const text of first.stderr.pipeThrough(new TextDecoderStream())) {
    if (text.includes("waits")) first.kill("SIGKILL");
  }
  await first.status;
  const kept = await Deno.readTextFile(out);
  equal((await linesOf(out)).length, 2);
  await Deno.writeTextFile(`${begun}.again`, "");
  const second = await inPipe([...ADSCTL, ...words], { cwd: folder.path });
  equal(second.code, 0, second.stderr);
  const lines = await linesOf(out);
  ok((await Deno.readTextFile(out)).startsWith(kept), "the first results stay as they were");
  equal(new Set(lines.map(({ task }) => task)).size, lines.length);
  // Three in the first run, of which the last was cut off, and the others in the second.
  equal((await Deno.readTextFile(begun)).trim().split("\n").length, lines.length + 1);
});
