import type { PlatformAds } from "../../../client/platform_ads.ts";
import type { ProfileClient } from "../../../client/profile_client.ts";
import { namedReport } from "../../../reports/named_report.ts";
import type { EntitySourceChoice } from "../../../store/entities/exports/choose_source.ts";
import type { SyncResult } from "../../../store/sync/sync_result.ts";
import { refusingBadInput, UsageError } from "../../core/errors/cli_error.ts";
import { withAds } from "../../core/connect.ts";
import type { CliContext } from "../../core/context.ts";
import { parseDay } from "../../options/times.ts";
import { EXIT } from "../../core/errors/exit_codes.ts";
import { printJson, printRows, wantsData } from "../../output/print_rows.ts";
import { chosenProfiles } from "../../options/many_profiles.ts";
import { chosenProfile } from "../../options/market_options.ts";
import { queueAddress } from "../../options/store_option.ts";
import type { StoreOptions } from "../../core/store_place.ts";
import { withStore } from "../../core/with_store.ts";
import { askingToAddAccount } from "./asking_to_add_account.ts";
import { enqueueSync } from "./enqueue_sync.ts";
import { SyncProgressLines } from "./sync_progress_lines.ts";
import { say } from "../../output/write_text.ts";

/** Options of {@linkcode runSync}. */
interface SyncCommandOptions extends StoreOptions {
  /** Country codes or profile ids. */
  readonly market?: readonly string[];
  /** Every profile. */
  readonly allProfiles?: true;
  /** Kind of account. */
  readonly accountType?: string;
  readonly accountName?: string;
  /** Presets. */
  readonly report?: readonly string[];
  /** True for the entities alone, false for none; reports and entities when absent. */
  readonly entities?: boolean;
  /** True for the last days by hour. */
  readonly hours?: true;
  /** Store whole months by campaign. */
  readonly months?: true;
  /** How entities are read. */
  readonly source?: EntitySourceChoice;
  /** Days before the newest stored one that are pulled again. */
  readonly restateDays?: number;
  /** The reporting API that is asked. */
  readonly reporting?: "3" | "1";
  readonly start?: string;
  readonly end?: string;
  /** Add another account to the store. */
  readonly addAccount?: true;
  /** Take reports with far less than what is stored. */
  readonly acceptShrink?: true;
  /** Requests at the same time. */
  readonly concurrency?: number;
  /** Minutes to wait for a report. */
  readonly timeout?: number;
  /** Leave it to workers. */
  readonly enqueue?: true;
  /** When to leave it to workers again and again, or `off`. */
  readonly cron?: string;
}

const COLUMNS = ["country_code", "profile_id", "report", "start", "end", "state", "rows"];

const ENTITY_COLUMNS = [
  "country_code",
  "profile_id",
  "kind",
  "state",
  "source",
  "entities",
  "added",
  "changed",
  "removed",
];

