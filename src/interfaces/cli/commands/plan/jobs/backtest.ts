import { importedAccount } from "../../../../../account/imports/imported_account.ts";
import type { JobResult } from "../../../../../account/jobs/job_result.ts";
import { ConfigurationError } from "../../../../../errors.ts";
import { addDays, dayIn } from "../../../../../base/time/calendar.ts";
import { readAsOf } from "../../../../../base/time/moment.ts";
import { moneyText, percentText, roundMoney } from "../../../../../base/text/money_text.ts";
import { decimalsOf, normalizeCountry, timeZoneOf } from "../../../../../base/markets/markets.ts";
import type { ChangePlan } from "../../../../../plans/change_plan/change_plan.ts";
import { planView } from "../../../../../plans/view/plan_view.ts";
import { type PlanOutcome, planOutcome } from "../../../../../store/figures/plan_outcome.ts";
import type { Warehouse } from "../../../../../store/warehouse/warehouse.ts";
import { connectImported } from "../../../shell/connect/connect.ts";
import type { CliContext } from "../../../shell/context/context.ts";
import { EXIT, refusingBadInput, UsageError } from "../../../shell/io/cli_error.ts";
import { openStore } from "../../../shell/connect/open_store.ts";
import { isForMany } from "../../../shell/options/many_profiles.ts";
import { wantedMarket } from "../../../shell/options/market_options.ts";
import { parseMoment } from "../../../shell/options/times.ts";
import { printJson, wantsData } from "../../../shell/output/print_rows.ts";
import { say, sayNotes, writeText } from "../../../shell/output/write_text.ts";
import { planText } from "../../../shell/output/plan_text.ts";
import { jobData, summary } from "./job_text.ts";
import type { Job, JobOptions } from "./job.ts";

const SHOWN = 40;

/**
 * Makes the plan with the entities and figures known at a past time, and shows what has happened since. Reads only the
 * store and saves nothing.
 */
export async function runBacktest<Result extends JobResult>(
  options: JobOptions & { readonly asOf: string },
  context: CliContext,
  job: Job<Result>,
): Promise<number> {
  refuseOthers(options);
  const market = wantedMarket(options, context);
  const store = await openStore(options, context);
  const { profileId, countryCode } = await profileOf(store, market);
  const zone = timeZoneOf({ countryCode });
  const { at, day } = momentOf(options.asOf, { zone, context });
  const past = store.asOf(at);
  if ((await past.entities(profileId)).size === 0) {
    throw new UsageError(
      `Cannot plan as of ${options.asOf}: the store ${store.location} knew no campaigns and keywords of ${market} then. ` +
        '"adsctl sync --entities" stores them from now on',
    );
  }
  const covered = (await past.coverage()).filter((one) =>
    one.profileId === profileId && job.fileReports?.some((report) => report === one.report)
  );
  if (covered.length === 0) {
    const unknown = await store.whyUnknownAt(at);
    throw new UsageError(
      `Cannot plan as of ${options.asOf}: ${
        unknown ?? `no ${job.fileReports?.join(" or ")} was stored then`
      }`,
    );
  }
  const today = [day, ...covered.map(({ lastDay }) => addDays(lastDay, 1))].sort()[0]!;
  const { copy } = await importedAccount(past, profileId);
  const ads = await connectImported(context, { copy, store: past, at });
  const client = await ads.profile(profileId);
  const { signal } = context.interruption;
  const reports = new Set(covered.map(({ report }) => String(report)));
  const figures = { store: past, sync: false as const, today, signal, reports };
  const result = await refusingBadInput(() => job.run(client, figures));
  const since = await sinceThen(store, result.plan, { day, context });
  const view = { ...planView(result.plan, wantsData(context) ? {} : { limit: SHOWN }), rehearsal: null };
  if (wantsData(context)) {
    await printJson({ ...view, ...jobData(result), as_of: at, since }, context);
    return EXIT.done;
  }
  await sayNotes(summary(result), context);
  await say("", context);
  await writeText(
    planText(view, { limit: SHOWN }, context),
    context,
  );
  for (const line of sinceLines(since, { at, countryCode })) await say(line, context);
  return EXIT.done;
}

