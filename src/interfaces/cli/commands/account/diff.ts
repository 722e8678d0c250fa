import { AccountFiles } from "../../../../account/files/account_files.ts";
import { accountDiff } from "../../../../operations/plans/account_files.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import type { MarketOptions } from "../../shell/options/market_options.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { stylesFor } from "../../shell/output/styles.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { nameOf, withProfiles } from "../../shell/connect/with_profiles.ts";
import { diffText } from "./diff_text.ts";
import { filesOfMany } from "./profile_files.ts";

const doc = operationDoc(accountDiff);

export const diffCommand = command(
  (kit) =>
    kit.profilesLeaf("diff", {
      ...doc,
      each: "compare each with its files",
      examples: [
        ...doc.examples,
        ["adsctl account diff ./account -m CA --json | jq .updates", "print the changes as JSON"],
      ],
    })
      .argument("<folder>", accountDiff.input.files.help),
  async (folder, options, context) => {
    const { io, interruption, progress } = context;
    if (isForMany(options)) return await diffMany(folder, options, context);
    const files = await AccountFiles.load(folder);
    const input = await operationInput(accountDiff, options, { files });
    const profile = await connectProfile(marketFrom(options, files), context);
    const work = progress.work({ noun: "entity" });
    const { signal } = interruption;
    const onRead = (done: number): void => work.count({ done });
    const diff = await accountDiff.run({ profile, signal, onRead }, input);
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
      return "leftOut" in files
        ? files
        : await accountDiff.run({ profile, signal, anyProfile: true }, { files });
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
      const isMissing = results.some(({ result }) => "leftOut" in result && result.isMissing);
      if (!ok || isMissing) return EXIT.someFailed;
      return diffs.every(({ isEmpty }) => isEmpty) ? EXIT.done : EXIT.differences;
    },
  });
}

export function marketFrom<Options extends MarketOptions>(options: Options, files: AccountFiles): Options {
  const [only, another] = Object.keys(files.lock?.profiles ?? {});
  if (options.market !== undefined || only === undefined || another !== undefined) return options;
  return { ...options, market: only };
}
