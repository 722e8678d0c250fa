import { kindAdvice, kindAndField, kindOf } from "../../platform/catalog/kind_names.ts";
import { RESOURCE_KINDS } from "../../client/entities/kinds/kinds.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { AccountFiles } from "../files/account_files.ts";
import { isIgnoredCampaign, SETTINGS_FILE } from "../files/account_settings.ts";
import { diffAccount } from "./diff_account.ts";
import { changeRows } from "../../plans/model/differences.ts";
import type { DriftEntry } from "./drift_entry.ts";
import { type NamedEvent, namedEvents } from "./named_events.ts";
import { type AppliedPlanSource, fieldsOfEvent, PlanRecord } from "./plan_record.ts";
import { ConfigurationError } from "../../errors.ts";
import { milliseconds, type Moment } from "../../base/time/moment.ts";
import { type BegunExperiment, experimentsIn, heldAt } from "../../plans/store/running_experiments.ts";
import { PlanStore } from "../../plans/store/plan_store.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { ruleDrift } from "./rule_drift.ts";
import { snapshotDrift } from "./snapshot_drift.ts";

/** Period, scope and sources for {@linkcode accountDrift}. */
export interface AccountDriftOptions {
  /**
   * Start: a moment, the last `"pull"` of `files`, or the last applied `"plan"`.
   *
   * @default the last pull of `files`, else the last applied plan
   */
  readonly since?: Moment | "pull" | "plan" | undefined;
  /** Sources of applied plans, to recognize the changes they made. @default none: no change is attributed to a plan */
  readonly plans?: readonly (PlanStore | AppliedPlanSource)[] | undefined;
  /** Pulled files, which reveal changes that the history does not report. @default none */
  readonly files?: AccountFiles | undefined;
  /**
   * Store with syncs from before and after `since`, which reveal changes that the history does not report.
   *
   * @default none
   */
  readonly store?: Warehouse | undefined;
  /** Kinds and fields to ignore, for example `sp.product_ads` or `sp.keywords.bid`. */
  readonly ignore?: readonly string[] | undefined;
  /** Aborts reading the history, the rules and the current state. */
  readonly signal?: AbortSignal | undefined;
}

/** Changes in an account since a moment. */
export interface AccountDrift {
  /** Start of the compared period, ISO 8601. */
  readonly since: string;
  /** Origin of `since`: the last pull, the last applied plan, or the caller. */
  readonly base: "pull" | "plan" | "moment";
  /** Changes, oldest first; those without a time come last. */
  readonly entries: readonly DriftEntry[];
  /** True when every change was made by a plan. */
  readonly isOurs: boolean;
}

const PLATFORM_CHANGES: ReadonlySet<string> = new Set(["IN_BUDGET"]);

/**
 * Lists the changes in an account since the last pull or plan, each attributed to an applied plan, the platform, or
 * someone else. Reads only. The history does not record who made a change; it is attributed to a plan that sent it at
 * that time.
 *
 * @throws {ConfigurationError} when no start is given and none can be derived.
 * @throws {RangeError} for a moment before the platform's history begins.
 *
 * @example
 * ```ts
 * import { PlanStore, type ProfileClient } from "@platform/ads";
 * import { accountDrift } from "@platform/ads/account";
 *
 * async function yesterday(ca: ProfileClient): Promise<void> {
 *   const since = new Date(Date.now() - 86_400_000);
 *   const { entries } = await accountDrift(ca, { since, plans: [PlanStore.open("plans")] });
 *   for (const { at, label, change, before, after, by, plan } of entries) {
 *     console.log(at, label, change, before, after, plan?.planId ?? by);
 *   }
 * }
 * ```
 */
