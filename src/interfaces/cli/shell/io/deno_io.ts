import { ENVIRONMENT } from "./environment.ts";
import { BrokenPipeError, type CliIo, type TextSink, type TextSource } from "./cli_io.ts";
import { takeLine } from "./take_line.ts";

export function denoIo(): CliIo {
  return {
    stdout: sink(Deno.stdout),
    stderr: sink(Deno.stderr),
    stdin: source(),
    env: environment(),
    now: Date.now,
    onInterrupt,
  };
}

function sink(stream: typeof Deno.stdout | typeof Deno.stderr): TextSink {
  const encoder = new TextEncoder();
  return {
    isTerminal: stream.isTerminal(),
    get columns() {
      try {
        return stream.isTerminal() ? Deno.consoleSize().columns || undefined : undefined;
      } catch {
        return undefined;
      }
    },
    write: (text) => {
      let bytes = encoder.encode(text);
      try {
        while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(error instanceof Deno.errors.BrokenPipe ? new BrokenPipeError() : error);
      }
    },
  };
}

function source(): TextSource {
  return {
    isTerminal: Deno.stdin.isTerminal(),
    text: () => new Response(Deno.stdin.readable).text(),
    pieces: () => Deno.stdin.readable.pipeThrough(new TextDecoderStream()),
    line: ({ echo, signal }) => {
      const hide = !echo && Deno.stdin.isTerminal();
      if (hide) Deno.stdin.setRaw(true);
      return takeLine(async () => {
        const buffer = new Uint8Array(1024);
        const length = await Deno.stdin.read(buffer);
        return length === null ? undefined : buffer.subarray(0, length);
      }, signal).finally(() => {
        if (hide) Deno.stdin.setRaw(false);
      });
    },
  };
}

/** Variables that a compiled program may not read count as unset. */
function environment(): Record<string, string | undefined> {
  return Object.fromEntries(ENVIRONMENT.map(({ name }) => [name, variable(name)]));
}

function variable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}

function onInterrupt(handler: () => void): () => void {
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, handler);
  return () => {
    for (const signal of signals) Deno.removeSignalListener(signal, handler);
  };
}
