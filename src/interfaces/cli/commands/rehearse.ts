import { isAddress } from "../../../base/text/is_address.ts";
import { spellKind } from "../../../platform/catalog/kind_names.ts";
import { planRehearseCommand } from "./plan/plan_rehearse.ts";
import type { AccountCopy } from "../../../emulator/state/account_copy.ts";
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { command, group } from "../shell/command.ts";
import { readSnapshotFile, rehearsalEnvironment } from "../../demo/rehearsal.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { CliError, EXIT, refusingBadInput, UsageError } from "../shell/io/cli_error.ts";
import { printJson, wantsData } from "../shell/output/print_rows.ts";
import { say, writeText } from "../shell/output/write_text.ts";
import { rename, rm } from "node:fs/promises";
import { demoFiles } from "../../demo/demo_files.ts";
import { DemoLock } from "../../demo/demo_lock.ts";
import { stateFolder } from "../../../base/runtime/user_folders.ts";
import { createWriteStream, existsSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { packSnapshot } from "../../../account/rollout/snapshot_file.ts";
import { snapshotAccount } from "../../../account/rollout/snapshot_account.ts";
import { Warehouse } from "../../../store/warehouse/warehouse.ts";
import type { CliContext } from "../shell/context/context.ts";
import { storeOption, type StoreOptions, storePlace } from "../shell/options/store_option.ts";
import { connectProfile } from "../shell/connect/connect.ts";
const rehearseShowCommand = command(
  (kit) =>
    kit.leaf("show", {
      summary: "Show the contents and date of an account copy",
      details: "Verifies the file's checksum.",
      examples: [["adsctl account rehearse show friday.snap", "show profile, entities and figures"]],
      library: "await unpackSnapshot(file.stream())",
    })
      .argument("<file>", "account copy from adsctl account rehearse pull"),
  async (file, _, context) => {
    const copy = await refusingBadInput(() => readSnapshotFile(file));
    if (wantsData(context)) await printJson({ file, ...copyData(copy) }, context);
    else await writeText(copyLines(copy).map((line) => `${visibleText(line)}\n`).join(""), context);
    return EXIT.done;
  },
);

const rehearseResetCommand = command(
  (kit) =>
    kit.leaf("reset", {
      summary: "Reset the rehearsal of an account copy",
      details:
        "Discards changes, plans, store and daily limits of the rehearsal, and keeps the file. A new copy always " +
        "starts fresh.",
      examples: [["adsctl account rehearse reset friday.snap", "begin again"]],
    })
      .argument("<file>", "account copy from adsctl account rehearse pull"),
  async (file, _, { io, globals }) => {
    const env = await refusingBadInput(() => rehearsalEnvironment(io.env, file));
    const folder = stateFolder(env);
    const { lock: path } = demoFiles(env);
    const lock = DemoLock.tryTake(path);
    if (lock === undefined) {
      throw new CliError(
        `Cannot reset the rehearsal: ${DemoLock.holder(path)} is using it. Stop that first`,
        EXIT.failed,
      );
    }
    lock.release();
    await rm(folder, { recursive: true, force: true });
    await say(`The rehearsal of ${visibleText(file)} is reset`, { io, globals });
    return EXIT.done;
  },
);

const rehearsePullCommand = command(
  (kit) =>
    kit.profileLeaf("pull", {
      summary: "Copy an account: entities, rules and shopper behaviour",
      details:
        "Reads entities of every kind and state, portfolios, rules, themes and creatives. The store's figures set " +
        "each keyword's impressions, click and conversion rates, and CPC; without a store, these are synthetic. " +
        "The file contains no credentials.",
      examples: [
        ["adsctl account rehearse pull -m US --out friday.snap", "use the last 60 days of the store"],
        [
          "adsctl account rehearse pull -m US --reports 90d --anonymous --out share.snap",
          "use pseudonyms, to share the copy",
        ],
      ],
      library: "await snapshotAccount(profile, { store, days: 60 })",
    })
      .requiredOption("--out <file>", "file to write")
      .option(
        "--reports <days>",
        "days of stored figures, such as 60d (default: 60d, if there is a store)",
        days,
      )
      .option("--anonymous", "replace names, keywords, products and links with pseudonyms")
      .addOption(storeOption()),
  async (options, context) => {
    const { out, reports, anonymous = false } = options;
    const { io, globals, interruption, progress } = context;
    const store = await openStore(options, context);
    try {
      const profile = await connectProfile(options, context);
      const notices: string[] = [];
      const work = progress.work({ noun: "entity" });
      let done = 0;
      const copy = await snapshotAccount(profile, {
        store,
        days: reports,
        anonymous,
        signal: interruption.signal,
        onNotice: (text) => notices.push(text),
        onKind: (kind, count) => work.count({ done: done += count, name: spellKind(kind) }),
      });
      await writeCopy(out, copy);
      await work.end();
      if (wantsData(context)) await printJson({ file: out, ...copyData(copy), left: notices }, context);
      else await writeText(copyLines(copy).map((line) => `${visibleText(line)}\n`).join(""), context);
      if (!globals.quiet) {
        for (const notice of notices) await io.stderr.write(`${visibleText(notice)}\n`);
        await io.stderr.write(
          `Wrote ${visibleText(out)}: add --rehearse ${visibleText(out)} to any command\n`,
        );
      }
      return EXIT.done;
    } finally {
      await store?.close();
    }
  },
);

async function openStore(
  options: StoreOptions & { reports?: number },
  context: CliContext,
): Promise<Warehouse | undefined> {
  const place = storePlace(options, context);
  const isThere = isAddress(place) || existsSync(place);
  if (isThere) return await Warehouse.open(place, { now: context.io.now });
  if (options.reports === undefined && options.store === undefined) return undefined;
  throw new UsageError(
    `Cannot find store "${place}", needed for --reports: create it with "adsctl sync", or choose another with --store`,
  );
}

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
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT"
      ? "the folder does not exist"
      : code === "EISDIR"
      ? "it is a folder"
      : message;
    throw new UsageError(`Cannot write "${path}": ${why}`, { cause });
  }
}

