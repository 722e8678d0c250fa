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
  progress(done: number, message: string, total?: number): Promise<void>;
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
  /** Seconds after which it is stopped; clients give up after a minute. @default 50 */
  readonly maxSeconds?: number;
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
  const { name, title, description, input, output, hints, maxSeconds = MAX_SECONDS } = spec;
  const config = {
    title,
    description,
    inputSchema: leanSchema(input),
    outputSchema: leanSchema(output),
    annotations: hints,
  };
  return {
    name,
    register: (server, context) => {
      const handle = async (
        args: unknown,
        mcp: ServerContext,
      ): Promise<CallToolResult | InputRequiredResult> => {
        const progress = progressOf(mcp);
        const bound = maxSeconds === Infinity ? undefined : AbortSignal.timeout(maxSeconds * 1000);
        const signal = bound === undefined ? mcp.mcpReq.signal : AbortSignal.any([mcp.mcpReq.signal, bound]);
        const call: ToolCall = { context, signal, server, mcp, progress };
        const onEvent = (event: TransportEvent): void => {
          const message = waitMessage(event);
          if (message !== undefined) void progress(0, message);
        };
        context.listeners.add(onEvent);
        const heartbeat = showTime(progress);
        try {
          checkArgumentLimits(args);
          const answer = await spec.run(args as z.output<Input>, call);
          if (isInputRequiredResult(answer)) return answer;
          const { data, text, failed } = answer as ToolAnswer<Record<string, unknown>>;
          return context.secrets.removeFrom<CallToolResult>({
            content: [{ type: "text", text: cleanText(text) }],
            structuredContent: cleanData(data),
            ...(failed ? { isError: true } : {}),
          });
        } catch (error) {
          const isTooLong = bound?.aborted === true && !mcp.mcpReq.signal.aborted;
          const text = cleanText(isTooLong ? tooLong(maxSeconds) : failureText(error));
          context.log(`${name} failed: ${text.split("\n")[0]}`);
          return context.secrets.removeFrom<CallToolResult>({
            content: [{ type: "text", text }],
            isError: true,
          });
        } finally {
          context.listeners.delete(onEvent);
          clearInterval(heartbeat);
        }
      };
      server.registerTool(name, config, handle as never);
    },
  };
}

const MIN_STEP = 0.001;
const MAX_SECONDS = 50;
const HEARTBEAT_SECONDS = 2;

/** Says every few seconds that the work goes on, so that no client takes a wait for the end. */
function showTime(progress: ToolCall["progress"]): ReturnType<typeof setInterval> {
  const began = performance.now();
  return setInterval(() => {
    void progress(-1, `Working for ${Math.round((performance.now() - began) / 1000)} s`);
  }, HEARTBEAT_SECONDS * 1000);
}

function tooLong(seconds: number): string {
  return `The call was stopped after ${seconds} s, because clients do not wait longer: the platform did not respond in time. ` +
    "Nothing was changed. Try again, or ask for less at a time";
}

function progressOf(mcp: ServerContext): ToolCall["progress"] {
  const progressToken = mcp.mcpReq._meta?.progressToken;
  let last = -1;
  return async (done, message, total) => {
    if (progressToken === undefined || mcp.mcpReq.signal.aborted) return;
    // The protocol wants each figure to be larger than the one before.
    const progress = last = done > last ? done : last + MIN_STEP;
    const params = { progressToken, progress, message, ...(total === undefined ? {} : { total }) };
    // The client may be gone by now; the work goes on all the same.
    await mcp.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
