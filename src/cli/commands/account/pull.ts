import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { AccountFiles } from "../../../account/files/account_files.ts";
import { pullAccount } from "../../../account/files/pull_account.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { withProfile } from "../../core/with_profile.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { nextCommand } from "../../text/shell_words.ts";

/** Options of {@linkcode runPull}. */
export interface PullOptions extends MarketOptions {
  /** Folder of the account files. */
  readonly folder: string;
  /** Overwrite edits that the account does not have. */
  readonly force?: true;
}

/** `adsctl pull`. */
export function pullCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("pull", {
    summary: "Write an account as files, one a campaign",
    details:
      "Names stand in place of ids; the ids are kept in account.lock.json. What the platform computes and what is archived " +
      "is left out. What account.yaml says is managed, ignored or a default holds. Files that were edited since the last " +
      "pull are kept where the account says the same by now; otherwise nothing is written, unless --force is given.",
    examples: [
      ["adsctl pull -m CA ./account", "write the account, or what has changed of it"],
      ["adsctl pull -m CA ./account --force", "overwrite what was edited there"],
    ],
    library: 'await (await pullAccount(profile)).save("./account")',
  })
    .argument("<folder>", "folder of the account files; made if it is not there")
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .option("--force", "overwrite edits that the account does not have")
    .action((folder, options, self) => kit.run((context) => runPull({ folder, ...options }, context), self));
}

/** Writes the files of an account. */
export async function runPull(options: PullOptions, context: CliContext): Promise<number> {
  const { folder, force = false } = options;
  const { io, globals, interruption, progress } = context;
  const files = await AccountFiles.loadIfThere(folder);
  return await withProfile(options, context, async (profile) => {
    const pulled = await pullAccount(profile, {
      files,
      force,
      signal: interruption.signal,
      onRead: (count) => void progress.show([`Read ${count} entities`]).catch(() => {}),
    });
    await progress.clear();
    const { written, removed } = await pulled.save(folder);
    const { profileId, countryCode } = profile;
    if (wantsData(context)) {
      await printJson({
        profile_id: profileId,
        country_code: countryCode,
        folder,
        files: pulled.texts.size,
        written,
        removed,
      }, context);
    } else {
      const kept = pulled.texts.size - written.length;
      await io.stdout.write(
        `Pulled profile ${profileId} (${countryCode}) into ${folder}: ${written.length} files written, ` +
          `${removed.length} removed, ${kept} unchanged\n`,
      );
    }
    if (!globals.quiet) {
      await io.stderr.write(
        `To see what you change:\n  ${nextCommand(["diff", folder, "-m", countryCode], globals)}\n`,
      );
    }
    return EXIT.done;
  });
}
