import { AccountFiles, type SavedFiles } from "../../../../account/files/account_files.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { pullAccount } from "../../../../account/diff/pull_account.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { connectProfile } from "../../shell/connect/connect.ts";
import { isForMany, type ManyProfilesOptions } from "../../shell/options/many_profiles.ts";
import { printJson, wantsData } from "../../shell/output/print_rows.ts";
import { say, writeText } from "../../shell/output/write_text.ts";
import { withProfiles } from "../../shell/connect/with_profiles.ts";
import { profileFolder } from "./profile_files.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { nextCommand } from "../../shell/context/shell_words.ts";

export const pullCommand = command(
  (kit) =>
    kit.profilesLeaf("pull", {
      each: "each in its own folder, such as CA-192654822749401",
      summary: "Save an account as files, one per campaign",
      details:
        "Files use names; account.lock.json keeps the ids. Leaves out computed fields and archived entities. " +
        "account.yaml sets managed and ignored entities and defaults. Edited files are kept if the account now " +
        "matches them; otherwise nothing is written without --force.",
      examples: [
        ["adsctl account pull -m CA ./account", "save the account, or update its files"],
        ["adsctl account pull --all-profiles ./accounts", "save each profile in its own folder"],
        ["adsctl account pull -m CA ./account --force", "overwrite edited files"],
      ],
      library: 'await (await pullAccount(profile)).save("./account")',
    })
      .argument("<folder>", "folder for the account files, created if missing")
      .option("--force", "overwrite edits that are not in the account"),
  async (folder, options, context) => {
    const { force = false } = options;
    const { io, globals, interruption, progress } = context;
    if (isForMany(options)) return await pullMany(folder, options, context);
    const files = await AccountFiles.loadIfThere(folder);
    const profile = await connectProfile(options, context);
    const warnings: string[] = [];
    const work = progress.work({ noun: "entity" });
    const pulled = await pullAccount(profile, {
      files,
      force,
      signal: interruption.signal,
      onRead: (done) => work.count({ done }),
      onWarning: (text) => warnings.push(text),
    });
    await work.end();
    for (const text of warnings) await io.stderr.write(`warning: ${visibleText(text)}\n`);
    const { written, removed } = await pulled.save(folder);
    const { countryCode } = profile;
    if (wantsData(context)) {
      await printJson(pullData(profile, { folder, pulled, written, removed }), context);
    } else await writeText(pullLine(profile, { folder, pulled, written, removed }), context);
    await say(
      `To review your changes:\n  ${nextCommand(["account", "diff", folder, "-m", countryCode], globals)}`,
      {
        io,
        globals,
      },
    );
    return EXIT.done;
  },
);

interface Pulled extends SavedFiles {
  readonly folder: string;
  readonly pulled: AccountFiles;
}

async function pullMany(
  folder: string,
  options: ManyProfilesOptions & { force?: true },
  context: CliContext,
): Promise<number> {
  const { force = false } = options;
  const { io, globals, interruption: { signal } } = context;
  return await withProfiles(options, context, {
    step: async (profile) => {
      const own = profileFolder(folder, profile);
      const pulled = await pullAccount(profile, {
        files: await AccountFiles.loadIfThere(own),
        force,
        signal,
        onWarning: (text) => void io.stderr.write(`warning: ${profile.countryCode}: ${visibleText(text)}\n`),
      });
      return { folder: own, pulled, ...await pulled.save(own) };
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

function pullData({ profileId, countryCode }: ProfileClient, pull: Pulled): Record<string, unknown> {
  const { folder, pulled, written, removed } = pull;
  return {
    profile_id: profileId,
    country_code: countryCode,
    folder,
    files: pulled.texts.size,
    written,
    removed,
  };
}

function pullLine({ profileId, countryCode }: ProfileClient, pull: Pulled): string {
  const { folder, pulled, written, removed } = pull;
  return `Pulled profile ${profileId} (${countryCode}) into ${folder}: ${written.length} files written, ` +
    `${removed.length} removed, ${pulled.texts.size - written.length} unchanged\n`;
}
