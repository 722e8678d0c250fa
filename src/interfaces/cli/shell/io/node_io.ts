import { BrokenPipeError, type CliIo, type TextSink, type TextSource } from "./cli_io.ts";
import { takeLine } from "./take_line.ts";

interface NodeWritable {
  isTTY?: boolean;
  columns?: number;
  write(text: string, done: (error?: Error | null) => void): boolean;
  on(event: "error", handler: (error: Error) => void): void;
}

interface NodeReadable extends AsyncIterable<Uint8Array> {
  isTTY?: boolean;
  setRawMode?(raw: boolean): void;
  pause(): void;
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

export interface NodeProcess {
  stdout: NodeWritable;
  stderr: NodeWritable;
  stdin: NodeReadable;
  env: Record<string, string | undefined>;
  argv: string[];
  exit(code: number): never;
  on(signal: string, handler: () => void): void;
  off(signal: string, handler: () => void): void;
}

export function nodeIo(process: NodeProcess): CliIo {
  return {
    stdout: sink(process.stdout),
    stderr: sink(process.stderr),
    stdin: source(process.stdin),
    env: process.env,
    now: Date.now,
    onInterrupt: (handler) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, handler);
      return () => {
        for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, handler);
      };
    },
  };
}

function sink(stream: NodeWritable): TextSink {
  // Without a listener a write into a closed pipe would end the process; `write` reports it by its callback.
  stream.on("error", () => {});
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns || undefined : undefined;
    },
    write: (text) =>
      new Promise((done, fail) => {
        stream.write(text, (error) => {
          if (!error) done();
          else fail((error as { code?: string }).code === "EPIPE" ? new BrokenPipeError() : error);
        });
      }),
  };
}

function source(stream: NodeReadable): TextSource {
  return {
    isTerminal: stream.isTTY === true,
    text: async () => {
      let text = "";
      for await (const piece of pieces(stream)) text += piece;
      return text;
    },
    pieces: () => pieces(stream),
    line: ({ echo, signal }) => {
      const hide = !echo && stream.isTTY === true;
      if (hide) stream.setRawMode?.(true);
      const chunks = stream[Symbol.asyncIterator]();
      return takeLine(async () => (await chunks.next()).value, signal).finally(() => {
        if (hide) stream.setRawMode?.(false);
        stream.pause();
      });
    },
  };
}

async function* pieces(stream: NodeReadable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
