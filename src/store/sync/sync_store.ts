import { type EntitiesByKind, listedTargets, targetKinds } from "../../client/reports/target_ids.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import { AuthError } from "../../errors.ts";
import { dayIn } from "../../base/time/calendar.ts";
import { unjoinedText } from "../../client/reports/preset_sources.ts";
import { timeZoneOf } from "../../base/markets/markets.ts";
import { syncEntities } from "./sync_entities.ts";
import { judgeMaturity } from "../views/maturity.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { ShrinkError, StoreError } from "../model/store_error.ts";
import { checkAccounts } from "./check_accounts.ts";
import { limitedScope, Limiter } from "./limiter.ts";
import { type PlannedPull, planSync } from "./plan_sync.ts";
import type { SyncProfile } from "./sync_profile.ts";
import { pullReport } from "./pull_report.ts";
import type { SyncOptions } from "./sync_options.ts";
import { type SyncOutcome, SyncResult } from "./sync_result.ts";

const CONCURRENCY = 8;

export async function syncStore(
  parts: { driver: StoreDriver; now: () => number; profiles: readonly SyncProfile[] },
  options: SyncOptions,
): Promise<SyncResult> {
  const { concurrency = CONCURRENCY } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`Cannot send ${concurrency} requests at a time: it is not a whole number from 1 up`);
  }
  await checkAccounts(parts.driver, parts.profiles, options);
  const { entities = false, hours = false, months = false } = options;
  const planned = entities === "only" || hours === "only" || months === "only"
    ? []
    : await planSync(parts.driver, parts.profiles, options);
  const requests = new Limiter(concurrency);
  const downloads = new Limiter(concurrency);
  const hopeless = new AbortController();
  const signal = options.signal === undefined
    ? hopeless.signal
    : AbortSignal.any([options.signal, hopeless.signal]);

  const scopes = new Map<SyncProfile, ProfileScope>();
  const scopeOf = (profile: SyncProfile): ProfileScope => {
    const scope = scopes.get(profile) ?? limitedScope(profile, requests);
    scopes.set(profile, scope);
    return scope;
  };

  for (const { entry } of planned) {
    const { profileId, countryCode, report, start, end, reportId, state } = entry;
    const which = { profileId, countryCode, report, start, end, reportId };
    options.onProgress?.({ kind: "planned", ...which, status: state, seconds: 0, rows: 0 });
  }
  const pulledEntities = entities === false ? [] : parts.profiles.map((profile) =>
    syncEntities({
      driver: parts.driver,
      now: parts.now,
      scope: scopeOf(profile),
      signal,
      source: options.entitySource,
      acceptShrink: options.acceptShrink,
      poll: options,
      onProgress: options.onProgress,
      onWarning: options.onWarning,
    })
  );
  const readEntities = Promise.all(pulledEntities);
  const targetsOf = (scope: ProfileScope) => async (adProduct: string): Promise<EntitiesByKind> => {
    await readEntities;
    return await storedTargets(parts.driver, scope, { adProduct, signal });
  };
  const readOthers = pullHoursAndMonths({ ...parts, scopeOf, targetsOf }, { ...options, signal });
  const pull = async ({ profile, entry, resumed }: PlannedPull): Promise<SyncOutcome> => {
    const scope = scopeOf(profile);
    const timeZone = timeZoneOf({ countryCode: profile.countryCode, timezone: profile.profile?.timezone });
    const outcome = await pullReport(entry, {
      ...parts,
      scope,
      timeZone,
      accountType: profile.profile?.accountInfo?.type,
      today: dayIn(timeZone, profile.transport.now()),
      targets: targetsOf(scope),
      downloads,
      options: { ...options, signal },
    });
    if (concernsAll(outcome.error)) hopeless.abort(outcome.error);
    return { ...outcome, resumed };
  };
  const pulled = await Promise.all(planned.map(async (one) => {
    const outcome = await pull(one);
    if (one.newer === undefined || outcome.state !== "stored") return [outcome];
    return [outcome, await pull({ ...one, entry: await one.newer(), resumed: false })];
  }));
  const outcomes = [...pulled.flat(), ...await readOthers];
  const entityOutcomes = (await readEntities).flat();
  const stopped = options.signal?.aborted ?? false;
  for (const { report, countryCode, rows, unjoined = 0, start, end } of outcomes) {
    if (unjoined > 0) {
      options.onWarning?.(`${countryCode} ${report} ${start} to ${end}: ${unjoinedText(unjoined, rows)}`);
    }
  }
  if (!stopped && outcomes.length > 0) {
    await judgeMaturity(parts.driver, parts.now()).catch((error: Error) => {
      // What was stored is reported all the same.
      options.onWarning?.(`Cannot judge how much of recent figures is still to come: ${error.message}`);
    });
  }
  return new SyncResult({ outcomes, entities: entityOutcomes, stopped });
}

async function pullHoursAndMonths(
  { profiles, scopeOf, targetsOf, ...parts }: {
    readonly driver: StoreDriver;
    readonly now: () => number;
    readonly profiles: readonly SyncProfile[];
    readonly scopeOf: (profile: SyncProfile) => ProfileScope;
    readonly targetsOf: (scope: ProfileScope) => (adProduct: string) => Promise<EntitiesByKind>;
  },
  options: SyncOptions,
): Promise<SyncOutcome[]> {
  const pulls = [
    ...options.hours ? [(await import("./sync_hours.ts")).syncHours] : [],
    ...options.months ? [(await import("./sync_months.ts")).syncMonths] : [],
  ];
  const each = new Map(profiles.map((profile) => [profile.profileId, profile]));
  const outcomes = await Promise.all(
    Array.from(each.values()).flatMap((profile) => {
      const scope = scopeOf(profile);
      return pulls.map((pull) => pull({ ...parts, profile, scope, targets: targetsOf(scope), options }));
    }),
  );
  return outcomes.filter((outcome) => outcome !== undefined);
}

function concernsAll(error: Error | undefined): boolean {
  return error instanceof AuthError || error instanceof StoreError && !(error instanceof ShrinkError);
}

/** Reads the stored keywords and targets; falls back to the account's keywords and targets if none were ever stored. */
async function storedTargets(
  driver: StoreDriver,
  scope: ProfileScope,
  { adProduct, signal }: { readonly adProduct: string; readonly signal?: AbortSignal | undefined },
): Promise<EntitiesByKind> {
  const kinds = targetKinds(adProduct);
  const places = kinds.map(() => "?").join(", ");
  const query = async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await driver.query(sql, { params: [scope.profileId, ...kinds], maxRows: Infinity })).rows;
  const pulled = await query(`SELECT kind FROM entity_pulls WHERE profile_id = ? AND kind IN (${places})`);
  if (pulled.length === 0) return await listedTargets(scope, adProduct, signal);
  const rows = await query(
    `SELECT kind, CAST(data AS text) AS data FROM entities WHERE profile_id = ? AND kind IN (${places})`,
  );
  const found = new Map<string, Readonly<Record<string, unknown>>[]>();
  for (const { kind, data } of rows) {
    const list = found.get(String(kind)) ?? [];
    found.set(String(kind), list);
    list.push(JSON.parse(String(data)));
  }
  return found;
}
