export type ScriptMessage =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly log: string }
  | { readonly alert: unknown }
  | { readonly done: true }
  | { readonly failed: string };

export interface ScriptStart {
  readonly source: string;
  readonly profile: Readonly<Record<"profileId" | "countryCode" | "currencyCode" | "timeZone", string>>;
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly today: string;
}

export function denoProgram(): string {
  return `data:application/javascript;base64,${base64(`await (${denoMain})(${bridge});`)}`;
}

export function nodeProgram(): string {
  return `await (${nodeMain})(${JSON.stringify(`"use strict"; (${realmMain})(${bridge})`)});`;
}

export function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

interface Bridge {
  readonly receive: (line: string) => void;
  readonly run: (script: unknown) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/**
 * Connects the script to this process. Runs in the script's process, so it cannot reference anything outside this
 * function.
 */
function bridge(write: (line: string) => void, { profile, data, today }: ScriptStart): Bridge {
  const waiting = new Map<number, { done: (value: unknown) => void; fail: (error: Error) => void }>();
  const send = (message: unknown): void => write(JSON.stringify(message));
  let next = 0;
  const ask = (method: string, params: unknown): Promise<unknown> =>
    new Promise((done, fail) => {
      const id = next++;
      waiting.set(id, { done, fail });
      send({ id, method, params });
    });
  const words = (values: readonly unknown[]): string =>
    values.map((value) =>
      typeof value === "string" ? value : value instanceof Error ? String(value.stack) : JSON.stringify(value)
    ).join(" ");
  const log = (...values: readonly unknown[]): void => send({ log: words(values) });
  for (const name of ["log", "info", "warn", "error", "debug"] as const) console[name] = log;
  const context = {
    profile: {
      ...profile,
      list: (kind: unknown, options: unknown) => ask("list", { kind, options }),
      figures: (options: unknown) => ask("figures", options),
      plan: (changes: unknown) => ask("plan", changes),
    },
    store: { query: (sql: unknown, params: unknown) => ask("query", { sql, params }) },
    data,
    today,
    log,
    alert: (alert: unknown) => send({ alert }),
  };
  const fail = (error: unknown): void =>
    send({ failed: error instanceof Error ? String(error.stack) : words([error]) });
  return {
    fail,
    receive(line) {
      const { id, result, error } = JSON.parse(line);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.done(result);
      else call?.fail(new Error(error));
    },
    async run(script) {
      try {
        if (typeof script !== "function") {
          throw new Error("The script has no default export that is a function");
        }
        await script(context);
        send({ done: true });
      } catch (error) {
        fail(error);
      }
    },
  };
}

interface DenoStreams {
  readonly stdin: { readonly readable: ReadableStream<Uint8Array> };
  readonly stdout: { writeSync(bytes: Uint8Array): number };
  exit(code: number): never;
}

/** Runs the script in a Deno process without permissions. */
async function denoMain(makeBridge: typeof bridge): Promise<void> {
  const { Deno: { stdin, stdout, exit } } = globalThis as unknown as { Deno: DenoStreams };
  // Workers, and the modules of Node that the global process hands out.
  for (const name of ["Worker", "process"]) Reflect.deleteProperty(globalThis, name);
  const lines = (async function* () {
    let rest = "";
    for await (const part of stdin.readable.pipeThrough(new TextDecoderStream() as never)) {
      const pieces = (rest + part).split("\n");
      rest = pieces.pop() ?? "";
      yield* pieces;
    }
  })();
  const write = (line: string): void => {
    const bytes = new TextEncoder().encode(`${line}\n`);
    for (let at = 0; at < bytes.length;) at += stdout.writeSync(bytes.subarray(at));
  };
  const { value: first = "" } = await lines.next();
  const start: ScriptStart = JSON.parse(first);
  const { receive, run, fail } = makeBridge(write, start);
  (async () => {
    for await (const line of lines) receive(line);
    // The program that ran it has its end, or is gone.
    exit(0);
  })();
  try {
    const { default: script } = await import(start.source);
    await run(script);
  } catch (error) {
    fail(error);
  }
  exit(0);
}

/**
 * Runs the script in Node. Node's permissions do not block the network, so the script runs in a realm without Node
 * APIs or objects from this realm.
 */
async function nodeMain(realmSource: string): Promise<void> {
  const [{ Buffer }, fs, { stripTypeScriptTypes }, { default: process }, vm] = await Promise.all([
    import("node:buffer"),
    import("node:fs"),
    import("node:module"),
    import("node:process"),
    import("node:vm"),
  ]);
  const write = (line: string): void => {
    if (typeof line !== "string") return;
    const bytes = new TextEncoder().encode(`${line}\n`);
    for (let at = 0; at < bytes.length;) {
      try {
        at += fs.writeSync(1, bytes, at);
      } catch (error) {
        if (!isBusy(error)) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  };
  /** True if a non-blocking pipe has no data or no room. */
  const isBusy = (error: unknown): boolean => (error as { code?: string } | null)?.code === "EAGAIN";
  const buffer = new Uint8Array(65_536);
  const decoder = new TextDecoder();
  let rest = "";
  const read = (take: (line: string) => void): void =>
    fs.read(0, buffer, 0, buffer.length, null, (error, count) => {
      if (isBusy(error)) return void setTimeout(read, 5, take);
      if (error !== null || count === 0) return process.exit(0);
      const pieces = (rest + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
      rest = pieces.pop() ?? "";
      for (const line of pieces) take(line);
      read(take);
    });
  // An error of a script is an object of the script: Node would print it, and hand it functions of its own.
  let bridge: Bridge | undefined;
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => bridge?.fail(error));
  }
  const begin = async (first: string): Promise<void> => {
    const realm = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
      codeGeneration: { strings: false, wasm: false },
    });
    const makeBridge = vm.runInContext(realmSource, realm, { filename: "data:application/javascript;realm" });
    bridge = makeBridge(write, first) as Bridge;
    const { source }: ScriptStart = JSON.parse(first);
    try {
      const text = Buffer.from(source.slice(source.indexOf(",") + 1), "base64").toString();
      const code = stripTypeScriptTypes(text);
      // A comment may stand before the bracket; keywords have no escapes, and code from strings is off.
      const [loading] = /\bimport\s*[(./]/.exec(code) ?? [];
      if (loading !== undefined) {
        throw new Error(
          `A script cannot import: remove "${loading}", also from texts and comments`,
        );
      }
      const module = new vm.SourceTextModule(code, { context: realm, identifier: source });
      await module.link((specifier: string) => {
        throw new Error(`A script can import only types, and this one imports "${specifier}"`);
      });
      await module.evaluate();
      void bridge.run((module.namespace as { default?: unknown }).default);
    } catch (error) {
      // Only errors of this realm: those of the script are its own.
      const stack = error instanceof Error ? String(error.stack) : undefined;
      bridge.fail(stack === undefined ? error : stack.startsWith(":") ? `${source}${stack}` : stack);
    }
  };
  let isFirst = true;
  read((line) => {
    if (!isFirst) return bridge?.receive(line);
    isFirst = false;
    void begin(line);
  });
}

function realmMain(makeBridge: typeof bridge): (write: (line: string) => void, first: string) => Bridge {
  delete (globalThis as { WebAssembly?: unknown }).WebAssembly;
  // The module's promise is awaited outside: a "then" of the script would get functions from there.
  Object.freeze(Promise);
  Object.freeze(Promise.prototype);
  return (write, first) =>
    makeBridge((line) => {
      try {
        write(line);
      } catch {
        throw new Error("Nothing can be written");
      }
    }, JSON.parse(first));
}
