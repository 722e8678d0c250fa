import { openAuditLog } from "../audit/open_audit_log.ts";
import { ConfigurationError } from "../errors.ts";
import { connect, type Connected } from "./connect.ts";
import { HELP } from "./help.ts";
import { serveHttp } from "./http/serve_http.ts";
import { McpContext } from "./mcp_context.ts";
import { serveOverStdio, type StdioStreams } from "./serve_stdio.ts";
import { type ProgramCommand, QUERY_ARGUMENT } from "./store/query_in_subprocess.ts";
import { StoreAccess } from "./store/store_access.ts";
import { type McpSettings, readSettings } from "./settings.ts";
import { VERSION } from "./version.ts";

/** The world of the server. */
export interface McpIo extends StdioStreams {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Takes a line for the person: the log. Never the protocol's stream. */
  readonly log: (line: string) => void;
  /** Aborted when the process is asked to end. */
  readonly stopped: AbortSignal;
  /** Starts this program again. @default queries of the store run inside this process */
  readonly program?: ProgramCommand;
}

/**
 * Runs the tool server until its client goes or it is asked to end.
 *
 * @param args Arguments without the program's name.
 * @returns The number to exit with: 0, 2 when the settings cannot be used, 1 when it could not be started.
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
    const { answerQuery } = await import("./store/answer_query.ts");
    await answerQuery(io.stdin, io.stdout);
    return 0;
  }
  let settings: McpSettings;
  try {
    settings = await readSettings(args, io.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    io.log(error.message);
    return 2;
  }
  if (settings.help || settings.version) {
    io.stdout.write(settings.help ? HELP : `${VERSION}\n`);
    return 0;
  }
  let connected: Connected | undefined;
  const audit = settings.audit === undefined ? undefined : await openAuditLog(settings.audit);
  const context = new McpContext({
    settings,
    log: io.log,
    program: io.program,
    audit,
    store: settings.store === undefined
      ? undefined
      : new StoreAccess(settings.store, { program: io.program }),
    connect: async (context) => (connected = await connect(settings, context, io)).ads,
  });
  context.secrets.add(settings.http?.token);
  context.secrets.add(URL.parse(settings.audit ?? "")?.password);
  try {
    await audit?.prepare();
    if (settings.http === undefined) await serveOverStdio(context, io, io);
    else await listen(context, settings.http, io);
    return 0;
  } catch (error) {
    io.log(`Cannot serve: ${(error as Error).message}`);
    return 1;
  } finally {
    await connected?.close();
    await audit?.close();
  }
}

async function listen(
  context: McpContext,
  http: NonNullable<McpSettings["http"]>,
  io: McpIo,
): Promise<void> {
  const server = await serveHttp(context, http);
  io.log(`Listening on ${server.url}`);
  if (!io.stopped.aborted) {
    await new Promise<void>((done) => io.stopped.addEventListener("abort", () => done()));
  }
  await server.stop();
}
