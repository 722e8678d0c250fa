import type { CliContext } from "../../shell/context/context.ts";
import { CliError, EXIT } from "../../shell/io/cli_error.ts";
import { readSavedSettings, withoutSavedSettings } from "../../shell/context/saved_settings.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";
import { say } from "../../shell/output/write_text.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { wantsData } from "../../shell/output/print_rows.ts";

interface StepOptions {
  /**
   * Exit codes that count as success.
   *
   * @default [0]
   */
  readonly accepted?: readonly number[];
  readonly isShown?: boolean;
}

export class CommandSteps {
  readonly #context: CliContext;
  readonly #env: Readonly<Record<string, string | undefined>>;

  private constructor(context: CliContext, env: Readonly<Record<string, string | undefined>>) {
    this.#context = context;
    this.#env = env;
  }

  static async start(
    context: CliContext,
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandSteps> {
    const saved = await readSavedSettings(context.io.env);
    return new CommandSteps(context, { ...withoutSavedSettings(context.io.env, saved), ...env });
  }

  /** @throws {CliError} with the command's exit code when it fails. */
  async run(words: readonly string[], options: StepOptions = {}): Promise<string> {
    const { accepted = [EXIT.done], isShown = false } = options;
    const { io, globals, runLine, interruption } = this.#context;
    interruption.signal.throwIfAborted();
    const line = nextCommand(words.filter((word) => word !== "--json"), { ...globals, demo: false });
    await say(stylesFor(io.stderr, this.#context).bold(`$ ${line}`), this.#context);
    let text = "";
    const stdout = {
      ...io.stdout,
      columns: io.stdout.columns,
      write: async (part: string) => {
        text += part;
        if (isShown && !wantsData(this.#context)) await io.stdout.write(part);
      },
    };
    // Data is read here, so errors come as data too.
    const stderr = {
      ...io.stderr,
      columns: io.stderr.columns,
      write: (part: string) => io.stderr.write(part.startsWith('{"code":') ? errorLine(part) : part),
    };
    const quiet = globals.quiet ? ["--quiet"] : [];
    const code = await runLine([...words, ...quiet], { ...io, env: this.#env, stdout, stderr });
    if (!accepted.includes(code)) {
      throw new CliError(
        `Cannot go on: "${line}" ended with ${code}. Fix that, then run "adsctl init" again`,
        code,
      );
    }
    return text;
  }
}

function errorLine(data: string): string {
  const { message, hint } = JSON.parse(data) as { message: string; hint: string | null };
  return `error: ${message}\n${hint === null ? "" : `${hint}\n`}`;
}
