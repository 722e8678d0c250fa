import type { CliIo } from "./cli_io.ts";
import { denoIo } from "./deno_io.ts";
import { nodeIo, type NodeProcess } from "./node_io.ts";

/** Requirements on the runtime. */
interface Runtime {
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Its world. */
  readonly io: CliIo;
  /** Ends the process. */
  exit(code: number): void;
}

/** The runtime that runs this program: Deno, else Node or one that does as Node does. */
export function runtime(): Runtime {
  if ("Deno" in globalThis) {
    return { args: Deno.args, io: { ...denoIo(), every, isProgram: true }, exit: (code) => Deno.exit(code) };
  }
  const { process } = globalThis as unknown as { process: NodeProcess };
  return {
    args: process.argv.slice(2),
    io: { ...nodeIo(process), every, isProgram: true },
    exit: (code) => process.exit(code),
  };
}

function every(milliseconds: number, handler: () => void): () => void {
  const timer = setInterval(handler, milliseconds);
  return () => clearInterval(timer);
}
