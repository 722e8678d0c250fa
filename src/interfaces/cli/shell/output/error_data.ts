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
import { ApprovalError, PlanStateError, PolicyError } from "../../../../plans/model/plan_errors.ts";
import { AccountFilesError, type FileProblem } from "../../../../account/files/file_problem.ts";
import { redact } from "../../../../base/text/redact.ts";
import { QueryError } from "../../../../store/model/store_error.ts";
import { BadRowsError } from "../input/bad_rows.ts";
import { commandWords } from "../../../../operations/model/command_words.ts";
import { CliError, RefusedError, UsageError } from "../errors/cli_error.ts";
import { EXIT } from "../errors/exit_codes.ts";
import { InterruptedError } from "../io/take_line.ts";

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
