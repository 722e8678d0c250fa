/**
 * Every test, and every example in the docs, told shortly: `deno task test [PATH...] [--filter TEXT] [--all]`.
 *
 * Prints nothing for what passes, a line for each test that fails as it fails, and at the end the errors, what was
 * skipped and why, and the counts. On a terminal a counter runs below. `--all` prints every line of `deno test`.
 */
import { parseArgs } from "node:util";
import { TestOutput } from "./run_tests/test_output.ts";

const { values, positionals } = parseArgs({
  options: { filter: { type: "string" }, all: { type: "boolean" } },
  allowPositionals: true,
});

// Tests that wait for another process leave a processor idle, so there are more jobs than processors.
const jobs = navigator.hardwareConcurrency + 2;
const command = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    "-A",
    "--doc",
    "--parallel",
    ...(values.filter === undefined ? [] : ["--filter", values.filter]),
    ...positionals,
  ],
  env: { NO_COLOR: "1", DENO_JOBS: Deno.env.get("DENO_JOBS") ?? String(jobs) },
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
    eachLine(run.stdout, (line) => output.line(line)),
    eachLine(run.stderr, (line) => output.diagnostic(line)),
  ]);
  output.end();
}
Deno.exit((await run.status).code);

async function eachLine(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const text = decoder.decode(bytes, { stream: true });
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
  if (rest !== "") take(rest);
}

function writeCounter(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}
