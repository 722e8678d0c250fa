import type { Change } from "../../../plans/model/change.ts";
import { Play } from "./play.ts";
import type { Preflight, PreflightContext, Problem } from "./problem.ts";
import { dayIn } from "../../../base/time/calendar.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { timeZoneOf } from "../../../base/markets/markets.ts";
import type { Finding } from "../../../plans/model/finding.ts";
import { refsIn, withRefs } from "../../../plans/model/change_ref.ts";
import { AccountReading, type ReadTarget } from "../../../plans/state/account_reading.ts";
import { type PriorState, UNREAD } from "../../../plans/model/prior_state.ts";
import { readPriorState } from "../../../plans/state/read_prior_state.ts";
import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import { requiredOf } from "../wire/wire_of.ts";
import { publishedProblems } from "./published_rules.ts";

interface RunPreflightOptions {
  readonly spec?: ResourceSpec | undefined;
  readonly account?: PriorState | undefined;
  readonly reorder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a preflight and reads the account once for it. Rules that need other kinds are skipped if the scope is not a
 * whole client or the account cannot be read.
 */
export async function runPreflight(
  changes: readonly Change[],
  scope: ProfileScope,
  options: RunPreflightOptions = {},
): Promise<Preflight> {
  const { signal, reorder } = options;
  const [first] = changes;
  if (first === undefined) return { changes, findings: [], left: new Map() };
  const client = isClient(scope, first.kind) ? scope : undefined;
  const specs = new Map<string, ResourceSpec>();
  const specOf = (kind: string): ResourceSpec => {
    let found = specs.get(kind);
    if (found === undefined) {
      const spec = client?.resource(kind).spec ?? options.spec!;
      specs.set(kind, found = { ...spec, required: requiredOf(spec, scope) });
    }
    return found;
  };
  const reading = client === undefined
    ? undefined
    : options.account instanceof AccountReading
    ? options.account
    : new AccountReading();
  const profile = fieldsOf("profile" in scope ? scope.profile : undefined);
  const { type } = fieldsOf(profile["accountInfo"]);
  const context = {
    countryCode: scope.countryCode,
    accountType: typeof type === "string" ? type : undefined,
    today: todayIn(scope, profile["timezone"]),
    specOf,
  };
  const left = new Map<number, string>();
  const notes: Finding[] = [];
  let open = changes.map((change, at) => ({ at, change }));
  let found: Preflight;
  for (;;) {
    const planned = open.map(({ change }) => change);
    if (client !== undefined) {
      await readPriorState(planned, client, { account: reading, surroundings: true, signal });
    }
    const account = reading === undefined || reading.unread !== undefined ? UNREAD : reading;
    const published = await publishedProblems(planned, { scope, specOf });
    found = preflight(planned, { ...context, account }, { published, reorder });
    const there = new Map<string, string>();
    for (const [index, id] of found.left) {
      const { at, change } = open[index]!;
      left.set(at, id);
      if (change.ref !== undefined) there.set(change.ref, id);
    }
    const rest = open.filter((_, index) => !found.left.has(index));
    // What is there already may be a place of others, which are looked at again with its id.
    if (there.size === 0 || !rest.some(({ change }) => leadsTo(change, there))) break;
    notes.push(...found.findings.filter(({ change }) => change === undefined));
    open = rest.map(({ at, change }) => ({ at, change: withKnownIds(change, there) }));
  }
  found = { changes: found.changes, findings: [...notes, ...found.findings], left };
  if (reading?.unread === undefined) return found;
  const message =
    `The account could not be read, so that only the plan itself was checked: ${reading.unread}`;
  return { ...found, findings: [...found.findings, { code: "NOT_CHECKED", level: "note", message }] };
}

function todayIn({ countryCode, transport }: ProfileScope, timezone: unknown): string {
  const zone = timeZoneOf({ countryCode, timezone: typeof timezone === "string" ? timezone : undefined });
  return dayIn(zone, transport.now());
}

interface ReadingClient extends ReadTarget {
  resource(kind: string): ReturnType<ReadTarget["resource"]> & { readonly spec: ResourceSpec };
}

/** True if the scope is a whole client; a bare scope gives no access to other kinds. */
function isClient(scope: object, kind: string): scope is ReadingClient {
  if (!("resource" in scope) || typeof scope.resource !== "function") return false;
  const found = fieldsOf(scope.resource(kind));
  return found["spec"] !== undefined && "getMany" in found;
}

function leadsTo({ after, dependsOn = [] }: Change, there: ReadonlyMap<string, string>): boolean {
  return [...refsIn(after), ...dependsOn].some((name) => there.has(name));
}

function withKnownIds(change: Change, there: ReadonlyMap<string, string>): Change {
  const after = withRefs(change.after, (ref) => there.get(ref) ?? { ref });
  const { campaignId } = after;
  const waits = change.dependsOn?.filter((name) => !there.has(name)) ?? [];
  const { dependsOn: _, ...rest } = change;
  return {
    ...rest,
    after,
    ...(typeof campaignId === "string" && change.op === "create" ? { campaignId } : {}),
    ...(waits.length === 0 ? {} : { dependsOn: waits }),
  };
}

/** Maximum rounds of adding dependencies; each settles at least one change. */
const MAX_ROUNDS = 8;

/**
 * Simulates changes in sending order and predicts rejections. A change that works only after a later change, such as a
 * keyword after its duplicate is archived, is made to wait for it. Pure.
 *
 * @param options.published Schema differences by change index.
 * @param options.reorder False prevents waiting.
 * @default true
 * @throws {TypeError} when changes are inconsistent, as in {@linkcode changeGraph}.
 */
export function preflight(
  changes: readonly Change[],
  context: PreflightContext,
  { published = new Map(), reorder = true }: {
    published?: ReadonlyMap<number, readonly Problem[]>;
    reorder?: boolean | undefined;
  } = {},
): Preflight {
  let planned = changes;
  for (let round = 1;; round++) {
    const play = new Play(planned, { context, published });
    const waits = reorder && round < MAX_ROUNDS ? play.waits() : new Map<number, number[]>();
    if (waits.size === 0) return play.result();
    planned = withWaits(planned, waits);
  }
}

function withWaits(changes: readonly Change[], waits: ReadonlyMap<number, readonly number[]>): Change[] {
  const names = new Set(changes.flatMap(({ ref }) => ref ?? []));
  const named = [...changes];
  for (const at of new Set([...waits.values()].flat())) {
    const { ref, kind, id } = named[at]!;
    if (ref !== undefined) continue;
    const base = `${kind}-${id}`.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 56);
    let free = base;
    for (let number = 2; names.has(free); number++) free = `${base}-${number}`;
    names.add(free);
    named[at] = { ...named[at]!, ref: free };
  }
  for (const [at, others] of waits) {
    const { dependsOn = [] } = named[at]!;
    const more = others.flatMap((other) => named[other]!.ref ?? []);
    named[at] = { ...named[at]!, dependsOn: [...new Set([...dependsOn, ...more])] };
  }
  return named;
}
