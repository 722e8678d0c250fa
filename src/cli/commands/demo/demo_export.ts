import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { Option } from "@commander-js/extra-typings";
import { addDays } from "../../../internal/calendar.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { lazyImport } from "../../core/lazy_import.ts";
import { withProfile } from "../../core/with_profile.ts";
import { positiveInteger } from "../../options/parse_values.ts";
import { marketOption, type MarketOptions } from "../../options/market_options.ts";
import { printRows } from "../../output/print_rows.ts";
import { nextCommand } from "../../text/shell_words.ts";

interface DemoExportOptions extends MarketOptions {
  readonly out: string;
  readonly days: number;
  readonly summary?: true;
  readonly language: "en" | "es" | "de";
}

/** Days that the platform keeps search terms. */
const MAX_DAYS = 64;

/** `adsctl demo export`. */
export function demoExportCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("export", {
    summary: "Write the demo account's reports and bulk sheet as the console gives them",
    details:
      "Files as a person downloads them by hand: reports without ids, with the headers, separators, days and amounts of " +
      "real files, and a bulk sheet. They try adsctl import without an account. Amounts of CSV files in English have a " +
      "dollar sign.",
    examples: [
      ["adsctl demo export --out downloads -m CA", "daily reports of the last 44 days, and the bulk sheet"],
      [
        "adsctl demo export --out downloads -m ES --language es --summary",
        "one row over all days, in Spanish",
      ],
    ],
  })
    .requiredOption("--out <folder>", "folder for the files; it is made")
    .addOption(marketOption())
    .option("--days <n>", "days up to yesterday (default: 44)", positiveInteger, 44)
    .option("--summary", "reports with one row over all days")
    .addOption(
      new Option("--language <code>", "language of the headers").choices(["en", "es", "de"] as const).default(
        "en" as const,
      ),
    )
    .action((options, self) => kit.run((context) => runDemoExport(options, context), self));
}

async function runDemoExport(options: DemoExportOptions, context: CliContext): Promise<number> {
  const { out, days, summary: isSummary = false, language } = options;
  if (days > MAX_DAYS) {
    throw new UsageError(`Cannot export ${days} days: the account keeps search terms for ${MAX_DAYS}`);
  }
  const { consoleForms, writeConsoleFiles } = await lazyImport<
    typeof import("../../../demo/console/write_console_files.ts")
  >("../demo/console/write_console_files");
  const form = `${language} ${isSummary ? "summary" : "daily"}`;
  if (!consoleForms().includes(form)) {
    throw new UsageError(
      `Cannot export ${form} reports: the headers of ${consoleForms().join(", ")} are known`,
    );
  }
  const { signal } = context.interruption;
  const demo: CliContext = { ...context, globals: { ...context.globals, demo: true } };
  return await withProfile(options, demo, async (profile) => {
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
  });
}