export async function accountDrift(
  profile: ProfileClient,
  options: AccountDriftOptions = {},
): Promise<AccountDrift> {
  const { plans = [], files, store, ignore = [], signal } = options;
  const record = await PlanRecord.read(plans, profile.profileId);
  const { base, at: since } = startOf(options, profile, record);
  const events = await profile.history.list({ since, newestFirst: false, signal });
  const named = await namedEvents(events, profile, signal);
  const { countryCode } = profile;
  const found = named.map((event) => entryOf(event, { record, countryCode }));
  const explained = (entry: DriftEntry): DriftEntry => {
    const plan = record.planOfState(entry, since);
    return plan === undefined ? entry : { ...entry, by: "plan", plan };
  };
  if (files !== undefined) {
    const shown = await stateDrift(profile, files, { known: named, signal });
    found.push(...shown.map(explained));
  }
  if (store !== undefined) {
    const seen = new Set(found.map(({ id, change }) => `${id} ${change}`));
    const shown = await snapshotDrift(store, profile.profileId, { since, known: named });
    found.push(...shown.filter(({ id, change }) => !seen.has(`${id} ${change}`)).map(explained));
  }
  found.push(...await ruleDrift(profile, record, { since, signal }));
  found.sort((a, b) => momentOf(a) - momentOf(b));
  const folders = plans.flatMap((one) => one instanceof PlanStore ? [one.path] : []);
  const now = profile.transport.now();
  const begun = (await Promise.all(folders.map((folder) => experimentsIn(folder, now)))).flat();
  const settings = files?.settings;
  const ignored = [
    ...ignore.map(ignoredName),
    ...settings?.ignore.kinds ?? [],
    ...settings?.ignore.fields ?? [],
  ];
  const entries = found.filter((entry) =>
    !isIgnored(entry, ignored) &&
    !(settings !== undefined && entry.kind.endsWith(".campaigns") && isIgnoredCampaign(settings, entry.label))
  ).map((entry) => spoiling(entry, { begun, profileId: profile.profileId, now }));
  return {
    since: new Date(since).toISOString(),
    base,
    entries,
    isOurs: entries.every(({ by }) => by === "plan"),
  };
}

function startOf(
  { since, files }: AccountDriftOptions,
  { profileId }: ProfileClient,
  { lastApplied }: PlanRecord,
): { readonly base: AccountDrift["base"]; readonly at: number } {
  const pulled = files?.lock?.profiles[profileId]?.pulled_at;
  const moments = { pull: pulled === undefined ? undefined : Date.parse(pulled), plan: lastApplied };
  if (since !== undefined && since !== "pull" && since !== "plan") {
    return { base: "moment", at: milliseconds(since) };
  }
  const bases: readonly ("pull" | "plan")[] = since === undefined ? ["pull", "plan"] : [since];
  for (const base of bases) {
    const at = moments[base];
    if (at !== undefined && Number.isFinite(at)) return { base, at };
  }
  const known = since === "pull"
    ? "no pull of this profile is known"
    : since === "plan"
    ? "no applied plan of this profile is known"
    : "no pull and no applied plan of this profile is known";
  throw new ConfigurationError(
    `Cannot look for drift: ${known}. Set a start time with the option since`,
  );
}

/** Returns the time to sort an entry by; entries without a time come last. */
function momentOf({ at }: DriftEntry): number {
  return at === null ? Number.MAX_SAFE_INTEGER : Date.parse(at);
}

function entryOf(
  { event, kind, label, campaign, campaignId, globalCampaignId, wholeId }: NamedEvent,
  { record, countryCode }: { record: PlanRecord; countryCode: string },
): DriftEntry {
  const ofWhole = wholeId === undefined ? undefined : record.planOfCopy(event, { wholeId, countryCode });
  const plan = record.planOf(event) ?? ofWhole ?? null;
  const by = plan !== null ? "plan" : PLATFORM_CHANGES.has(event.changeType) ? "platform" : "other";
  return {
    at: new Date(event.timestamp).toISOString(),
    kind,
    id: event.entityId,
    label,
    ...(campaign === undefined ? {} : { campaign }),
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(globalCampaignId === undefined ? {} : { globalCampaignId }),
    change: event.changeType,
    before: event.previousValue ?? null,
    after: event.newValue ?? null,
    by,
    plan,
  };
}

