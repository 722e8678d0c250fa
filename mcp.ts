#!/usr/bin/env -S deno run -A
/**
 * `platform-ads-mcp`, the tool server for agents.
 *
 * @module
 */
import process from "node:process";
import { main, type McpIo } from "./src/mcp/mod.ts";

export { main, type McpIo };
export type { ProgramCommand, StdioStreams } from "./src/mcp/mod.ts";

/** What a query may use of the machine's memory; where there is no way to say so, the runtime's own bound holds. */
const HEAP = "--max-old-space-size=1024";

if (import.meta.main) {
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

/** What stands before this program's own arguments: nothing for a compiled one, else how its runtime runs the script. */
function argsOfThisProgram(): string[] {
  const deno = (globalThis as { Deno?: { build: { standalone?: boolean } } }).Deno;
  if (deno?.build.standalone) return [];
  const script = process.argv[1]!;
  if (deno === undefined) return [...process.execArgv, HEAP, script];
  const may = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env"];
  return ["run", "--quiet", ...may, `--v8-flags=${HEAP}`, script];
}
