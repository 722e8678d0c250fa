import type { Command } from "@commander-js/extra-typings";
import { commandWords } from "../../../../operations/model/command_words.ts";
import { sync, syncOptions } from "../../../../operations/reads/sync.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { command } from "../../shell/command.ts";
import { separated } from "../../shell/options/parse_values.ts";
import { queueAddress, storeOption } from "../../shell/options/store_option.ts";
import {
  accountNameOption,
  accountTypeOption,
  chosenProfile,
  exceptOption,
} from "../../shell/options/market_options.ts";
import type { PlatformAds } from "../../../../client/platform_ads.ts";
import { AuthError } from "../../../../errors.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import type { SyncProblem, SyncResult } from "../../../../store/sync/sync_result.ts";
import { EXIT, refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { RefusedProfiles } from "../../shell/connect/refused_profiles.ts";
import { connectAds } from "../../shell/connect/connect.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { roomOption } from "../../shell/connect/open_room.ts";
import { printJson, printRows, wantsData } from "../../shell/output/print_rows.ts";
import { checkManyProfiles, chosenProfiles } from "../../shell/options/many_profiles.ts";
import { openStore } from "../../shell/connect/open_store.ts";
import { askingToAddAccount } from "./asking_to_add_account.ts";
import { type EnqueueOptions, enqueueSync } from "./enqueue_sync.ts";
import { type JobReportSyncOptions, runJobReportSync } from "./sync_job_reports.ts";
import { runWorkflowSync, type WorkflowSyncOptions } from "./sync_workflows.ts";
import { SyncProgressLines } from "./sync_progress_lines.ts";
import { say } from "../../shell/output/write_text.ts";

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

type OwnOptions =
  & Omit<EnqueueOptions, keyof Awaited<ReturnType<typeof syncOptions>>>
  & Pick<WorkflowSyncOptions, "room" | "again">
  & Pick<JobReportSyncOptions, "market" | "advertiser">
  & { readonly workflows?: string; readonly jobs?: readonly string[] };

export const syncCommand = command(
  (kit) => {
    const doc = operationDoc(sync);
    const leaf = kit.leaf("sync", {
      ...doc,
      printsRows: true,
      examples: [
        ["adsctl sync --all-profiles --store ads.sqlite", "sync every profile of the login"],
        ...doc.examples,
        ["adsctl sync --workflows queries", "store results of clean-room queries"],
        [
          "adsctl sync -m US --jobs attribution,brand-metrics",
          "store traffic from other sites, and brand metrics",
        ],
        ["adsctl sync -m US -m DE --report campaigns,search-terms", "sync two markets and two reports"],
        [
          "adsctl sync --all-profiles --store postgres://ads@db/ads --cron '15 5 * * *'",
          "let workers sync daily",
        ],
      ],
    })
      .option("-m, --market <markets>", "country codes or profile ids; repeatable", separated)
      .option("--all-profiles", "every profile of the login")
      .addOption(exceptOption())
      .addOption(accountTypeOption())
      .addOption(accountNameOption())
      .addOption(storeOption());
    return addFields(leaf, sync.input)
      .option(
        "--workflows <folder>",
        "store only results of the clean-room queries in .sql files; the key sync in a file's head has each (day, week " +
          "or month), days (back) and zone. A window is run once, and again when the SQL changes",
      )
      .addOption(roomOption())
      .option(
        "--jobs <names>",
        "store only these reports from separate APIs, by week: attribution, brand-metrics, dsp, dsp-v2, or some of " +
          "them, such as attribution-campaigns. A complete week is requested once, and again when the platform restates it",
        separated,
      )
      .option(
        "--advertiser <ids>",
        "DSP advertiser ids, for dsp and dsp-v2 of --jobs (dsp: also entity ids); repeatable",
        separated,
      )
      .option(
        "--again",
        "with --workflows: run windows that are not stored anew although such a run is open or may exist",
      )
      .option("--add-account", "allow profiles of another login in the same store")
      .option(
        "--enqueue",
        "queue one job per profile and report in a PostgreSQL store, for adsctl auto worker",
      )
      .option(
        "--cron <time>",
        "repeat at this cron time in UTC (minute hour day month weekday); off stops it",
      ) as unknown as Command<[], OwnOptions>;
  },
  async (options, context) => {
    const input = await operationInput(sync, options);
    const days = { start: input.start, end: input.end, timeout: input.timeout };
    if (options.workflows !== undefined && options.jobs !== undefined) {
      throw new UsageError("Cannot use --workflows together with --jobs: run adsctl sync twice");
    }
    if (options.workflows !== undefined) {
      return await runWorkflowSync(options.workflows, { ...options, ...days }, context);
    }
    if (options.again) throw new UsageError("Cannot use --again without --workflows");
    const markets = wantedMarkets(options, context);
    if (options.jobs !== undefined) {
      return await runJobReportSync(options.jobs, { ...options, ...days, markets }, context);
    }
    if (options.advertiser !== undefined) {
      throw new UsageError("Cannot use --advertiser without --jobs: it is for DSP reports");
    }
    checkManyProfiles({ except: options.except, ...options.allProfiles ? { allProfiles: true } : {} });
    const isLeft = options.enqueue || options.cron !== undefined;
    if (isLeft) queueAddress(options.store, context);
    const ads = await connectAds(context);
    const refused = await RefusedProfiles.read(context);
    const everyone = markets === undefined ? await everyProfile(ads, options, context) : [];
    const profiles = markets === undefined
      ? isLeft ? everyone : await refused.withoutThoseOfToday(everyone)
      : await Promise.all(markets.map((market) => chosenProfile(ads, { ...options, market }, context)));
    if (isLeft) {
      const wanted = { ...options, ...await syncOptions(input, profiles) };
      return await enqueueSync(wanted, { profiles, ads }, context);
    }
    const lines = new SyncProgressLines(context);
    const store = await openStore({ ...options, create: true }, context);
    try {
      const result = await askingToAddAccount(
        options,
        context,
        (addAccount) =>
          refusingBadInput(() =>
            sync.run({
              store,
              profiles,
              addAccount,
              signal: context.interruption.signal,
              onProgress: (progress) => lines.tell(progress),
              onWarning: (message) => lines.say(`warning: ${message}`),
            }, input)
          ),
      );
      await lines.end();
      return await tellResult(result, {
        context,
        location: store.location,
        silent: ads.regionFailures.length,
        profiles,
        refused,
        forAll: markets === undefined,
      });
    } finally {
      await lines.end();
    }
  },
);

async function tellResult(
  result: SyncResult,
  { context, location, silent, profiles, refused, forAll }: {
    context: CliContext;
    location: string;
    silent: number;
    profiles: readonly ProfileClient[];
    refused: RefusedProfiles;
    /**
     * True for `--all-profiles`. A profile that was already refused on earlier days then does not count as a failure.
     */
    forAll: boolean;
  },
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
  } else if (!io.stdout.isTerminal || globals.format !== "auto" || globals.fields !== undefined) {
    // On a terminal the lines of the profiles and the sum say it shorter.
    const rows = result.toData()["outcomes"] as Record<string, unknown>[];
    await printRows(
      rows,
      { columns: COLUMNS, fields: [...COLUMNS, "report_id", "resumed", "error"] },
      context,
    );
  }
  const [head = "", ...lines] = result.summary().split("\n");
  await say(`${head} in ${location}`, { io, globals });
  const { problems } = result;
  const isKnown = ({ isRefused, profileId }: SyncProblem): boolean =>
    forAll && isRefused && refused.isOld(profileId);
  const known = new Set(problems.filter(isKnown).map(({ text }) => text));
  for (const line of lines) {
    await io.stderr.write(`${known.has(line) ? "warning" : "error"}: ${commandWords(line)}\n`);
  }
  const refusedIds = new Set(problems.flatMap((one) => one.isRefused ? [one.profileId] : []));
  const tried = new Set([...result.outcomes, ...result.entities].map(({ profileId }) => profileId));
  await refused.keep(
    [...tried].map((profileId) => ({ profileId, isRefused: refusedIds.has(profileId) })),
  );
  if (result.stopped) return EXIT.interrupted;
  if (problems.some(({ error }) => error instanceof AuthError)) return EXIT.authentication;
  const isReached = profiles.some(({ profileId }) => !refusedIds.has(profileId));
  return problems.length === known.size && isReached && silent === 0 ? EXIT.done : EXIT.someFailed;
}

