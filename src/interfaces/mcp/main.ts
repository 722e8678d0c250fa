import { openAuditLog } from "../../automation/audit/open_audit_log.ts";
import { ConfigurationError } from "../../errors.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { redact } from "../../base/text/redact.ts";
import { type ProgramCommand, QUERY_ARGUMENT } from "../../store/model/query_question.ts";
import { thisProgram } from "../../store/warehouse/query_in_subprocess.ts";
import { besideServer, connect, type Connected } from "./connect.ts";
import { HELP, VERSION } from "./context/environment.ts";
import { McpContext } from "./context/mcp_context.ts";
import { serveOverStdio, type StdioStreams } from "./serve_stdio.ts";
import { StoreAccess } from "./context/store_access.ts";
import { type McpSettings, readSettings } from "./context/settings.ts";
import type { Served, Tenants } from "./http/tenants.ts";
import process from "node:process";

/** Environment, streams and log of the server. */
export interface McpIo extends StdioStreams {
  /** Environment variables from which the server reads its settings. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the log. Must not write to the protocol's stream. */
  readonly log: (line: string) => void;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  /** Command that starts this program again. @default queries of the store run inside this process */
  readonly program?: ProgramCommand;
}

/**
 * Runs the tool server until its client disconnects or it is stopped.
 *
 * @param args Arguments without the program's name.
 * @returns Exit code: 0, 2 when the settings cannot be used, 1 when it could not be started.
 *
 * @example
 * ```ts
 * import process from "node:process";
 * import { main } from "@platform/ads/mcp";
 *
 * async function serve(stopped: AbortSignal): Promise<void> {
 *   const { env, stdin, stdout } = process;
 *   process.exitCode = await main(["--demo"], { env, stdin, stdout, stopped, log: console.error });
 * }
 * ```
 */
export async function main(args: readonly string[], io: McpIo): Promise<number> {
  if (args[0] === QUERY_ARGUMENT) {
    const { answerQuery } = await import("../../store/warehouse/answer_query.ts");
    let question = "";
    for await (const chunk of io.stdin.setEncoding("utf8")) question += chunk;
    const reply = await answerQuery(question);
    await new Promise<void>((done) => io.stdout.write(reply, () => done()));
    return 0;
  }
  let settings: McpSettings;
  let tenants: Tenants | undefined;
  try {
    settings = await readSettings(args, io.env);
    if (settings.tenantsFile !== undefined && settings.http !== undefined) {
      const { loadTenants } = await import("./http/load_tenants.ts");
      tenants = await loadTenants(settings.tenantsFile, settings);
    }
    for (const own of [settings, ...tenants?.list.map((tenant) => tenant.settings) ?? []]) {
      if (own.policy === undefined || own.help || own.version) continue;
      const { loadPolicy } = await import("../../plans/policy/load_policy.ts");
      await loadPolicy(own.policy);
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    io.log(error.message);
    return 2;
  }
  if (settings.help || settings.version) {
    io.stdout.write(settings.help ? HELP : `${VERSION}\n`);
    return 0;
  }
  const connected: Connected[] = [];
  const audit = settings.audit === undefined ? undefined : await openAuditLog(settings.audit);
  const contextOf = (own: McpSettings, log: McpIo["log"] = io.log): McpContext => {
    const context = new McpContext({
      settings: own,
      log,
      program: io.program,
      audit,
      store: own.store === undefined ? undefined : new StoreAccess(own.store, { program: io.program }),
      beside: besideServer(own, io.env),
      connect: async (context) => {
        const connection = await connect(own, context, io);
        connected.push(connection);
        return connection.ads;
      },
    });
    context.secrets.add(URL.parse(settings.audit ?? "")?.password);
    return context;
  };
  try {
    await audit?.prepare();
    if (tenants !== undefined) {
      const contexts = new Map(tenants.list.map(({ name, settings: own }) => [
        name,
        contextOf(own, (line) => io.log(`[${name}] ${line}`)),
      ]));
      const log = (line: string): void => io.log(visibleText(redact(line)));
      await listen({ contexts, tenants, log, now: Date.now }, settings.http!, io);
      return 0;
    }
    const context = contextOf(settings);
    context.secrets.add(settings.http?.token);
    if (settings.http === undefined) await serveOverStdio(context, io, io);
    else await listen(context, settings.http, io);
    return 0;
  } catch (error) {
    io.log(`Cannot serve: ${(error as Error).message}`);
    return 1;
  } finally {
    for (const connection of connected) await connection.close();
    await audit?.close();
  }
}

async function listen(
  served: McpContext | Served,
  http: NonNullable<McpSettings["http"]>,
  io: McpIo,
): Promise<void> {
  const { serveHttp } = await import("./http/serve_http.ts");
  const server = await serveHttp(served, http);
  io.log(`Listening on ${server.url}`);
  if (!io.stopped.aborted) {
    await new Promise<void>((done) => io.stopped.addEventListener("abort", () => done()));
  }
  await server.stop();
}

export async function run(): Promise<never> {
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
      program: thisProgram(),
    }),
  );
}