function refuseOthers(options: JobOptions): void {
  const given = [
    ["--from-files", options.fromFiles],
    ["--hold-back", options.holdBack],
    ["--out", options.out],
  ].find(([, value]) => value !== undefined);
  if (given !== undefined) {
    throw new UsageError(`Cannot use ${given[0]} with --as-of: such a plan is only shown, never applied`);
  }
  if (isForMany(options)) {
    throw new UsageError("Cannot use --as-of for many profiles: name one market with -m");
  }
}

async function profileOf(
  store: Warehouse,
  market: string,
): Promise<{ readonly profileId: string; readonly countryCode: string }> {
  const found = (await store.profiles()).filter(({ profileId, countryCode }) =>
    profileId === market || countryCode === normalizeCountry(market)
  );
  const [first, ...others] = found;
  if (first === undefined) throw new UsageError(`Cannot plan as of a day: nothing of ${market} is stored`);
  if (others.length > 0) {
    const ids = found.map(({ profileId }) => profileId).join(", ");
    throw new UsageError(`Cannot choose a profile of ${market}: name one of ${ids} with -m`);
  }
  return first;
}

function momentOf(
  text: string,
  { zone, context }: { zone: string; context: CliContext },
): { readonly at: string; readonly day: string } {
  const now = context.io.now();
  const time = parseMoment(text, { option: "--as-of", now });
  if (time > now) throw new UsageError(`Cannot plan as of ${text}: it has not come yet`);
  const at = readAsOf(text, "--as-of", { now });
  const isDay = Date.parse(at) !== time;
  return { at, day: dayIn(isDay ? "UTC" : zone, Date.parse(at)) };
}

async function sinceThen(
  store: Warehouse,
  plan: ChangePlan,
  { day, context }: { day: string; context: CliContext },
): Promise<PlanOutcome | { readonly unknown: string }> {
  if (plan.changes.length === 0) return { unknown: "the plan changes nothing" };
  const applied = {
    appliedAt: `${day}T12:00:00Z`,
    ok: true,
    summary: "",
    changes: plan.changes.map(({ id }) => ({ id, outcome: "done" as const })),
    override: undefined,
  };
  try {
    return await planOutcome(store, { plan, applied, days: 28, now: context.io.now() });
  } catch (error) {
    if (error instanceof ConfigurationError) return { unknown: `no complete day has passed since ${day}` };
    throw error;
  }
}

function sinceLines(
  since: PlanOutcome | { readonly unknown: string },
  { at, countryCode }: { at: string; countryCode: string },
): string[] {
  const first = `\nBased on data known at ${at}. Nothing was sent or saved`;
  if ("unknown" in since) return [first, `What happened since is unknown: ${since.unknown}`];
  const { before, after, totals, comparison } = since;
  const decimals = decimalsOf(countryCode);
  const money = (value: number): string => moneyText(roundMoney(value, decimals), decimals);
  const share = (value: number | null | undefined): string =>
    value === null || value === undefined ? "unknown" : percentText(value);
  const sides = totals.before === null || totals.after === null ? [] : [
    ["spend a day", money(totals.before.cost_per_day), money(totals.after.cost_per_day)],
    ["clicks", totals.before.clicks, totals.after.clicks],
    ["orders", totals.before.orders, totals.after.orders],
    ["ACOS", share(totals.before.acos), share(totals.after.acos)],
  ];
  const { beside } = comparison;
  return [
    first,
    `Since then, without this plan: ${after.start} to ${after.end} against ${before.start} to ${before.end}`,
    ...sides.length === 0 ? ["  unknown: their days are not all stored"] : [],
    ...sides.map(([name, was, is]) => `  ${name}: ${was} before, ${is} after`),
    ...beside === null ? [] : [
      `  sales of these: ${share(beside.changed)} more; of others of their kind: ${
        share(beside.others)
      } more`,
    ],
    `The plan's effect is not known: ${comparison.reason}`,
    "Changes before that day are not known, so the plan includes recently changed entities (as with --again)",
  ];
}
