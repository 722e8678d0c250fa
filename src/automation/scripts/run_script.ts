import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import process from "node:process";
import type { ProfileClient } from "../../client/profile_client.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { jsonIn, jsonLine } from "../../base/text/lines.ts";
import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { answerScript } from "./answer_script.ts";
import { base64, type ScriptMessage, type ScriptStart } from "./child_program.ts";
import { startSandbox } from "./sandbox.ts";
import type { ScriptAlert, ScriptPlan, ScriptQuery } from "./script.ts";

/** Profile, store and data for a script, and its time and memory limits. */
export interface RunScriptOptions {
  /** The profile that the script runs for. */
  readonly profile: ProfileClient;
  /** Store that the script can query. @default none: the script's queries are refused */
  readonly store?: Pick<Warehouse, "query" | "coverage"> | undefined;
  /**
   * Runs the script's queries, and aborts them when the signal fires.
   *
   * @default in this process, where an endless query of an SQLite file cannot be aborted
   */
  readonly query?: ScriptQuery | undefined;
  /** Storage of its plans. */
  readonly plans: PlanStore;
  /** Name of the script in messages. @default "script" */
  readonly name?: string | undefined;
  /** Rows for `context.data`. @default none */
  readonly data?: readonly Readonly<Record<string, string>>[] | undefined;
  /** Seconds after which the script is ended. @default 300 */
  readonly seconds?: number | undefined;
  /** Maximum memory in megabytes, excluding that of the runtime itself. @default 256 */
  readonly megabytes?: number | undefined;
  /**
   * Path of the program that runs the script: Deno, or Node 24 or newer. @default this program, or the first on `PATH`
   */
  readonly program?: string | undefined;
  /** Called with each line that the script writes. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Ends the script. */
  readonly signal?: AbortSignal | undefined;
}

/** Outcome of a script, with its saved plans and alerts. */
export interface ScriptResult {
  /** True if the script finished by itself, without an error. */
  readonly ok: boolean;
  /** Reason why the script failed or was ended; absent if it finished. */
  readonly problem?: string | undefined;
  /** The saved plans of the script, in order. */
  readonly plans: readonly ScriptPlan[];
  /** Alerts for people. */
  readonly alerts: readonly ScriptAlert[];
}

const MAX_LINES = 10_000;
const MAX_LINE = 10_000;
const MAX_WAITING = 1000;
const MAX_MESSAGE = 64 * 1024 * 1024;

/**
 * Runs a script for a profile in a process without access to network, files or environment. The script reads through
 * this process; its plans are reviewed and saved, never sent. A script that takes too long, uses too much memory or
 * writes endlessly is ended.
 *
 * @param source The text of the file, TypeScript.
 * @throws {ConfigurationError} where there is neither Deno nor Node 24.
 *
 * @example
 * ```ts
 * import { PlanStore, type ProfileClient } from "@platform/ads";
 * import { runScript } from "@platform/ads/scripts";
 *
 * async function pauseAll(us: ProfileClient): Promise<void> {
 *   const source = `export default async ({ profile }) => {
 *     const campaigns = await profile.list("sp.campaigns", { states: ["ENABLED"] });
 *     const update = campaigns.map(({ campaignId }) => ({ campaignId, state: "PAUSED" }));
 *     await profile.plan({ kind: "sp.campaigns", update, note: "Pause everything" });
 *   };`;
 *   const { ok, plans } = await runScript(source, { profile: us, plans: PlanStore.open("plans") });
 *   console.log(ok, plans.map(({ id }) => id)); // saved, and open
 * }
 * ```
 */