function days(text: string): number {
  const count = Number(/^(\d{1,3})d?$/.exec(text.trim())?.[1]);
  if (!(count >= 1)) throw new InvalidArgumentError("It is not a number of days such as 60d.");
  return count;
}

function copyData({ takenAt, profiles }: AccountCopy): Record<string, unknown> {
  return {
    taken_at: takenAt,
    profiles: profiles.map(({ record, collections, levels }) => ({
      profile_id: record.profileId,
      country_code: record.countryCode,
      name: record.accountInfo.name,
      entities: Object.fromEntries(
        Object.entries(collections).map(([kind, entities]) => [kind, entities.length]),
      ),
      keywords_with_figures:
        Object.values(levels?.clauses ?? {}).filter(({ impressions }) => impressions > 0).length,
    })),
  };
}

const FAMILIES: readonly (readonly [prefix: string, name: string])[] = [
  ["sp.", "Sponsored Products"],
  ["sb.", "Sponsored Brands"],
  ["sd.", "Sponsored Display"],
  ["", "Portfolios"],
];

function copyLines({ takenAt, profiles }: AccountCopy): string[] {
  return profiles.flatMap(({ record, collections, levels }) => {
    const left = new Map(Object.entries(collections).filter(([, { length }]) => length > 0));
    const families = FAMILIES.flatMap(([prefix, name]) => {
      const own = [...left].filter(([kind]) => kind.startsWith(prefix));
      for (const [kind] of own) left.delete(kind);
      const counts = own.map(([kind, { length }]) =>
        kind === "portfolios" ? `${length}` : `${length} ${kind.slice(prefix.length).replaceAll("_", " ")}`
      );
      return counts.length === 0 ? [] : [`  ${name}: ${counts.join(", ")}`];
    });
    const seen = Object.values(levels?.clauses ?? {}).filter(({ impressions }) => impressions > 0).length;
    return [
      `${record.countryCode} ${record.profileId} ${record.accountInfo.name}, copied ${takenAt}`,
      ...families,
      levels === undefined
        ? "  Traffic is synthetic, as in the demo account: the copy has no figures"
        : `  Traffic is based on the figures of ${seen} keywords and targets`,
    ];
  });
}

export const rehearseCommand = group(
  "rehearse",
  {
    summary: "Copy an account, and try changes on the copy",
    details:
      "--rehearse COPY works like --demo, but on your copy: with every command, the console and the tool server " +
      "(adsctl plan apply plan.json --rehearse friday.snap). Nothing reaches the account. Plans, stores and " +
      "daily limits belong to the rehearsal.",
    examples: [
      ["adsctl account rehearse pull -m US --out friday.snap", "copy the account"],
      ["adsctl account rehearse show friday.snap", "show the copy and its rehearsal"],
      ["adsctl account rehearse reset friday.snap", "reset the rehearsal"],
    ],
    library: "await Emulator.start({ account: await snapshotAccount(profile) })",
  },
  [
    rehearsePullCommand,
    rehearseShowCommand,
    rehearseResetCommand,
    planRehearseCommand,
  ],
);
