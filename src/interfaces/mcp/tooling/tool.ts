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
import { failureText } from "../calls/failure_text.ts";
import { cleanData, cleanText } from "../calls/clean.ts";
import { type RowsPlace, withTable } from "../calls/text_table.ts";
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

export interface ToolCall {
  readonly context: McpContext;
  readonly signal: AbortSignal;
  readonly server: McpServer;
  readonly mcp: ServerContext;
  readonly identity: Identity;
  readonly progress: CallProgress;
  readonly seconds: number;
}

export interface ToolAnswer<Data> {
  readonly data: Data;
  readonly text: string;
  /** Rows as a table. Clients that also show the data to the model get only some of them in the text. */
  readonly table?: string;
  /**
   * True if nothing that was requested was done.
   *
   * @default false
   */
  readonly failed?: boolean;
}

interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /**
   * Accepted but unlisted arguments, because every listed one costs every agent tokens.
   *
   * @default none
   */
  readonly rare?: readonly string[];
  readonly output: Output;
  /** Determines the required scope and the hints. */
  readonly effect: Effect;
  readonly isLocal?: true;
  readonly sets?: readonly Toolset[];
  readonly isListed?: true;
  /**
   * Deadline for clients that state no timeout; `Infinity` waits for the end. Longer work continues, and repeating the
   * call returns its result.
   *
   * @default 50
   */
  readonly maxSeconds?: number | ((args: z.output<Input>) => number);
  run(
    args: z.output<Input>,
    call: ToolCall,
  ): Promise<ToolAnswer<z.input<Output>> | InputRequiredResult>;
}

export type CallParts = Pick<ToolCall, "context" | "server" | "mcp" | "identity">;

export interface Tool extends ScopedTool {
  readonly sets?: readonly Toolset[] | undefined;
  readonly isListed: boolean;
  readonly description: string;
  callText(): string;
  inputSchema(): Readonly<Record<string, unknown>>;
  definition(): ToolDefinition;
  call(args: unknown, parts: CallParts): Promise<CallAnswer>;
  register(server: McpServer, context: McpContext, identity: Identity): void;
}

const TASK_AFTER = 5;
const TASK_SECONDS = 30 * 60;

const FIRST_WITH_DATA = "2025-06-18";

/** Turns failures into results with a next step, and removes secrets from every result. */
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
 * Checks the scope, the rate limit and the size of the arguments.
 *
 * @throws {PlatformAdsError | RangeError} with the reason.
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

/** @throws {TypeError} naming every invalid argument. */
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

/** Clients of older revisions, which have no structured data, get the rows in the text. */
function rowsPlace({ server, context }: CallParts): RowsPlace {
  const revision = server.server.getNegotiatedProtocolVersion();
  return revision !== undefined && revision < FIRST_WITH_DATA ? "both" : context.settings.rows;
}

function hintsOf({ effect, isLocal }: Pick<ToolSpec<never, never>, "effect" | "isLocal">): ToolAnnotations {
  return {
    readOnlyHint: effect === "read",
    ...(effect === "read" ? {} : { destructiveHint: effect === "send" }),
    ...(isLocal ? { openWorldHint: false } : {}),
  };
}

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

interface AskedClient {
  readonly mcp: Pick<ServerContext, "mcpReq">;
  readonly server: Pick<McpServer, "server">;
}

export function canAsk(call: AskedClient): boolean {
  const envelope = call.mcp.mcpReq.envelope as Record<string, unknown> | undefined;
  const declared = envelope?.[CAPABILITIES] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? call.server.server.getClientCapabilities() ?? {};
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export const MARKET: z.ZodString = z.string();
