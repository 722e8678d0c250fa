/** A message between a script's process and the one that runs it, a JSON line each. */
export type ScriptMessage =
  | { readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly log: string }
  | { readonly alert: unknown }
  | { readonly done: true }
  | { readonly failed: string };

/** First message to the script's process. */
export interface ScriptStart {
  /** Source of the script. */
  readonly source: string;
  readonly profile: Readonly<Record<"profileId" | "countryCode" | "currencyCode" | "timeZone", string>>;
  readonly data: readonly Readonly<Record<string, string>>[];
  readonly today: string;
}

/** The program of the script's process, as the address of a module. */
export function childProgram(): string {
  return `data:application/javascript;base64,${base64(`await (${childMain})();`)}`;
}

/** Source of a script as the address of a module. */
export function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Runs in the other process: nothing outside of this function is there. */
async function childMain(): Promise<void> {
  const { default: process } = await import("node:process");
  const waiting = new Map<number, { done: (value: unknown) => void; fail: (error: Error) => void }>();
  const send = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
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

  const lines = (async function* () {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const part of process.stdin) {
      const pieces = (rest + decoder.decode(part as Uint8Array, { stream: true })).split("\n");
      rest = pieces.pop() ?? "";
      yield* pieces;
    }
  })();
  const { value: first = "" } = await lines.next();
  const { source, profile, data, today } = JSON.parse(first);
  (async () => {
    for await (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) call?.done(result);
      else call?.fail(new Error(error));
    }
  })();
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
  try {
    const module = await import(source);
    if (typeof module.default !== "function") {
      throw new Error("The script has no default export that is a function");
    }
    await module.default(context);
    send({ done: true });
  } catch (error) {
    send({ failed: error instanceof Error ? String(error.stack) : words([error]) });
  }
  // What was written is to arrive before the end.
  process.stdout.write("", () => process.exit(0));
}
