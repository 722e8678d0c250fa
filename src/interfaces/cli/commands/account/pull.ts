import type { Command } from "@commander-js/extra-typings";
import { AccountFiles } from "../../../../account/files/account_files.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { accountPull, type PulledAccount } from "../../../../operations/reads/account_pull.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { withProfiles } from "../../shell/connect/with_profiles.ts";
import { profileFolder } from "./profile_files.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";

const DOC = operationDoc(accountPull);

type PullOptions = Pick<ManyProfilesOptions, keyof ManyProfilesOptions>;

export const pullCommand = command(
  (kit) =>
    // The types of commander cannot know arguments that are declared elsewhere.
    addFields(
      kit.profilesLeaf("pull", {
        each: "each in its own folder, such as CA-192654822749401",
        ...DOC,
        examples: [
          ...DOC.examples,
          ["adsctl account pull --all-profiles ./accounts", "save each profile in its own folder"],
        ],
      }),
      accountPull.input,
    ) as unknown as Command<[folder: string], PullOptions>,
  async (folder, options, context) => {
    const { io, globals, interruption: { signal }, progress } = context;
    if (isForMany(options)) return await pullMany(folder, options, context);
    const input = await operationInput(accountPull, options, { folder });
    const files = await AccountFiles.loadIfThere(folder);
    const profile = await connectProfile(options, context);
    const warnings: string[] = [];
    const work = progress.work({ noun: "entity" });
    const pulled = await accountPull.run({
      profile,
      signal,
      files,
      onRead: (done) => work.count({ done }),
      onWarning: (text) => warnings.push(text),
    }, input);
    await work.end();
    for (const text of warnings) await io.stderr.write(`warning: ${visibleText(text)}\n`);
    if (wantsData(context)) await printJson(pullData(profile, pulled), context);
    else await writeText(pullLine(profile, pulled), context);
    const next = nextCommand(["account", "diff", folder, "-m", profile.countryCode], globals);
    await say(`To review your changes:\n  ${next}`, { io, globals });
    return EXIT.done;
  },
);

async function pullMany(folder: string, options: PullOptions, context: CliContext): Promise<number> {
  const { io, globals, interruption: { signal } } = context;
  const input = await operationInput(accountPull, options, { folder });
  return await withProfiles(options, context, {
    step: async (profile) => {
      const own = profileFolder(folder, profile);
      return await accountPull.run({
        profile,
        signal,
        files: await AccountFiles.loadIfThere(own),
        onWarning: (text) => void io.stderr.write(`warning: ${profile.countryCode}: ${visibleText(text)}\n`),
      }, { ...input, folder: own });
    },
    done: async ({ outcomes, ok }) => {
      const results = outcomes.flatMap((one) => "result" in one ? [one] : []);
      if (wantsData(context)) {
        await printJson(results.map(({ profile, result }) => pullData(profile, result)), context);
      } else for (const { profile, result } of results) await writeText(pullLine(profile, result), context);
      if (!globals.quiet) {
        const next = nextCommand(["account", "diff", folder, "--all-profiles"], globals);
        await io.stderr.write(`To review your changes:\n  ${next}\n`);
      }
      return ok ? EXIT.done : EXIT.someFailed;
    },
  });
}

function pullData({ profileId, countryCode }: ProfileClient, pull: PulledAccount): Record<string, unknown> {
  const { folder, files, written, removed } = pull;
  return { profile_id: profileId, country_code: countryCode, folder, files, written, removed };
}

function pullLine({ profileId, countryCode }: ProfileClient, pull: PulledAccount): string {
  const { folder, files, written, removed } = pull;
  return `Pulled profile ${profileId} (${countryCode}) into ${folder}: ${written.length} files written, ` +
    `${removed.length} removed, ${files - written.length} unchanged\n`;
}
