import process from "node:process";
import type { ProgramCommand } from "../model/query_question.ts";

/** Memory limit of a query, where the runtime has such a flag. */
const HEAP = "--max-old-space-size=1024";

export function thisProgram(): ProgramCommand {
  return { command: process.execPath, args: ownArguments() };
}

function ownArguments(): string[] {
  const deno = (globalThis as { Deno?: { build: { standalone?: boolean } } }).Deno;
  if (deno?.build.standalone) return [];
  const script = process.argv[1]!;
  if (deno === undefined) return [...process.execArgv, HEAP, script];
  const may = ["--no-prompt", "--allow-read", "--allow-write", "--allow-env", "--allow-net", "--allow-sys"];
  return ["run", "--quiet", ...may, `--v8-flags=${HEAP}`, script];
}