/** Brings the store up to date. */
export async function runSync(options: SyncCommandOptions, context: CliContext): Promise<number> {
  const markets = wantedMarkets(options, context);
  const reports = options.report === undefined
    ? undefined
    : await Promise.all(options.report.map(async (word) => (await namedReport(word)).report));
  if (options.source !== undefined && options.entities === false) {
    throw new UsageError("Cannot use --source with --no-entities: it says how entities are read");
  }
  const others = options.hours ?? options.months ?? false;
  const entities = options.entities === true && reports === undefined ? "only" : options.entities ?? !others;
  const [hours, months] = [options.hours, options.months].map((wanted) =>
    wanted && reports === undefined ? "only" : wanted
  );
  const reporting = options.reporting === "1" ? 1 : undefined;
  const isLeft = options.enqueue || options.cron !== undefined;
  if (isLeft) queueAddress(options.store, context);
  return await withAds(context, async (ads) => {
    const profiles = markets === undefined
      ? await everyProfile(ads, options, context)
      : await Promise.all(markets.map((market) => chosenProfile(ads, { ...options, market }, context)));
    const days = await wantedDays(options, profiles);
    if (isLeft) {
      return await enqueueSync(
        { ...options, ...days, reports, entities, hours, months, reporting },
        { profiles, ads },
        context,
      );
    }
    const lines = new SyncProgressLines(context);
    return await withStore({ ...options, create: true }, context, async (store) => {
      try {
        const result = await askingToAddAccount(
          options,
          context,
          (addAccount) =>
            refusingBadInput(() =>
              store.sync(profiles, {
                ...days,
                addAccount,
                reports,
                entities,
                entitySource: options.source,
                restateDays: options.restateDays,
                reporting,
                hours,
                months,
                acceptShrink: options.acceptShrink,
                concurrency: options.concurrency,
                timeout: options.timeout === undefined ? undefined : options.timeout * 60,
                ...(context.globals.demo ? { poll: 1, maxPoll: 1 } : {}),
                signal: context.interruption.signal,
                onProgress: (progress) => lines.tell(progress),
                onWarning: (message) => lines.say(`warning: ${message}`),
              })
            ),
        );
        await lines.end();
        return await tellResult(result, {
          context,
          location: store.location,
          silent: ads.regionFailures.length,
        });
      } finally {
        await lines.end();
      }
    });
  });
}

async function tellResult(
  result: SyncResult,
  { context, location, silent }: { context: CliContext; location: string; silent: number },
): Promise<number> {
  const { io, globals } = context;
  if (wantsData(context)) await printJson(result.toData(), context);
  else if (result.outcomes.length === 0 && result.entities.length > 0) {
    const rows = result.toData()["entities"] as Record<string, unknown>[];
    await printRows(
      rows,
      { columns: ENTITY_COLUMNS, fields: [...ENTITY_COLUMNS, "why", "error"] },
      context,
    );
  } else {
    const rows = (result.toData()["outcomes"] as Record<string, unknown>[]).map((outcome) => outcome);
    await printRows(
      rows,
      { columns: COLUMNS, fields: [...COLUMNS, "report_id", "resumed", "error"] },
      context,
    );
  }
  const summary = result.summary().split("\n");
  await say(`${summary[0]} in ${location}`, { io, globals });
  for (const failure of summary.slice(1)) await io.stderr.write(`error: ${failure}\n`);
  if (result.stopped) return EXIT.interrupted;
  return result.ok && silent === 0 ? EXIT.done : EXIT.someFailed;
}

function wantedMarkets(options: SyncCommandOptions, { io }: CliContext): readonly string[] | undefined {
  const named = options.market !== undefined;
  if (options.allProfiles && named) {
    throw new UsageError("Cannot use -m together with --all-profiles: choose one");
  }
  if (options.allProfiles) return undefined;
  const fallback = io.env["PLATFORM_ADS_MARKET"];
  if (options.market !== undefined) return options.market;
  if (fallback) return fallback.split(",");
  throw new UsageError(
    "Cannot choose profiles: give -m with country codes or profile ids, or --all-profiles",
  );
}

async function everyProfile(
  ads: PlatformAds,
  { accountType, accountName }: SyncCommandOptions,
  context: CliContext,
): Promise<readonly ProfileClient[]> {
  const narrow = {
    ...(accountType === undefined ? {} : { accountType }),
    ...(accountName === undefined ? {} : { accountName }),
  };
  const { profiles, unreachable } = await chosenProfiles(ads, { ...narrow, allProfiles: true }, context);
  for (const { name, reason } of unreachable) {
    await context.io.stderr.write(`error: ${name} does not list its profiles: ${reason}\n`);
  }
  return profiles;
}

/** Days before today are counted where the first profile is. */
async function wantedDays(
  { start, end }: SyncCommandOptions,
  profiles: readonly ProfileClient[],
): Promise<{ start: string | undefined; end: string | undefined }> {
  const today = profiles[0]?.reports.today ?? new Date().toISOString().slice(0, 10);
  return {
    start: start === undefined ? undefined : await parseDay(start, { option: "--start", today }),
    end: end === undefined ? undefined : await parseDay(end, { option: "--end", today }),
  };
}
