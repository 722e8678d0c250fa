import { createWriteStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { packSnapshot } from "../../../account/rehearsal/snapshot_file.ts";
import { snapshotAccount } from "../../../account/rehearsal/snapshot_account.ts";
import type { AccountCopy } from "../../../emulator/state/account_copy.ts";
import { visibleText } from "../../../internal/visible_text.ts";
import { Warehouse } from "../../../store/warehouse.ts";
import type { CommandKit } from "../../core/command.ts";
import type { CliContext } from "../../core/context.ts";
import { UsageError } from "../../core/errors/cli_error.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { type StoreOptions, storePlace } from "../../core/store_place.ts";
import { withProfile } from "../../core/with_profile.ts";
import {
  accountNameOption,
  accountTypeOption,
  marketOption,
  type MarketOptions,
} from "../../options/market_options.ts";
import { storeOption } from "../../options/store_option.ts";
import { printJson, wantsData } from "../../output/print_rows.ts";
import { copyData, copyLines } from "./copy_lines.ts";

interface RehearsePullOptions extends MarketOptions, StoreOptions {
  readonly reports?: number;
  readonly anonymous?: true;
  readonly out: string;
}

/** `adsctl rehearse pull`. */
export function rehearsePullCommand(kit: CommandKit): CommandUnknownOpts {
  return kit.leaf("pull", {
    summary: "Take the copy of an account: entities, rules, and how shoppers behave",
    details:
      "Reads entities of every kind and state, portfolios, rules, themes and creatives. The store's figures tell how often " +
      "each keyword is seen, clicked and bought, and what a click costs; without a store that is made up. The file holds " +
      "no credentials.",
    examples: [
      ["adsctl rehearse pull -m US --out friday.snap", "with the last 60 days of the store"],
      [
        "adsctl rehearse pull -m US --reports 90d --anonymous --out share.snap",
        "with pseudonyms, to give away",
      ],
    ],
    library: "await snapshotAccount(profile, { store, days: 60 })",
  })
    .requiredOption("--out <file>", "file to write")
    .option(
      "--reports <days>",
      "days of the store's figures, as 60d (default: 60d, where there is a store)",
      days,
    )
    .option("--anonymous", "put pseudonyms in place of names, keywords, products and links")
    .addOption(marketOption())
    .addOption(accountTypeOption())
    .addOption(accountNameOption())
    .addOption(storeOption())
    .action((options, self) => kit.run((context) => runRehearsePull(options, context), self));
}

async function runRehearsePull(options: RehearsePullOptions, context: CliContext): Promise<number> {
  const { out, reports, anonymous = false } = options;
  const { io, globals, interruption, progress } = context;
  const store = await openStore(options, context);
  try {
    return await withProfile(options, context, async (profile) => {
      const notices: string[] = [];
      const copy = await snapshotAccount(profile, {
        store,
        days: reports,
        anonymous,
        signal: interruption.signal,
        onNotice: (text) => notices.push(text),
        onKind: (kind, count) => void progress.show([`Read ${count} ${kind}`]).catch(() => {}),
      });
      await writeCopy(out, copy);
      await progress.clear();
      if (wantsData(context)) await printJson({ file: out, ...copyData(copy), left: notices }, context);
      else await io.stdout.write(copyLines(copy).map((line) => `${visibleText(line)}\n`).join(""));
      if (!globals.quiet) {
        for (const notice of notices) await io.stderr.write(`${visibleText(notice)}\n`);
        await io.stderr.write(
          `Wrote ${visibleText(out)}: add --rehearse ${visibleText(out)} to any command\n`,
        );
      }
      return EXIT.done;
    });
  } finally {
    await store?.close();
  }
}

async function openStore(options: RehearsePullOptions, context: CliContext): Promise<Warehouse | undefined> {
  const place = storePlace(options, context);
  const isThere = /^[a-z][a-z+]+:\/\//i.test(place) || existsSync(place);
  if (isThere) return await Warehouse.open(place, { now: context.io.now });
  if (options.reports === undefined && options.store === undefined) return undefined;
  throw new UsageError(
    `Cannot find store "${place}", whose figures --reports asks for: "adsctl sync" makes it, or name another with --store`,
  );
}

/** Writes the file so that a reader finds the old one or the new one, whole. */
async function writeCopy(path: string, copy: AccountCopy): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await pipeline(
      Readable.from(packSnapshot(copy)),
      createWriteStream(temporary, { mode: 0o600, flush: true }),
    );
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new UsageError(`Cannot write "${path}": ${(cause as Error).message}`, { cause });
  }
}

function days(text: string): number {
  const count = Number(/^(\d{1,3})d?$/.exec(text.trim())?.[1]);
  if (!(count >= 1)) throw new InvalidArgumentError("It is not a number of days such as 60d.");
  return count;
}
