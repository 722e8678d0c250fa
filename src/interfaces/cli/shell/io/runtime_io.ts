import type { CliIo } from "./cli_io.ts";
import type { NodeProcess } from "./node_io.ts";

interface Runtime {
  readonly args: readonly string[];
  readonly io: CliIo;
  exit(code: number): void;
}

export async function runtime(): Promise<Runtime> {
  if ("Deno" in globalThis) {
    const { denoIo } = await import("./deno_io.ts");
    return { args: Deno.args, io: { ...denoIo(), every, isProgram: true }, exit: (code) => Deno.exit(code) };
  }
  const { nodeIo } = await import("./node_io.ts");
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
