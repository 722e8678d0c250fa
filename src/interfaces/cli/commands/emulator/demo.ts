import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { addDays } from "../../../../base/time/calendar.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { command, withCommands } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { positiveInteger } from "../../shell/options/parse_values.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { nextCommand, splitWords } from "../../shell/context/shell_words.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { emulatorCommands } from "./emulator.ts";
import { type Stage, tellStory } from "./story.ts";
import type { CliIo } from "../../shell/io/cli_io.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { stateFolder } from "../../../../base/runtime/user_folders.ts";
import { marketOption } from "../../shell/options/market_options.ts";

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

/** Days for which the platform keeps search terms. */
const MAX_DAYS = 64;

const demoExportCommand = command(
  (kit) =>
    kit.leaf("export", {
      summary: "Save the demo account's reports and bulk sheet as console downloads",
      details:
        "Files as downloaded by hand, to try adsctl import without an account: reports without ids, with real " +
        "headers, separators, dates and amounts, and a bulk sheet. English CSV files have a dollar sign in " +
        "amounts.",
      examples: [
        [
          "adsctl demo export --out downloads -m CA",
          "save daily reports of the last 44 days, and the bulk sheet",
        ],
        [
          "adsctl demo export --out downloads -m ES --language es --summary",
          "save totals over all days, in Spanish",
        ],
      ],
    })
      .requiredOption("--out <folder>", "folder for the files, created if missing")
      .addOption(marketOption())
      .option("--days <n>", "days up to yesterday (default: 44)", positiveInteger, 44)
      .option("--summary", "reports with totals over all days")
      .addOption(
        new Option("--language <code>", "header language").choices(["en", "es", "de"] as const)
          .default(
            "en" as const,
          ),
      ),
  async (options, context) => {
    const { out, days, summary: isSummary = false, language } = options;
    if (days > MAX_DAYS) {
      throw new UsageError(`Cannot export ${days} days: the account keeps search terms for ${MAX_DAYS}`);
    }
    const { consoleForms, writeConsoleFiles } = await import("../../../demo/write_console_files.ts");
    const form = `${language} ${isSummary ? "summary" : "daily"}`;
    if (!consoleForms().includes(form)) {
      throw new UsageError(
        `Cannot export ${form} reports: the headers of ${consoleForms().join(", ")} are known`,
      );
    }
    const { signal } = context.interruption;
    const demo: CliContext = { ...context, globals: { ...context.globals, demo: true } };
    const profile = await connectProfile(options, demo);
    const end = addDays(profile.reports.today, -1);
    const range = { start: addDays(end, 1 - days), end };
    const files = await writeConsoleFiles(profile, { ...range, isSummary, language, signal });
    await mkdir(out, { recursive: true });
    for (const { name, bytes } of files) await writeFile(join(out, name), bytes);
    const rows = files.map((file) => ({ file: join(out, file.name), rows: file.rows }));
    await printRows(rows, { columns: ["file", "rows"] }, context);
    if (!context.globals.quiet) {
      const words = [
        "import",
        ...rows.map(({ file }) => file),
        "-m",
        profile.countryCode,
        "--store",
        "files.sqlite",
      ];
      await context.io.stderr.write(
        `To read them:\n  ${visibleText(nextCommand(words, { ...context.globals, demo: false }))}\n`,
      );
    }
    return EXIT.done;
  },
);

async function demoInConsole(options: { readonly open: boolean }, context: CliContext): Promise<number> {
  const folder = join(stateFolder(context.io.env, { of: "the demo account" }), "demo-console");
  const [{ CommandSteps }, { fillDemo }, { openConsole }] = await Promise.all([
    import("../init/command_steps.ts"),
    import("../init/fill_demo.ts"),
    import("../init/init.ts"),
  ]);
  await fillDemo(await CommandSteps.start(context), { market: "CA", folder }, context);
  return await openConsole(["console", "--demo", "--folder", folder], options, context);
}

export const demoCommand = withCommands(
  command(
    (kit) =>
      kit.leaf("demo", {
        summary: "Try everything on an emulated demo account",
        details:
          "Without options, runs a full session: read, plan, review, apply, undo. Prints and runs every command in " +
          "a temporary folder and account, then removes both. --demo starts an emulator in each command and keeps " +
          "its state; addresses with port 0 cannot be opened. While adsctl demo start runs, --demo uses that " +
          "emulator, and so can your own programs.",
        examples: [
          ["adsctl demo", "run the demo; needs no login and no network"],
          ["adsctl demo --console", "show figures, an open plan and alerts in the browser"],
        ],
      })
        .option("--console", "sync the demo account, create a plan and alerts, and open the console")
        .option("--no-open", "with --console: print its command instead of opening it"),
    async (options, context) => {
      if (options.console) return await demoInConsole(options, context);
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
    },
  ),
  [demoExportCommand, ...emulatorCommands],
);
