import { dayIn } from "../../internal/calendar.ts";
import { fieldsOf } from "../../internal/fields_of.ts";
import { PlatformAdsError } from "../../errors.ts";
import { timeZoneOf } from "../../markets.ts";
import type { Change } from "../../plans/change.ts";
import type { Finding } from "../../plans/finding.ts";
import { refsIn, withRefs } from "../../plans/graph/change_ref.ts";
import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { EntitySource } from "../entity_source.ts";
import type { Fields } from "../wire/resource_wire.ts";
import { type AccountNow, readAccountNow, UNREAD } from "./account_now.ts";
import { preflight } from "./preflight.ts";
import type { Preflight } from "./problem.ts";
import { publishedProblems } from "./published_rules.ts";

/** Entities that were read, by kind and id. */
export type ReadEntities = Map<string, Map<string, Fields>>;

/** Readings shared by the parts of one plan, which are checked one after the other. */
export class EarlierParts {
  /** Entities read so far, by kind and id. */
  readonly places: ReadEntities;
  /** The day in the profile's time zone. */
  today: string | undefined;

  /** @param read Entities that were read before; those that are read now are added. */
  constructor(read: ReadEntities = new Map()) {
    this.places = read;
  }
}

interface RunPreflightOptions {
  /** The resource that makes the plan. @default that of the first change */
  readonly source?: EntitySource | undefined;
  /** Entities of that kind that were read for the plan. */
  readonly known?: ReadonlyMap<string, Fields>;
  /** Entities that were read before, by kind and id; those that are read now are added. */
  readonly read?: ReadEntities | undefined;
  /** Readings of earlier parts of the same plan; new ones are added. */
  readonly earlier?: EarlierParts | undefined;
  /** False to judge the changes in their order as it is. @default true */
  readonly reorder?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the changes of a plan before anybody sees it, on one reading of the account. Where the profile's client gives
 * no access to other kinds, as in a bare scope, or the account cannot be read, the rules that need it are left out.
 */
export async function runPreflight(
  changes: readonly Change[],
  scope: ProfileScope,
  options: RunPreflightOptions = {},
): Promise<Preflight> {
  const { known, signal, earlier = new EarlierParts(options.read) } = options;
  const [first] = changes;
  const source = options.source ?? (first && resourceOf(scope, first.kind));
  if (source === undefined || changes.length === 0) return { changes, findings: [], left: new Map() };
  const { kind } = source.spec;
  const resources = new Map([[kind, source]]);
  const resource = (name: string): EntitySource => {
    const found = resources.get(name) ?? resourceOf(scope, name) ?? source;
    resources.set(name, found);
    return found;
  };
  let unread: string | undefined;
  const read = async (part: readonly Change[]): Promise<AccountNow> => {
    if (resourceOf(scope, kind) === undefined) return UNREAD;
    try {
      const found = new Map(known === undefined ? [] : [[kind, known]]);
      return await readAccountNow(part, { resource, known: found, places: earlier.places, signal });
    } catch (error) {
      if (signal?.aborted || !(error instanceof PlatformAdsError)) throw error;
      unread = error.message;
      return UNREAD;
    }
  };
  const profile = fieldsOf("profile" in scope ? scope.profile : undefined);
  const { type } = fieldsOf(profile["accountInfo"]);
  const context = {
    countryCode: scope.countryCode,
    accountType: typeof type === "string" ? type : undefined,
    today: earlier.today ??= todayIn(scope, profile["timezone"]),
    specOf: (name: string) => resource(name).spec,
  };
  const left = new Map<number, string>();
  const notes: Finding[] = [];
  let open = changes.map((change, at) => ({ at, change }));
  let found: Preflight;
  for (;;) {
    const planned = open.map(({ change }) => change);
    const account = await read(planned);
    const published = await publishedProblems(planned, { scope, specOf: context.specOf });
    found = preflight(planned, { ...context, account }, { published, reorder: options.reorder });
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
  if (unread === undefined) return found;
  const message = `The account could not be read, so that only the plan itself was checked: ${unread}`;
  return { ...found, findings: [...found.findings, { code: "NOT_CHECKED", level: "note", message }] };
}

function todayIn({ countryCode, transport }: ProfileScope, timezone: unknown): string {
  const zone = timeZoneOf({ countryCode, timezone: typeof timezone === "string" ? timezone : undefined });
  return dayIn(zone, transport.now());
}

/** The resource of a kind, where the scope is a whole client. */
function resourceOf(scope: ProfileScope, kind: string): EntitySource | undefined {
  if (!("resource" in scope) || typeof scope.resource !== "function") return undefined;
  const found: unknown = scope.resource(kind);
  return isSource(found) ? found : undefined;
}

function isSource(value: unknown): value is EntitySource {
  return typeof value === "object" && value !== null && "spec" in value && "getMany" in value;
}

function leadsTo({ after, dependsOn = [] }: Change, there: ReadonlyMap<string, string>): boolean {
  return [...refsIn(after), ...dependsOn].some((name) => there.has(name));
}

/** A change in which references to what is there already are ids. */
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