function wantedMarkets(
  options: { market?: readonly string[] | undefined; allProfiles?: true },
  { io }: CliContext,
): readonly string[] | undefined {
  const named = options.market !== undefined;
  if (options.allProfiles && named) {
    throw new UsageError("Cannot use -m together with --all-profiles: choose one");
  }
  if (options.allProfiles) return undefined;
  const fallback = io.env["PLATFORM_ADS_MARKET"];
  if (options.market !== undefined) return options.market;
  if (fallback) return fallback.split(",");
  throw new UsageError(
    "Cannot choose profiles: add -m with country codes or profile ids, or --all-profiles",
  );
}

async function everyProfile(
  ads: PlatformAds,
  { accountType, accountName, except }: {
    accountType?: string;
    accountName?: string;
    except?: readonly string[] | undefined;
  },
  context: CliContext,
): Promise<readonly ProfileClient[]> {
  const narrow = {
    ...(accountType === undefined ? {} : { accountType }),
    ...(accountName === undefined ? {} : { accountName }),
  };
  const { profiles, unreachable } = await chosenProfiles(
    ads,
    { ...narrow, except, allProfiles: true },
    context,
  );
  for (const { name, reason } of unreachable) {
    await context.io.stderr.write(`error: ${name} does not list its profiles: ${reason}\n`);
  }
  return profiles;
}
