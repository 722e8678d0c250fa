import { visibleJson, visibleText } from "../../../../base/text/visible_text.ts";
import { redact } from "../../../../base/text/redact.ts";
import type { GlobalOptions } from "../arguments/global_options.ts";
import { wantsData } from "./wants_data.ts";
import { carryOptions } from "../arguments/shell_words.ts";
import { CliError } from "../errors/cli_error.ts";
import { errorData } from "./error_data.ts";
import { EXIT } from "../errors/exit_codes.ts";
import { BrokenPipeError, type CliIo } from "../io/cli_io.ts";

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
