import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { demoExportCommand } from "./demo_export.ts";
import { type Stage, tellStory } from "./story.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import type { CliIo } from "../../core/io/cli_io.ts";
import { stylesFor } from "../../output/styles.ts";
import { splitWords } from "../../text/shell_words.ts";

/** `adsctl demo`. */
export function demoCommand(kit: CommandKit): CommandUnknownOpts {
  const command = kit.leaf("demo", {
    summary: "Run the whole job on a demo account: read, plan, review, apply, undo",
    details:
      "Every command is printed and run, in a folder and on an account of its own that are removed at the end. " +
      "It ends with 0 only if every step did what it says.",
    examples: [["adsctl demo", "takes a few seconds; needs no login and no network"]],
  });
  const own = command.action((_, self) => kit.run(runDemo, self));
  own.addCommand(demoExportCommand(kit));
  return own;
}

/** Runs the story inside this process. */
export async function runDemo(context: CliContext): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "adsctl-demo-"));
  const home = process.cwd();
  process.chdir(folder);
  try {
    await tellStory(stage(context, folder));
  } finally {
    process.chdir(home);
    rmSync(folder, { recursive: true, force: true });
  }
  return EXIT.done;
}

function stage(context: CliContext, folder: string): Stage {
  const { io } = context;
  const styles = stylesFor(io.stdout, context);
  // Ctrl-C ends the story as a whole; a command in it needs no listener of its own.
  const world: CliIo = {
    ...io,
    env: {
      ...io.env,
      XDG_STATE_HOME: join(folder, "state"),
      XDG_CONFIG_HOME: join(folder, "config"),
      // What the user saved or set must not change the story.
      PLATFORM_ADS_MARKET: undefined,
      PLATFORM_ADS_DEMO: undefined,
      PLATFORM_ADS_STORE: undefined,
      PLATFORM_ADS_FORMAT: undefined,
      // Also in a pipe the reader is a person.
      ...(io.stdout.isTerminal ? {} : { PLATFORM_ADS_FORCE_TTY: "110", NO_COLOR: "1" }),
    },
    onInterrupt: () => () => {},
  };
  const ensureGoing = (): void => context.interruption.signal.throwIfAborted();
  return {
    say: (text) => io.stdout.write(`\n${styles.dim(`# ${text}`)}\n`),
    show: async (line) => {
      ensureGoing();
      await io.stdout.write(`${styles.bold(`$ adsctl ${line}`)}\n`);
      return await context.runLine(splitWords(line), world);
    },
    read: async (line) => {
      ensureGoing();
      let text = "";
      const stdout = { ...world.stdout, write: (part: string) => Promise.resolve(void (text += part)) };
      const code = await context.runLine(splitWords(line), { ...world, stdout });
      if (code !== EXIT.done) throw new Error(`"adsctl ${line}" ended with ${code}`);
      return text;
    },
    write: async (name, text) => {
      writeFileSync(join(folder, name), text);
      await io.stdout.write(`${styles.bold(`$ cat ${name}`)}\n${text}`);
    },
  };
}
