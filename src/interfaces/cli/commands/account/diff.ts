import { AccountFiles } from "../../../../account/files/account_files.ts";
import { diffAccount } from "../../../../account/diff/diff_account.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { nameOf, withProfiles } from "../../shell/connect/with_profiles.ts";
import { diffText } from "./diff_text.ts";
import { filesOfMany } from "./profile_files.ts";

export const diffCommand = command(
  (kit) =>
    kit.profilesLeaf("diff", {
      each: "compare each with its files",
      summary: "Compare account files with the account",
      details:
        "Lists entities to create or change, those only in the account, and changes the platform cannot make, " +
        "with reasons. Fields missing from a file are not compared. Exit code 0 without differences, 6 with; 2 if " +
        "the files have problems, which are listed by file, line and field.",
      examples: [
        ["adsctl account diff ./account -m CA", "show the differences"],
        ["adsctl account diff ./account -m CA --json | jq .updates", "print the changes as JSON"],
      ],
      library: 'await diffAccount(profile, await AccountFiles.load("./account"))',
    })
      .argument("<folder>", "folder of the account files"),
  async (folder, options, context) => {
    const { io, interruption, progress } = context;
    if (isForMany(options)) return await diffMany(folder, options, context);
    const files = await AccountFiles.load(folder);
    files.checkEdited();
    const profile = await connectProfile(marketFrom(options, files), context);
    const work = progress.work({ noun: "entity" });
    const diff = await diffAccount(profile, files, {
      signal: interruption.signal,
      onRead: (done) => work.count({ done }),
    });
    await work.end();
    if (wantsData(context)) await printJson(diff.toData(), context);
    else await writeText(diffText(diff, stylesFor(io.stdout, context)), context);
    return diff.isEmpty ? EXIT.done : EXIT.differences;
  },
);

async function diffMany(
  folder: string,
  options: ManyProfilesOptions,
  context: CliContext,
): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  const filesOf = await filesOfMany(folder);
  return await withProfiles(options, context, {
    step: async (profile) => {
      const files = await filesOf(profile);
      return "leftOut" in files ? files : await diffAccount(profile, files, { anyProfile: true, signal });
    },
    done: async ({ outcomes, ok }) => {
      const results = outcomes.flatMap((one) => "result" in one ? [one] : []);
      const diffs = results.flatMap(({ result }) => "leftOut" in result ? [] : [result]);
      if (wantsData(context)) await printJson(diffs.map((diff) => diff.toData()), context);
      else {
        for (const { profile, result } of results) {
          if ("leftOut" in result) {
            await say(`${nameOf(profile)}: left out: ${result.leftOut}`, { io, globals });
          } else {
            const text = diffText(result, stylesFor(io.stdout, context));
            await writeText(`${nameOf(profile)}\n${text}\n`, context);
          }
        }
      }
      if (!ok) return EXIT.someFailed;
      return diffs.every(({ isEmpty }) => isEmpty) ? EXIT.done : EXIT.differences;
    },
  });
}

export function marketFrom<Options extends MarketOptions>(options: Options, files: AccountFiles): Options {
  const [only, another] = Object.keys(files.lock?.profiles ?? {});
  if (options.market !== undefined || only === undefined || another !== undefined) return options;
  return { ...options, market: only };
}
