import type { ReportingApi } from "../../../client/reports/requests/report_configuration.ts";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { checkArgumentLimits, TooManyCallsError } from "../calls/call_limits.ts";
import { limitedAnswer, measuredCall } from "../calls/call_metrics.ts";
import { recordedCall, recordedChallenge, recordRefusal } from "./recorded_call.ts";
import { callerOf, type Identity } from "../access/identity.ts";
import { ensureMayUse, type ScopedTool, toolChallenge } from "../access/tool_scopes.ts";
import type { Effect } from "../../../operations/model/operation.ts";
import type { Toolset } from "../context/toolsets.ts";
import type { McpContext } from "../context/mcp_context.ts";
import { failureText } from "../results/failure_text.ts";
import { cleanData, cleanText } from "../results/clean.ts";
import { type RowsPlace, withTable } from "../results/text_table.ts";
import {
  jsonSchemaOf,
  leanSchema,
  type ToolDefinition,
  toolDefinition,
  uncheckedSchema,
} from "./tool_definition.ts";
import type { TransportEvent } from "../../../platform/transport/transport_options.ts";
import {
  answerInTime,
  answerSeconds,
  type CallAnswer,
  callKey,
  type CallProgress,
  callProgress,
  type CallWork,
  startHeartbeat,
  stillWorking,
  waitMessage,
} from "../calls/pending_calls.ts";
import { knowsTasks, taskAnswer } from "../calls/tasks.ts";
import { argumentProblems, callText } from "../calls/argument_problems.ts";
import { tolerantArguments } from "../calls/tolerant_arguments.ts";

/** Services of a running tool. */
export interface ToolCall {
  /** State shared by the process. */
  readonly context: McpContext;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The server that answers, which knows the client. */
  readonly server: McpServer;
  /** The protocol's side of the call. */
  readonly mcp: ServerContext;
  /** Caller of the tool. */
  readonly identity: Identity;
  /** Tells the client how far the work is, where it asked for that. Never fails. */
  readonly progress: CallProgress;
  /** Seconds after which the client is answered, whether or not the work is done. */
  readonly seconds: number;
}

/** A result of a tool: data for programs, text for models. */
export interface ToolAnswer<Data> {
  /** The answer as data, of the shape that the tool promises. */
  readonly data: Data;
  /** Short text that a model should read first. */
  readonly text: string;
  /** The rows of the data as a table. A client that shows models the data as well gets a few of them in the text. */
  readonly table?: string;
  /** True when nothing of what was asked for was done. @default false */
  readonly failed?: boolean;
}

/** Name, schemas, hints and work of a tool. */
interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** As clients call it. */
  readonly name: string;
  /** Title for people. */
  readonly title: string;
  /** Description for agents. */
  readonly description: string;
  /** Shape of the arguments. */
  readonly input: Input;
  /** Arguments that are taken without being listed, because every agent pays for each listed one. @default none */
  readonly rare?: readonly string[];
  /** Shape of the answer's data. */
  readonly output: Output;
  /** It reads, writes files or stores of the server, or changes the account: its scope and hints follow. */
  readonly effect: Effect;
  /** True for a tool that reaches nothing beyond this machine. @default false */
  readonly isLocal?: true;
  /** Sets that it belongs to. @default it is in every server */
  readonly sets?: readonly Toolset[];
  /** True for a tool that is listed by default; the others are found by search_tools. @default false */
  readonly isListed?: true;
  /**
   * Seconds in which it must be answered where the client does not say how long it waits; `Infinity` for work that is
   * awaited to its end. What takes longer goes on, and the same call made again gets the result. @default 50
   */
  readonly maxSeconds?: number | ((args: z.output<Input>) => number);
  run(
    args: z.output<Input>,
    call: ToolCall,
  ): Promise<ToolAnswer<z.input<Output>> | InputRequiredResult>;
}

/** Caller of a tool, with the context of the call. */
export type CallParts = Pick<ToolCall, "context" | "server" | "mcp" | "identity">;