export async function runScript(source: string, options: RunScriptOptions): Promise<ScriptResult> {
  const { profile, name = "script", seconds = 300, megabytes = 256, signal, onLog = () => {} } = options;
  signal?.throwIfAborted();
  const sandbox = startSandbox({ megabytes, seconds, program: options.program });
  const { child } = sandbox;
  const plans: ScriptPlan[] = [];
  const alerts: ScriptAlert[] = [];
  const address = `data:application/typescript;base64,${base64(source)}`;
  const readable = (text: string): string => namedStack(text, name);
  const stop = new AbortController();
  let problem: string | undefined;
  let isDone = false;
  const end = (why: string): void => {
    problem ??= why;
    stop.abort();
    sandbox.end();
  };
  const timer = setTimeout(() => end(`it took longer than ${seconds} s and was ended`), seconds * 1000);
  const onAbort = (): void => end("it was interrupted");
  signal?.addEventListener("abort", onAbort, { once: true });
  const tooMuch = `it used more than ${megabytes} MB of memory and was ended`;
  const endWatch = watchMemory(child.pid, { megabytes, onExceeded: () => end(tooMuch) });
  const closed = new Promise<number | null>((done) =>
    child.once("close", done).once("error", () => done(null))
  );
  child.stdin!.on("error", () => {});
  const tell = (message: unknown): void => void child.stdin!.write(jsonLine(message));
  tell(
    {
      source: address,
      profile: {
        profileId: profile.profileId,
        countryCode: profile.countryCode,
        currencyCode: profile.profile.currencyCode ?? marketOf(profile.countryCode)?.currency ?? "",
        timeZone: timeZoneOf(profile.profile),
      },
      data: options.data ?? [],
      today: dayIn(timeZoneOf(profile.profile), profile.transport.now()),
    } satisfies ScriptStart,
  );
  let complaint = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    if (complaint.length < MAX_LINE) complaint += text;
  });
  let written = 0;
  let waiting = 0;
  const take = (message: ScriptMessage): void => {
    if ("log" in message || "alert" in message) {
      if (++written > MAX_LINES) end(`it wrote more than ${MAX_LINES} lines and was ended`);
      else if ("log" in message) onLog(textOf(message.log));
      else alerts.push(alertOf(message.alert));
    } else if ("failed" in message || "done" in message) {
      if ("failed" in message) problem ??= readable(textOf(message.failed)).trim();
      else isDone = true;
      // It ends with its input.
      child.stdin!.end();
    } else if ("id" in message) {
      if (++waiting > MAX_WAITING) {
        return end(`it made more than ${MAX_WAITING} requests at once and was ended`);
      }
      answerScript(message, { ...options, signal: stop.signal, onPlan: (plan) => plans.push(plan) })
        .then((result) => tell({ id: message.id, result }))
        .catch((error) =>
          tell({ id: message.id, error: error instanceof Error ? error.message : String(error) })
        )
        .finally(() => waiting--);
    }
  };
  try {
    let rest = "";
    for await (const text of child.stdout!.setEncoding("utf8") as AsyncIterable<string>) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_MESSAGE) end("it sent a message of more than 64 MB and was ended");
      if (problem !== undefined && stop.signal.aborted) break;
      for (const line of lines) {
        const message = messageOf(line);
        if (message !== undefined) take(message);
      }
    }
    const code = await closed;
    if (!isDone) problem ??= whyEnded(readable(complaint), { code, tooMuch });
  } finally {
    clearTimeout(timer);
    endWatch();
    signal?.removeEventListener("abort", onAbort);
    stop.abort();
    sandbox.end();
  }
  return { ok: problem === undefined, ...(problem === undefined ? {} : { problem }), plans, alerts };
}

function namedStack(text: string, name: string): string {
  return text.split("\n").filter((line) =>
    !/data:application\/javascript;|^\s+at (?:.*\()?node:|\[eval1\]/.test(line)
  )
    .join("\n").replace(/data:application\/typescript;base64,[\w+/=.]+/g, name);
}

function messageOf(line: string): ScriptMessage | undefined {
  const message = jsonIn(line);
  return typeof message === "object" && message !== null ? message as ScriptMessage : undefined;
}

function alertOf(alert: unknown): ScriptAlert {
  const { title, text, severity } = (alert ?? {}) as Record<string, unknown>;
  return {
    title: textOf(title ?? "An alert without a title"),
    ...(text === undefined ? {} : { text: textOf(text) }),
    severity: severity === "note" || severity === "urgent" ? severity : "warning",
  };
}

function textOf(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value) ?? "").slice(0, MAX_LINE);
}

function whyEnded(
  complaint: string,
  { code, tooMuch }: { code: number | null; tooMuch: string },
): string {
  if (/out of memory|heap limit/i.test(complaint)) return tooMuch;
  return complaint.trim().split("\n").slice(0, 5).join("\n") ||
    `its process ended with ${code ?? "a signal"} before it was done`;
}

const LOOK = 200;
/** Memory of an idle runtime in megabytes, with a margin. */
const RUNTIME = 160;

/**
 * Watches the process memory, because buffers are outside the runtime's heap limit.
 *
 * @param options.megabytes Limit in addition to the runtime's own memory.
 * @returns Stops the watch.
 */
function watchMemory(
  pid: number | undefined,
  { megabytes, onExceeded }: { readonly megabytes: number; readonly onExceeded: () => void },
): () => void {
  if (pid === undefined) return () => {};
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const kilobytes = await residentKilobytes(pid).catch(() => 0);
    isLooking = false;
    if (kilobytes > 1024 * (megabytes + RUNTIME)) onExceeded();
  }, LOOK);
  return () => clearInterval(timer);
}

/** Returns the memory of a process in kilobytes; 0 if the system does not report it, as on Windows. */
async function residentKilobytes(pid: number): Promise<number> {
  if (process.platform === "win32") return 0;
  if (process.platform === "linux") {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0);
  }
  return await new Promise((done) =>
    execFile("ps", ["-o", "rss=", "-p", String(pid)], (_error, stdout) => done(Number(stdout) || 0))
  );
}
