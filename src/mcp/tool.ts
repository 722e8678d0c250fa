import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type McpServer,
  type ServerContext,
  type ToolAnnotations,
} from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { McpContext } from "./mcp_context.ts";
import { failureText } from "./failure_text.ts";
import { cleanData, cleanText } from "./results/clean.ts";
import { leanSchema } from "./lean_schema.ts";
import { checkArgumentLimits } from "./results/check_argument_limits.ts";
import type { TransportEvent } from "../transport/transport_options.ts";
import { waitMessage } from "./results/wait_progress.ts";
import { answerInTime } from "./calls/answer_in_time.ts";
import { answerSeconds } from "./calls/answer_seconds.ts";
import { type CallProgress, callProgress, startHeartbeat } from "./calls/call_progress.ts";
import { type CallAnswer, callKey, type CallWork } from "./calls/pending_calls.ts";

/** What a tool has at hand while it runs. */
export interface ToolCall {
  /** What the process shares. */
  readonly context: McpContext;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The server that answers, which knows the client. */
  readonly server: McpServer;
  /** The protocol's side of the call. */
  readonly mcp: ServerContext;
  /** Tells the client how far the work is, where it asked for that. Never fails. */
  readonly progress: CallProgress;
  /** Seconds after which the client is answered, whether or not the work is done. */
  readonly seconds: number;
}

/** A result of a tool: data for programs, text for models. */
export interface ToolAnswer<Data> {
  /** The answer as data, of the shape that the tool promises. */
  readonly data: Data;
  /** The same in few words, for clients that read text alone. */
  readonly text: string;
  /** True when nothing of what was asked for was done. @default false */
  readonly failed?: boolean;
}

/** Name, schemas, hints and work of a tool. */
export interface ToolSpec<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** As clients call it. */
  readonly name: string;
  /** What a person calls it. */
  readonly title: string;
  /** What an agent must know to use it. */
  readonly description: string;
  /** Shape of the arguments. */
  readonly input: Input;
  /** Shape of the answer's data. */
  readonly output: Output;
  /** What it may do to the world. */
  readonly hints: ToolAnnotations;
  /**
   * Seconds in which it must be answered where the client does not say how long it waits; `Infinity` for work that is
   * awaited to its end. What takes longer goes on, and the same call made again gets the result. @default 50
   */
  readonly maxSeconds?: number | ((args: z.output<Input>) => number);
  /** Does it. */
  run(
    args: z.output<Input>,
    call: ToolCall,
  ): Promise<ToolAnswer<z.input<Output>> | InputRequiredResult>;
}

/** A tool that can be put into a server. */
export interface Tool {
  /** As clients call it. */
  readonly name: string;
  /** Puts it into a server. */
  register(server: McpServer, context: McpContext): void;
}

/** Makes a tool: its failures become answers that say what to do next, and no answer holds a secret. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  spec: ToolSpec<Input, Output>,
): Tool {
  const { name, title, description, input, output, hints, maxSeconds } = spec;
  const config = {
    title,
    description,
    inputSchema: leanSchema(input),
    outputSchema: leanSchema(output),
    annotations: withoutDefaults(hints),
  };
  return {
    name,
    register: (server, context) => {
      const handle = async (args: unknown, mcp: ServerContext): Promise<CallAnswer> => {
        const report = callProgress(mcp);
        const parts = { context, server, mcp };
        try {
          checkArgumentLimits(args);
        } catch (error) {
          return failureAnswer(error, parts);
        }
        const given = args as z.output<Input>;
        if (maxSeconds === Infinity) {
          return await start(given, { ...parts, seconds: Infinity }, { report, signal: mcp.mcpReq.signal })
            .answer;
        }
        const seconds = answerSeconds(mcp, typeof maxSeconds === "function" ? maxSeconds(given) : maxSeconds);
        const key = callKey(name, args);
        const pending = context.pendingCalls;
        const work = pending.take(key) ?? start(given, { ...parts, seconds }, { report });
        work.report = report;
        return await answerInTime(work, { key, seconds, pending, signal: mcp.mcpReq.signal });
      };
      server.registerTool(name, config, handle as never);
    },
  };

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
        const { data, text, failed } = answer as ToolAnswer<Record<string, unknown>>;
        return context.secrets.removeFrom<CallToolResult>({
          content: [{ type: "text", text: cleanText(text) }],
          structuredContent: cleanData(data),
          ...(failed ? { isError: true } : {}),
        });
      } catch (error) {
        return failureAnswer(error, parts);
      } finally {
        context.listeners.delete(onEvent);
        clearInterval(heartbeat);
      }
    };
    const work: CallWork = { report, stop: () => stopping.abort(), answer: Promise.resolve().then(run) };
    return work;
  }

  function failureAnswer(
    error: unknown,
    { context, mcp }: Pick<ToolCall, "context" | "mcp">,
  ): CallToolResult {
    const text = context.secrets.removeFromText(cleanText(failureText(error)));
    // The client that made the call may be gone.
    mcp.mcpReq.log("warning", text, name).catch(() => {});
    context.log(`${name} failed: ${text.split("\n")[0]}`);
    return { content: [{ type: "text", text }], isError: true };
  }
}

/** Without the hint that a client assumes anyway. */
function withoutDefaults({ openWorldHint, ...hints }: ToolAnnotations): ToolAnnotations {
  return openWorldHint === false ? { ...hints, openWorldHint } : hints;
}
