/**
 * Every test, and every example in the docs, told shortly: `deno task test [PATH...] [--filter TEXT] [--all]`.
 *
 * Types are not checked here: `deno task check` does that, and `deno task ok` does both.
 * Prints nothing for what passes, a line for each test that fails as it fails, and at the end the errors, what was
 * skipped and why, and the counts. On a terminal a counter runs below. `--all` prints every line of `deno test`.
 */
import { parseArgs } from "node:util";
import type { TestServer } from "../tests/support/postgres.ts";
import { linesIn } from "../src/base/text/lines_in.ts";
import { writeEntries } from "./run_tests/entries.ts";
import { TestOutput } from "./run_tests/test_output.ts";

const GIVEN_SERVER = "PLATFORM_ADS_TEST_POSTGRES";

const { values, positionals } = parseArgs({
  options: { filter: { type: "string" }, all: { type: "boolean" } },
  allowPositionals: true,
});

// Tests that wait for another process leave a processor idle, so there are more jobs than processors.
const jobs = navigator.hardwareConcurrency + 2;
const entries = await writeEntries(positionals.length === 0 ? ["."] : positionals);
if (entries.args.length === 0) {
  await entries.remove();
  console.error(`No test files in ${positionals.join(", ")}`);
  Deno.exit(1);
}
const server = positionals.length === 0 ? await sharedPostgres() : undefined;
const command = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "--no-check",
    "--parallel",
    ...(entries.holdsDocs ? ["--doc"] : []),
    ...(values.filter === undefined ? [] : ["--filter", values.filter]),
    ...entries.args,
  ],
  env: {
    NO_COLOR: "1",
    DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(jobs),
    ...(server === undefined ? {} : { [GIVEN_SERVER]: server.url }),
  },
  stdin: "null",
  stdout: values.all ? "inherit" : "piped",
  stderr: values.all ? "inherit" : "piped",
});
const run = command.spawn();
if (!values.all) {
  const output = new TestOutput({
    print: (line) => console.log(line),
    ...(Deno.stderr.isTerminal() ? { counter: writeCounter } : {}),
  });
  await Promise.all([
    eachLine(run.stdout, (line) => output.line(entries.named(line))),
    eachLine(run.stderr, (line) => output.diagnostic(line)),
  ]);
  output.end();
}
const { code } = await run.status;
await server?.stop();
await entries.remove();
Deno.exit(code);

/** One server for all files, which would start one each; `undefined` where one is given or there is no PostgreSQL. */
async function sharedPostgres(): Promise<TestServer | undefined> {
  if (Deno.env.has(GIVEN_SERVER)) return undefined;
  const { postgresPrograms, startCluster } = await import("../tests/support/postgres.ts");
  return postgresPrograms() === undefined ? undefined : await startCluster();
}

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  for await (const line of linesIn(stream)) take(line);
}

function writeCounter(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}
