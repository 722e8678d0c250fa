import process from "node:process";
import { main } from "./main.ts";

/** Memory limit of a query; where the runtime has no such flag, its own bound holds. */
const HEAP = "--max-old-space-size=1024";

/** Runs the tool server with the arguments, streams and variables of this process, which ends with it. */
export async function run(): Promise<never> {
  // Standard output belongs to the protocol.
  console.log = console.info = console.debug = console.error;
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => stopping.signal.aborted ? process.exit(130) : stopping.abort());
  }
  process.exit(
    await main(process.argv.slice(2), {
      env: process.env,
      stdin: process.stdin,
      stdout: process.stdout,
      log: (line) => process.stderr.write(`platform-ads-mcp: ${line}\n`),
      stopped: stopping.signal,
      program: { command: process.execPath, args: argsOfThisProgram() },
    }),
  );
}

/** Arguments before this program's own: none for a compiled one, otherwise the runtime's way of running the script. */
function argsOfThisProgram(): string[] {
  const deno = (globalThis as { Deno?: { build: { standalone?: boolean } } }).Deno;
  if (deno?.build.standalone) return [];
  const script = process.argv[1]!;
  if (deno === undefined) return [...process.execArgv, HEAP, script];
  const may = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-net", "--allow-sys"];
  return ["run", "--quiet", ...may, `--v8-flags=${HEAP}`, script];
}