/** A tool that can be put into a server. */
export interface Tool extends ScopedTool {
  /** Sets that it belongs to; `undefined` for a tool of every server. */
  readonly sets?: readonly Toolset[] | undefined;
  /** True for a tool that is listed by default. */
  readonly isListed: boolean;
  /** Description for agents. */
  readonly description: string;
  /** A call of it, with gaps for the arguments. */
  callText(): string;
  /** JSON schema of its arguments. */
  inputSchema(): Readonly<Record<string, unknown>>;
  definition(): ToolDefinition;
  /** Calls it with unchecked arguments. */
  call(args: unknown, parts: CallParts): Promise<CallAnswer>;
  /** Puts it into a server, which serves `identity` where a request does not say who makes it. */
  register(server: McpServer, context: McpContext, identity: Identity): void;
}

/** Seconds after which the work of a client that knows tasks becomes one. */
const TASK_AFTER = 5;
/** Seconds that the work of a task may wait for the platform. */
const TASK_SECONDS = 30 * 60;

/** The first revision of the protocol in which answers have data. */
const FIRST_WITH_DATA = "2025-06-18";

/** Makes a tool: its failures become answers that say what to do next, and no answer holds a secret. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, input, output, effect, sets, isListed = false, maxSeconds } = spec;
  const writes = effect !== "read";
  const config = {
    title,
    description,
    inputSchema: leanSchema(input, spec.rare),
    outputSchema: leanSchema(output),
    annotations: hintsOf(spec),
  };
  return {
    name,
    effect,
    sets,
    isListed,
    description,
    callText: () => callText(name, {}, input),
    inputSchema: () => jsonSchemaOf(config.inputSchema, "input"),
    definition: () => toolDefinition(name, config),
    call: handle,
    register: (server, context, identity) => {
      const handler = (args: unknown, mcp: ServerContext): Promise<CallAnswer> =>
        handle(args, { context, server, mcp, identity: callerOf(mcp, identity) });
      server.registerTool(name, {
        ...config,
        inputSchema: uncheckedSchema(config.inputSchema),
        scopeChallenge: recordedChallenge(toolChallenge({ name, effect }), name, context),
      }, handler as never);
    },
  };

  function handle(args: unknown, parts: CallParts): Promise<CallAnswer> {
    return measuredCall(() => answered(args, parts), name, parts.context.metrics);
  }

  async function answered(args: unknown, parts: CallParts): Promise<CallAnswer> {
    const { context, mcp } = parts;
    const report = callProgress(mcp);
    let given: z.output<Input>;
    try {
      admitCall(args, parts, { name, effect });
      given = checkedArguments(args, input, name);
    } catch (error) {
      return await refusedCall(error, { name, args }, parts);
    }
    const { signal } = mcp.mcpReq;
    const isTask = knowsTasks(mcp) && !(maxSeconds === Infinity && canAsk(parts));
    if (maxSeconds === Infinity && !isTask) {
      return await start(given, { ...parts, seconds: Infinity }, { report, signal })
        .answer;
    }
    const wanted = typeof maxSeconds === "function" ? maxSeconds(given) : maxSeconds;
    const seconds = isTask ? Math.min(TASK_AFTER, answerSeconds(mcp)) : answerSeconds(mcp, wanted);
    const key = callKey(name, given);
    const pending = context.pendingCalls;
    const work = pending.take(key) ??
      start(given, { ...parts, seconds: isTask ? TASK_SECONDS : seconds }, { report });
    work.report = report;
    const late = (): CallAnswer => {
      const task = isTask ? context.tasks.add(work, parts.identity.key) : undefined;
      if (task !== undefined) return taskAnswer(task);
      pending.add(key, work);
      return stillWorking(seconds);
    };
    return await answerInTime(work, { seconds, late, signal });
  }

  /** Begins the work of a call. */
  function start(
    args: z.output<Input>,
    parts: Omit<ToolCall, "signal" | "progress">,
    { report, signal }: { report: CallProgress; signal?: AbortSignal },
  ): CallWork {
    const { context } = parts;
    const stopping = new AbortController();
    const progress: CallProgress = (...how) => work.report(...how);
    const signals = [stopping.signal, ...(signal === undefined ? [] : [signal])];
    const call: ToolCall = { ...parts, progress, signal: AbortSignal.any(signals) };
    const run = async (): Promise<CallAnswer> => {
      const onEvent = (event: TransportEvent): void => {
        const message = waitMessage(event);
        if (message !== undefined) void progress(0, message);
      };
      context.listeners.add(onEvent);
      const heartbeat = startHeartbeat(progress);
      try {
        const answer = await spec.run(args, call);
        if (isInputRequiredResult(answer)) return answer;
        const { data, text, table, failed } = answer as ToolAnswer<Record<string, unknown>>;
        return context.secrets.removeFrom<CallToolResult>({
          content: [{ type: "text", text: cleanText(withTable(text, table, rowsPlace(parts))) }],
          structuredContent: cleanData(data),
          ...(failed ? { isError: true } : {}),
        });
      } catch (error) {
        return failureAnswer(error, name, parts);
      } finally {
        context.listeners.delete(onEvent);
        clearInterval(heartbeat);
      }
    };
    const recorded = { tool: name, writes, args };
    const answer = Promise.resolve()
      .then(() => recordedCall(run, recorded, parts))
      .catch((error) => failureAnswer(error, name, parts));
    const work: CallWork = { report, stop: () => stopping.abort(), answer };
    return work;
  }
}

