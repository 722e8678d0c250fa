/**
 * Runs adsctl with the arguments given, with its output thrown away, and prints the processor's time and the most
 * memory that the process took, as JSON.
 *
 * @module
 */
import process from "node:process";
import { runtime } from "../../../src/interfaces/cli/shell/io/runtime_io.ts";
import { main } from "../../../src/interfaces/cli/main.ts";
import { peakMemory } from "./peak_memory.ts";

/** What a command took. */
export interface CommandFigures {
  /** Milliseconds of the processor, all threads together. */
  readonly cpuMs: number;
  /** Milliseconds from its start to its end. */
  readonly wallMs: number;
  /** Megabytes at the peak, the runtime's own included. */
  readonly peakMb: number;
}

if (import.meta.main) {
  const { args, io, exit } = await runtime();
  const written: string[] = [];
  const keep = {
    isTerminal: false,
    columns: undefined,
    write: (text: string) => Promise.resolve(void written.push(text)),
  };
  const code = await main(args, { ...io, stdout: keep, stderr: keep });
  if (code !== 0) {
    console.error(written.join(""));
    exit(code);
  }
  const { user, system } = process.cpuUsage();
  const figures: CommandFigures = {
    cpuMs: (user + system) / 1000,
    wallMs: performance.now(),
    peakMb: peakMemory() / 1e6,
  };
  console.log(JSON.stringify(figures));
}
