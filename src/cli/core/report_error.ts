import {
  AuthError,
  ConfigurationError,
  PlanDriftError,
  UnauthorizedError,
  UnsupportedOperationError,
} from "../../errors.ts";
import { redact } from "../../redact.ts";
import { CliError } from "./cli_error.ts";
import { EXIT } from "./exit_codes.ts";
import { BrokenPipeError, type CliIo } from "./io/cli_io.ts";
import { InterruptedError } from "./io/take_line.ts";
import { visibleText } from "../../internal/visible_text.ts";

/** Tells what went wrong on stderr, in one voice, and gives the exit code. */
export async function reportError(
  error: unknown,
  { io, args }: { io: CliIo; args: readonly string[] },
): Promise<number> {
  if (error instanceof BrokenPipeError) return EXIT.done;
  const code = exitCodeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const lines = [`error: ${redact(message).split("\n").map(visibleText).join("\n")}`];
  const isBug = code === EXIT.failed && error instanceof Error &&
    (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
  if ((isBug || args.includes("--verbose") || args.includes("-v")) && error instanceof Error && error.stack) {
    lines.push(redact(error.stack));
  }
  try {
    await io.stderr.write(lines.join("\n") + "\n");
  } catch (problem) {
    if (!(problem instanceof BrokenPipeError)) throw problem;
  }
  return code;
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof InterruptedError) return EXIT.interrupted;
  if (error instanceof AuthError || error instanceof UnauthorizedError) return EXIT.authentication;
  if (error instanceof PlanDriftError || error instanceof UnsupportedOperationError) return EXIT.refused;
  if (error instanceof ConfigurationError) return EXIT.usage;
  return EXIT.failed;
}
