import { AccountFilesError, type FileProblem } from "../../../../account/files/file_problem.ts";
import { redact } from "../../../../base/text/redact.ts";
import { visibleJson, visibleText } from "../../../../base/text/visible_text.ts";
import {
  ApiError,
  AuthError,
  BadRequestError,
  ConfigurationError,
  ForbiddenError,
  JobFailedError,
  NetworkError,
  NotFoundError,
  PlanDriftError,
  ReportFailedError,
  ServerError,
  ThrottledError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnprocessableError,
  UnsupportedOperationError,
} from "../../../../errors.ts";
import { commandWords } from "../../../../operations/model/command_words.ts";
import { ApprovalError, PlanStateError, PolicyError } from "../../../../plans/model/plan_errors.ts";
import { QueryError } from "../../../../store/model/store_error.ts";
import type { GlobalOptions } from "../context/global_options.ts";
import { carryOptions } from "../context/shell_words.ts";
import { BadRowsError } from "../input/bad_rows.ts";
import { CliError, EXIT, RefusedError, UsageError } from "../io/cli_error.ts";
import { BrokenPipeError, type CliIo } from "../io/cli_io.ts";
import { InterruptedError } from "../io/take_line.ts";
import { wantsData } from "./wants_data.ts";

interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
  readonly request_id: string | null;
  readonly platform_code: string | null;
  readonly status: number | null;
  readonly exit_code: number;
  readonly rows?: readonly { readonly where: string; readonly message: string }[];
  readonly problems?: readonly FileProblem[];
}

const DOCTOR = 'Run "adsctl auth doctor": it tries each piece of the connection';
const RETRY = "Run the command again later";

/** The first matching class wins. */
const KINDS: readonly (readonly [
  type: abstract new (...args: never[]) => Error,
  code: string,
  exitCode: number,
  hint?: string,
])[] = [
  [UsageError, "USAGE", EXIT.usage],
  [RefusedError, "REFUSED", EXIT.refused],
  [InterruptedError, "INTERRUPTED", EXIT.interrupted],
  [AuthError, "AUTHENTICATION", EXIT.authentication, DOCTOR],
  [UnauthorizedError, "UNAUTHORIZED", EXIT.authentication, DOCTOR],
  [ForbiddenError, "FORBIDDEN", EXIT.failed, 'Run "adsctl auth profiles": it lists what the login can use'],
  [NotFoundError, "NOT_FOUND", EXIT.failed],
  [BadRequestError, "BAD_REQUEST", EXIT.failed],
  [UnprocessableError, "UNPROCESSABLE", EXIT.failed],
  [ThrottledError, "THROTTLED", EXIT.failed, RETRY],
  [ServerError, "SERVER", EXIT.failed, RETRY],
  [UnexpectedResponseError, "UNEXPECTED_RESPONSE", EXIT.failed],
  [NetworkError, "NETWORK", EXIT.failed, DOCTOR],
  [PolicyError, "POLICY", EXIT.refused],
  [ApprovalError, "APPROVAL", EXIT.refused],
  [PlanStateError, "PLAN_STATE", EXIT.refused],
  [PlanDriftError, "DRIFT", EXIT.refused, "Make the plan again from what the account holds now"],
  [UnsupportedOperationError, "UNSUPPORTED", EXIT.refused],
  [ReportFailedError, "REPORT_FAILED", EXIT.failed, RETRY],
  [JobFailedError, "JOB_FAILED", EXIT.failed],
  [ConfigurationError, "CONFIGURATION", EXIT.usage],
  [QueryError, "USAGE", EXIT.usage],
  [TypeError, "INTERNAL", EXIT.failed],
  [RangeError, "INTERNAL", EXIT.failed],
  [ReferenceError, "INTERNAL", EXIT.failed],
];

export function errorData(error: unknown): ErrorData {
  const [, code, exitCode, usual] = KINDS.find(([type]) => error instanceof type) ?? [];
  const said = redact(error instanceof Error ? error.message : String(error));
  const message = commandWords(said) + ownAdvice(error);
  const api = error instanceof ApiError ? error : undefined;
  return {
    code: code ?? "FAILED",
    message,
    hint: ownHint(error) ?? adviceIn(message) ?? usual ?? null,
    request_id: api?.requestId ?? null,
    platform_code: api?.code ?? (error instanceof AuthError ? error.error : null),
    status: api?.statusCode ?? null,
    exit_code: exitCodeOf(error, exitCode),
    ...(error instanceof BadRowsError ? { rows: error.rows } : {}),
    ...(error instanceof AccountFilesError ? { problems: error.problems } : {}),
  };
}

function ownAdvice(error: unknown): string {
  const lacks = error instanceof ConfigurationError && error.missing.length > 0;
  return lacks ? ", or try --demo, which needs no account" : "";
}

function ownHint(error: unknown): string | undefined {
  const hint = error instanceof CliError || error instanceof ApiError ? error.hint : undefined;
  return hint === undefined ? undefined : commandWords(hint);
}

/** Extracts advice from a message: the text after its first sentence, or a suggestion in parentheses. */
function adviceIn(message: string): string | undefined {
  return /\((Did you mean .+\?)\)$/.exec(message)?.[1] ??
    /^Cannot (?:"[^"]*"|[^".]|\.(?! ))*\. (.+)$/s.exec(message)?.[1];
}

/** Answering no to a question is not a refusal. */
function exitCodeOf(error: unknown, usual: number | undefined): number {
  if (error instanceof CliError) return error.exitCode;
  return error instanceof ApprovalError && error.reason === "declined" ? EXIT.failed : usual ?? EXIT.failed;
}

export async function reportError(
  error: unknown,
  { io, args, globals }: { io: CliIo; args: readonly string[]; globals?: GlobalOptions | undefined },
): Promise<number> {
  if (error instanceof BrokenPipeError) return EXIT.done;
  const json = globals === undefined ? wantsJson(args) : wantsData({ globals });
  const carried = (text: string): string => globals === undefined ? text : carryOptions(text, globals);
  const found = errorData(error);
  const { message, hint } = found;
  const data = { ...found, message: carried(message), hint: hint === null ? null : carried(hint) };
  try {
    await io.stderr.write(
      json ? `${visibleJson(JSON.stringify(data))}\n` : carried(errorText(error, message, args)),
    );
  } catch (problem) {
    if (!(problem instanceof BrokenPipeError)) throw problem;
  }
  return data.exit_code;
}

function errorText(error: unknown, message: string, args: readonly string[]): string {
  const lines = [`error: ${message.split("\n").map(visibleText).join("\n")}`];
  if (error instanceof CliError && error.hint !== undefined) lines.push(visibleText(error.hint));
  const isBug = errorData(error).code === "INTERNAL";
  if ((isBug || args.includes("--verbose") || args.includes("-v")) && error instanceof Error && error.stack) {
    lines.push(redact(error.stack));
  }
  return lines.join("\n") + "\n";
}

/** Reads the raw arguments, because the options themselves may be invalid. */
function wantsJson(args: readonly string[]): boolean {
  return args.some((arg, at) =>
    arg === "--json" || /^--format=jsonl?$/.test(arg) || (args[at - 1] === "--format" && /^jsonl?$/.test(arg))
  );
}