/**
 * Counts a call, and refuses it to callers without the scope, calls that come too soon, and arguments that are too
 * large.
 *
 * @throws {PlatformAdsError | RangeError} that says why.
 */
export function admitCall(
  args: unknown,
  { identity, context }: Pick<CallParts, "identity" | "context">,
  tool: ScopedTool,
): void {
  ensureMayUse(identity, tool);
  context.limits.count(identity, tool.name, tool.effect !== "read");
  checkArgumentLimits(args);
}

/**
 * Arguments of the shape that a tool takes.
 *
 * @throws {TypeError} that names every one that is wrong.
 */
export function checkedArguments<Input extends z.ZodObject>(
  args: unknown,
  input: Input,
  name: string,
): z.output<Input> {
  const tolerated = tolerantArguments(args, input);
  const given = input.safeParse(tolerated);
  if (given.success) return given.data;
  throw new TypeError(argumentProblems(given.error, { name, args: tolerated, input }));
}

/** The answer to a call that is not carried out, after a record of it. */
export async function refusedCall(
  error: unknown,
  { name, args }: { readonly name: string; readonly args: unknown },
  parts: CallParts,
): Promise<CallToolResult> {
  await recordRefusal(error, { tool: name, args }, parts);
  const answer = failureAnswer(error, name, parts);
  return error instanceof TooManyCallsError ? limitedAnswer(answer, error) : answer;
}

function failureAnswer(
  error: unknown,
  name: string,
  { context, mcp }: Pick<ToolCall, "context" | "mcp">,
): CallToolResult {
  const text = context.secrets.removeFromText(cleanText(failureText(error)));
  // The client that made the call may be gone.
  mcp.mcpReq.log("warning", text, name).catch(() => {});
  context.log(`${name} failed: ${text.split("\n")[0]}`);
  return { content: [{ type: "text", text }], isError: true };
}

/** Clients of revisions that have no data of answers get the rows in the text. */
function rowsPlace({ server, context }: CallParts): RowsPlace {
  const revision = server.server.getNegotiatedProtocolVersion();
  return revision !== undefined && revision < FIRST_WITH_DATA ? "both" : context.settings.rows;
}

/** Hints about the effects of a tool, without those that a client assumes anyway. */
function hintsOf({ effect, isLocal }: Pick<ToolSpec<never, never>, "effect" | "isLocal">): ToolAnnotations {
  return {
    readOnlyHint: effect === "read",
    ...(effect === "read" ? {} : { destructiveHint: effect === "send" }),
    ...(isLocal ? { openWorldHint: false } : {}),
  };
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** The client of a call. */
interface AskedClient {
  readonly mcp: Pick<ServerContext, "mcpReq">;
  readonly server: Pick<McpServer, "server">;
}

/** True when the client can put a form before a person. */
export function canAsk(call: AskedClient): boolean {
  const envelope = call.mcp.mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CAPABILITIES] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? call.server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** The argument that says which profile is meant: a country code or profile id, as list_profiles explains. */
export const MARKET: z.ZodString = z.string();

/** The argument that says which reporting API answers a preset; 3 where it is left out. */
export const REPORTING: z.ZodOptional<z.ZodLiteral<ReportingApi>> = z.literal<ReportingApi[]>([3, 1])
  .optional()
  .describe("1: 15 months back");