function spoiling(
  entry: DriftEntry,
  { begun, profileId, now }: { begun: readonly BegunExperiment[]; profileId: string; now: number },
): DriftEntry {
  if (entry.by === "platform") return entry;
  const at = entry.at ?? new Date(now).toISOString();
  const found = heldAt(begun, { profileId, id: entry.id, at });
  return found === undefined
    ? entry
    : { ...entry, heldBy: { planId: found.rollout ?? found.planId, until: found.until } };
}

/** @throws {ConfigurationError} for a text that is neither a kind nor a field. */
export function checkIgnored(ignore: readonly string[]): void {
  ignore.forEach(ignoredName);
}

function ignoredName(text: string): string {
  const kind = kindOf(text, RESOURCE_KINDS);
  if (kind !== undefined) return kind;
  const found = kindAndField(text, RESOURCE_KINDS);
  if (found !== undefined) return `${found.kind}.${found.field}`;
  throw new ConfigurationError(
    `Cannot ignore "${text}": it is neither a kind nor a field such as keywords.bid. ` +
      kindAdvice(text, { names: RESOURCE_KINDS }),
  );
}

function isIgnored({ kind, change }: DriftEntry, ignored: readonly string[]): boolean {
  const fields = [change, ...fieldsOfEvent({ changeType: change })];
  return ignored.some((text) => text === kind || fields.some((field) => text === `${kind}.${field}`));
}

/**
 * Finds differences that the history does not report. Files edited since the pull are skipped, because they describe
 * intended changes.
 */
async function stateDrift(
  profile: ProfileClient,
  files: AccountFiles,
  { known, signal }: { known: readonly NamedEvent[]; signal: AbortSignal | undefined },
): Promise<DriftEntry[]> {
  const asPulled = [...files.texts].filter(([path]) =>
    path === SETTINGS_FILE || files.isAsPulled(path, profile.profileId)
  );
  const edited = new Set([...files.texts.keys()].filter((path) => !asPulled.some(([own]) => own === path)));
  const diff = await diffAccount(
    profile,
    AccountFiles.fromTexts(new Map(asPulled), { lock: files.lock }),
    { signal },
  );
  const editedIds = new Set(
    Object.entries(files.lock?.profiles[profile.profileId]?.files ?? {}).flatMap(([path, { campaign }]) =>
      edited.has(path) && campaign !== undefined ? [campaign.id] : []
    ),
  );
  const reported = new Set(known.flatMap(({ event }) => [
    `${event.entityId} ${event.changeType}`,
    ...fieldsOfEvent(event).map((field) => `${event.entityId} ${field.split(".")[0]}`),
  ]));
  const entry = (
    { kind, id, label }: { kind: string; id: string | null; label: string },
    rest: Pick<DriftEntry, "change" | "before" | "after">,
  ): DriftEntry => ({ at: null, kind, id: id ?? "", label, ...rest, by: "other", plan: null });
  const changed = diff.updates.flatMap((one) =>
    changeRows([{
      kind: one.kind,
      op: "update",
      id: one.id,
      label: one.label,
      before: one.after,
      after: one.before,
    }])
      .filter(({ field }) => !reported.has(`${one.id} ${field.split(".")[0]}`))
      .map(({ field, before, after }) =>
        entry(one, { change: field, before: before ?? null, after: after ?? null })
      )
  );
  const gone = diff.creates
    .filter(({ label }) =>
      !known.some((event) => event.label === label && event.event.newValue === "ARCHIVED")
    )
    .map((one) => entry(one, { change: "REMOVED", before: one.after["state"] ?? null, after: null }));
  const added = diff.extras
    .filter(({ id }) => id !== null && !editedIds.has(id) && !reported.has(`${id} CREATED`))
    .map((one) => entry(one, { change: "CREATED", before: null, after: one.before["state"] ?? null }));
  return [...changed, ...gone, ...added];
}
