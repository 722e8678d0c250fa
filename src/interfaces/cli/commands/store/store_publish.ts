import { counted } from "../../../../base/text/money_text.ts";
import type { PublishResult } from "../../../../store/lake/publish_lake.ts";
import { type LakeReport, verifyLake } from "../../../../store/lake/verify_lake.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { writeText } from "../../shell/output/write_text.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { storeOption } from "../../shell/options/store_option.ts";
import { namedLake } from "./lake_option.ts";

const SHOWN = 20;

export const storePublishCommand = command(
  (kit) =>
    kit.leaf("publish", {
      summary: "Publish the store as a lake: Parquet files by table, market and month",
      details:
        "Writes only files whose rows changed since the last run. Queries on files in the manifest, or in a list " +
        "in _files, never see partial days, even during a run. Replaced files are kept for a day. Exit code 3 if " +
        "--verify finds changed files.",
      examples: [
        [
          "adsctl store publish --to lake",
          "publish marts, daily reports, the account and its changes, and results",
        ],
        [
          "adsctl store publish --to lake --tables days,performance -m US --since 2026-09",
          "publish part of the store",
        ],
        ["adsctl store publish --to lake --verify", "compare every file with its checksum"],
      ],
      library: 'await publishLake(store, await openLake("lake"))',
    })
      .addOption(storeOption())
      .requiredOption("--to <place>", "lake folder, created if missing, or s3://BUCKET/PREFIX")
      .option(
        "--tables <tables>",
        "marts, days, entities, changes, results, ready, or table names, separated by commas (default: all but ready)",
        separated,
      )
      .option(
        "-m, --market <market>",
        "only this country code or profile id; leaves out results of clean rooms and DSP advertisers",
      )
      .option("--since <month>", "do not change months before this one, such as 2026-09")
      .option("--full", "rewrite every file")
      .option("--verify", "publish nothing; compare files with their checksums")
      .option("--clean", "with --verify: remove unlisted files"),
  async (options, context) => {
    const { to, tables, market, since, full, verify, clean } = options;
    const others = { tables, market, since, full };
    const given = Object.entries(others).flatMap(([name, value]) => value === undefined ? [] : [`--${name}`]);
    if (verify && given.length > 0) throw new UsageError(`Cannot use ${given.join(", ")} with --verify`);
    if (clean && !verify) throw new UsageError("Cannot use --clean without --verify");
    const place = await namedLake(to, context);
    if (verify) return await show(await verifyLake(place, { clean: clean === true }), context);
    const store = await openStore(options, context);
    const { publishLake } = await import("../../../../store/lake/publish_lake.ts");
    const work = context.progress.work({ noun: "file" });
    const result = await refusingBadInput(() =>
      publishLake(store, place, {
        ...others,
        signal: context.interruption.signal,
        now: context.io.now,
        onProgress: ({ table, done, total }) => work.count({ done, total, name: table }),
      })
    );
    await work.end();
    if (wantsData(context)) await printJson({ ...result, lake: place.address }, context);
    else await writeText(`${publishedText(result, place.address)}\n`, context);
    return EXIT.done;
  },
);

function publishedText({ written, unchanged, rows, bytes, unfit }: PublishResult, address: string): string {
  const lost = Object.entries(unfit).map(([column, count]) =>
    `\n${count} values of ${column} do not fit its type and are empty`
  );
  return `${
    written === 0
      ? "Nothing changed since the last publication"
      : `Wrote ${grouped(written, "file")} with ${grouped(rows, "row")}, ${sizeText(bytes)}`
  }; ${grouped(unchanged, "file")} as before in ${address}${lost.join("")}`;
}

async function show(report: LakeReport, context: CliContext): Promise<number> {
  const { files, rows, bytes, wrong, stray } = report;
  if (wantsData(context)) await printJson(report, context);
  else {
    const lines = [
      `${grouped(files, "file")} with ${grouped(rows, "row")}, ${sizeText(bytes)}, as published`,
      ...wrong.slice(0, SHOWN).map(({ path, problem }) => `${visibleText(path)}: ${problem}`),
      ...wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [],
      ...wrong.length > 0 ? ["adsctl store publish --full with the same --to writes them again"] : [],
      ...stray.length > 0
        ? [`${grouped(stray.length, "file")} not in the manifest; --clean removes them`]
        : [],
    ];
    await writeText(lines.map((line) => `${line}\n`).join(""), context);
  }
  return wrong.length === 0 ? EXIT.done : EXIT.someFailed;
}

function grouped(count: number, noun: string): string {
  return counted(count, noun, count.toLocaleString("en-US"));
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
