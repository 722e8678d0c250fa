import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ScopeChallengeHandler,
} from "@modelcontextprotocol/server";
import type { AuditRecord } from "../../../automation/audit/audit_log.ts";
import { ConfigurationError, PlatformAdsError } from "../../../errors.ts";
import { canonicalJson } from "../../../base/json/canonical_json.ts";
import { sha256 } from "../../../base/text/sha256.ts";
import { TooManyCallsError } from "../calls/call_limits.ts";
import type { CallAnswer } from "../calls/pending_calls.ts";
import { type Identity, identityOf } from "../access/identity.ts";
import type { McpContext } from "../context/mcp_context.ts";
import { cleanText } from "../calls/clean.ts";
import { failureText } from "../calls/failure_text.ts";

interface RecordedCaller {
  readonly context: Pick<McpContext, "audit" | "limits" | "policyDigest" | "secrets" | "log" | "metrics">;
  readonly identity: Identity;
}

interface RecordedCall {
  readonly tool: string;
  /** A writing tool only runs once its start has been logged. */
  readonly writes: boolean;
  readonly args: unknown;
}

const READ = "resources/read";

type Outcome = Pick<AuditRecord, "plan" | "verdict" | "approval" | "result">;

/**
 * Logs the call before its result is returned. A writing call is also logged before it starts; if that fails, nothing
 * is done.
 *
 * @throws {PlatformAdsError} when the start cannot be logged.
 */
export async function recordedCall(
  run: () => Promise<CallAnswer>,
  { tool, writes, args }: RecordedCall,
  { context, identity }: RecordedCaller,
): Promise<CallAnswer> {
  const { audit } = context;
  if (audit === undefined) return await run();
  const { subject, kind, tenant } = identity;
  const base = {
    call: crypto.randomUUID(),
    who: { subject, kind, tenant },
    tool,
    arguments: sha256(canonicalJson(args ?? {})),
  };
  if (writes) {
    try {
      await audit.append({ ...base, phase: "begin", plan: planOf(args) });
    } catch (error) {
      context.metrics.auditFailed();
      throw new PlatformAdsError(
        `Cannot call ${tool}: the call cannot be recorded in the audit log, so nothing was done. ${
          reason(error)
        }`,
        { cause: error },
      );
    }
  }
  const answer = await run();
  const outcome = outcomeOf(answer);
  try {
    await audit.append({
      ...base,
      phase: "end",
      ...outcome,
      plan: outcome.plan ?? planOf(args),
      policy: context.policyDigest,
    });
    return answer;
  } catch (error) {
    context.metrics.auditFailed();
    context.log(`audit: ${reason(error)}`);
    return withNote(answer, `Not recorded in the audit log: ${reason(error)}`);
  }
}

/**
 * Logs success or failure; a read counts against the call limits.
 *
 * @throws {ProtocolError} when the limit is reached.
 */
export async function recordedRead<Contents>(
  read: () => Contents | Promise<Contents>,
  address: URL,
  caller: RecordedCaller,
): Promise<Contents> {
  const call = { tool: READ, args: { uri: address.href } };
  try {
    caller.context.limits.count(caller.identity, READ, false);
    const contents = await read();
    await record({ ...call, verdict: "ok" }, caller);
    return contents;
  } catch (error) {
    await recordRefusal(error, call, caller);
    if (!(error instanceof TooManyCallsError)) throw error;
    throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message, {
      retry_after: error.retryAfter,
    });
  }
}

export function recordedChallenge(
  challenge: ScopeChallengeHandler,
  tool: string,
  context: RecordedCaller["context"],
): ScopeChallengeHandler {
  return async (call) => {
    const refused = await challenge(call);
    const identity = identityOf(call.authInfo);
    if (refused === undefined || identity === undefined) return refused;
    let error: unknown = new ConfigurationError(refused.errorDescription ?? "A scope is missing");
    try {
      context.limits.count(identity, tool, false);
    } catch (tooMany) {
      error = tooMany;
    }
    await recordRefusal(error, { tool, args: call.request.params ?? {} }, { context, identity });
    return refused;
  };
}

/** Of consecutive rate-limited calls, only the first is logged, so that they cannot flood the log. */
export async function recordRefusal(
  error: unknown,
  { tool, args }: Pick<RecordedCall, "tool" | "args">,
  caller: RecordedCaller,
): Promise<void> {
  if (error instanceof TooManyCallsError && !error.isFirst) return;
  const text = caller.context.secrets.removeFromText(cleanText(failureText(error)));
  await record({ tool, args, verdict: "failed", result: text.split("\n")[0] }, caller);
}

async function record(
  { tool, args, ...outcome }: { tool: string; args: unknown } & Pick<AuditRecord, "verdict" | "result">,
  { context, identity }: RecordedCaller,
): Promise<void> {
  const { subject, kind, tenant } = identity;
  try {
    await context.audit?.append({
      call: crypto.randomUUID(),
      phase: "end",
      who: { subject, kind, tenant },
      tool,
      arguments: sha256(canonicalJson(args)),
      ...outcome,
    });
  } catch (error) {
    context.metrics.auditFailed();
    context.log(`audit: ${reason(error)}`);
  }
}

function outcomeOf(answer: CallAnswer): Outcome {
  if (!("content" in answer)) return { verdict: "asked" };
  const { content, structuredContent: data, isError } = answer as CallToolResult;
  const [first] = content;
  const text = first?.type === "text" ? first.text.split("\n")[0] : undefined;
  return {
    verdict: isError ? "failed" : "ok",
    plan: planOf(data),
    approval: textOf(data, "approved_by"),
    result: textOf(data, "summary") ?? textOf(data, "counts") ?? rowsOf(data) ?? text,
  };
}

function planOf(fields: unknown): string | undefined {
  return textOf(fields, "plan_id");
}

function rowsOf(data: unknown): string | undefined {
  if (typeof data !== "object" || data === null || !("rows" in data)) return undefined;
  return Array.isArray(data.rows) ? `${data.rows.length} rows` : undefined;
}

function textOf(fields: unknown, name: string): string | undefined {
  if (typeof fields !== "object" || fields === null) return undefined;
  const value: unknown = Reflect.get(fields, name);
  return typeof value === "string" ? value : undefined;
}

function withNote(answer: CallAnswer, note: string): CallAnswer {
  if (!("content" in answer) || !Array.isArray(answer.content)) return answer;
  return { ...answer, content: [...answer.content, { type: "text", text: note }] };
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
