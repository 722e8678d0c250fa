import { idOf } from "../../base/json/id_of.ts";
import { normalizeCountry } from "../../base/markets/markets.ts";
import type { ResourceKind } from "../../client/entities/kinds/kinds.ts";
import type { PollOptions } from "../../client/jobs/poller.ts";
import { ForbiddenError } from "../../errors.ts";
import type { ProfileScope } from "../../platform/transport/profile_scope.ts";
import {
  type EntityChanges,
  type EntityOutcome,
  type EntitySource,
  OvertakenError,
} from "../model/entity_pull.ts";
import { areFarFewer } from "../model/kept_days.ts";
import type { StoreDriver } from "../model/store_driver.ts";
import { ShrinkError } from "../model/store_error.ts";
import { ENTITY_LAYOUTS, type EntityLayout } from "../tables/entity_layout.ts";
import { chooseSource, type EntitySourceChoice, type LastPull } from "./choose_source.ts";
import type { KindFindings } from "./compare_export.ts";
import { type Entity, resourceOf, storedEntity } from "./entity_resource.ts";
import { EXPORT_ENDPOINTS, type ExportEndpoint } from "./export_endpoint.ts";
import { readExport } from "./read_export.ts";
import type { SyncProgress } from "./sync_options.ts";

export interface EntitySyncParts {
  readonly driver: StoreDriver;
  readonly now: () => number;
  readonly scope: ProfileScope;
  readonly signal: AbortSignal | undefined;
  readonly source?: EntitySourceChoice | undefined;
  readonly acceptShrink?: boolean | undefined;
  readonly poll?: PollOptions | undefined;
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

const READINGS = 3;

/**
 * Maximum seconds to wait for an export, or half of a report's time if that is shorter. After that, lists are used
 * instead.
 */
const MAX_WAIT = 900;

interface Reading {
  readonly why: string;
  readonly findings?: KindFindings | undefined;
}

interface ReadKind {
  readonly source: EntitySource;
  readonly why: string;
  readonly entities: readonly Entity[];
  readonly gone?: readonly string[];
}

export async function syncEntities(parts: EntitySyncParts): Promise<EntityOutcome[]> {
  // A store that does not answer shows in the outcome of each kind.
  const last = await lastPulls(parts).catch(() => new Map<ResourceKind, LastPull>());
  const readings = new Map<ResourceKind, Promise<Reading>>();
  for (const endpoint of EXPORT_ENDPOINTS) {
    const reading = readingOf(endpoint, last, parts);
    for (const kind of endpoint.kinds) readings.set(kind, reading.then((of) => of(kind)));
  }
  return await Promise.all(
    ENTITY_LAYOUTS.map((layout) =>
      syncKind(layout, readings.get(layout.kind) ?? { why: "it has no export" }, { ...parts, last })
    ),
  );
}

async function lastPulls({ driver, scope }: EntitySyncParts): Promise<Map<ResourceKind, LastPull>> {
  const { rows } = await driver.query(
    "SELECT kind, entities, pulled_at FROM entity_pulls WHERE profile_id = ?",
    {
      params: [scope.profileId],
      maxRows: Infinity,
    },
  );
  return new Map(rows.map(({ kind, entities, pulled_at: at }) => [
    String(kind) as ResourceKind,
    { entities: Number(entities), pulledAt: Date.parse(String(at)) },
  ]));
}

async function readingOf(
  endpoint: ExportEndpoint,
  last: ReadonlyMap<ResourceKind, LastPull>,
  parts: EntitySyncParts,
): Promise<(kind: ResourceKind) => Reading> {
  const { source, why } = await chooseSource(endpoint, last, parts.source);
  if (source === "list") return () => ({ why });
  const { driver, now, scope, signal, onProgress } = parts;
  const timeout = Math.min(MAX_WAIT, (parts.poll?.timeout ?? Infinity) / 2);
  try {
    const poll = { ...parts.poll, timeout, signal };
    const found = await readExport(endpoint, last, { driver, now, scope, poll, onProgress });
    return (kind) => {
      const findings = found.get(kind);
      return findings === undefined
        ? { why: "nothing is stored yet to compare an export with" }
        : { why, findings };
    };
  } catch (error) {
    signal?.throwIfAborted();
    const instead = `${(error as Error).message}. Lists take its place`;
    parts.onWarning?.(`${normalizeCountry(scope.countryCode)} ${scope.profileId}: ${instead}`);
    return () => ({ why: instead });
  }
}

async function syncKind(
  layout: EntityLayout,
  reading: Reading | Promise<Reading>,
  { last, ...parts }: EntitySyncParts & { last: ReadonlyMap<ResourceKind, LastPull> },
): Promise<EntityOutcome> {
  const { driver, now, scope } = parts;
  const { kind } = layout;
  const { profileId } = scope;
  const which = { profileId, countryCode: normalizeCountry(scope.countryCode), kind };
  const none = { entities: 0, added: 0, changed: 0, removed: 0 };
  let way: { source: EntitySource; why: string } = { source: "list", why: "stopped before it was read" };
  try {
    const ready = await reading;
    way = { source: "list", why: ready.why };
    const store = async (ready: Reading, known: typeof last): Promise<EntityChanges> => {
      // What is read is known from here on, however long an export was waited for.
      const pulledAt = new Date(now()).toISOString();
      const read = await readKind(layout, ready, parts);
      way = { source: read.source, why: read.why };
      return await driver.replaceEntities(
        { ...which, pulledAt, source: read.source, since: known.get(kind)?.pulledAt ?? 0 },
        read.entities.flatMap((entity) => storedEntity(layout, entity) ?? []),
        read.gone,
      );
    };
    for (let turn = 1, reading: Reading = ready, known = last;; turn++) {
      try {
        const changes = await store(reading, known);
        return { ...which, ...way, state: "stored", ...changes };
      } catch (error) {
        if (!(error instanceof OvertakenError) || turn === READINGS) throw error;
        [reading, known] = [{ why: "another program stored it meanwhile" }, await lastPulls(parts)];
      }
    }
  } catch (error) {
    const state = parts.signal?.aborted
      ? "left"
      : error instanceof ForbiddenError
      ? "unavailable"
      : error instanceof ShrinkError
      ? "held"
      : "failed";
    return { ...which, ...way, state, ...none, error: error as Error };
  }
}

async function readKind(
  layout: EntityLayout,
  { why, findings }: Reading,
  parts: EntitySyncParts,
): Promise<ReadKind> {
  const list = async (why: string): Promise<ReadKind> => {
    return { source: "list", why, entities: await listEntities(layout, parts) };
  };
  if (findings === undefined) return await list(why);
  const { rows, ids, listed, mostIds: most } = findings;
  const { live, lacking, missing } = await missingIn(layout, listed, { most, parts });
  if (areFarFewer(live, live - lacking)) {
    const said =
      `the export lacks ${lacking} of ${live} ${layout.plural} that are stored. A list takes its place`;
    parts.onWarning?.(`${normalizeCountry(parts.scope.countryCode)} ${parts.scope.profileId}: ${said}`);
    return await list(said);
  }
  if (ids === undefined || ids.length + lacking > most) {
    return await list(
      `the export differs in more than ${most} of ${rows} ${layout.plural}: a list is cheaper`,
    );
  }
  const { scope, signal } = parts;
  warnOfMissingIds(layout, findings.withoutId, parts);
  const found = await resourceOf(layout.kind, scope).getMany([...ids, ...missing], { signal });
  return {
    source: "export",
    why: `${why}: ${rows} rows, ${found.size} read by their ids`,
    entities: [...found.values()],
    gone: missing.filter((id) => !found.has(id)),
  };
}

function warnOfMissingIds(
  { idField, plural }: Pick<EntityLayout, "idField" | "plural">,
  count: number,
  { scope, onWarning }: Pick<EntitySyncParts, "scope" | "onWarning">,
): void {
  if (count === 0) return;
  const where = `${normalizeCountry(scope.countryCode)} ${scope.profileId}`;
  onWarning?.(`${where}: the platform returns no ${idField} for ${count} ${plural}, so they are not stored`);
}

/** `missing` lists ids worth reading. A missing entity may be archived; the export does not tell. */
async function missingIn(
  { kind }: EntityLayout,
  listed: KindFindings["listed"],
  { most, parts }: { most: number; parts: EntitySyncParts },
): Promise<{ live: number; lacking: number; missing: string[] }> {
  const { driver, scope: { profileId } } = parts;
  const missing: string[] = [];
  let [live, lacking] = [0, 0];
  for await (const ids of storedLiveIds({ driver, profileId, kind })) {
    const lacks = ids.filter((id) => !listed.has(id));
    live += ids.length;
    lacking += lacks.length;
    if (lacking <= most) missing.push(...lacks);
  }
  return { live, lacking, missing };
}

/**
 * Lists entities in every state. Pages may skip entities, so missing unarchived ones are read by id.
 *
 * @throws {ShrinkError} when far fewer are found than are stored, unless accepted.
 */
async function listEntities(
  { kind, idField, plural }: EntityLayout,
  { driver, scope, signal, acceptShrink, onWarning }: {
    driver: StoreDriver;
    scope: ProfileScope;
    signal: AbortSignal | undefined;
    acceptShrink?: boolean | undefined;
    onWarning?: EntitySyncParts["onWarning"];
  },
): Promise<Entity[]> {
  const stored = { driver, profileId: scope.profileId, kind };
  const found = new Map<string, Entity>();
  const resource = resourceOf(kind, scope);
  let withoutId = 0;
  for (const entity of await resource.list({ states: null, signal })) {
    const id = idOf(entity, idField);
    if (id === undefined) withoutId++;
    else found.set(id, entity);
  }
  warnOfMissingIds({ idField, plural }, withoutId, { scope, onWarning });
  const missing: string[] = [];
  for await (const ids of storedLiveIds(stored)) missing.push(...ids.filter((id) => !found.has(id)));
  for (const [id, entity] of await resource.getMany(missing, { signal })) found.set(id, entity);
  const before = await storedCount(stored);
  if (!acceptShrink && areFarFewer(before, found.size)) {
    throw new ShrinkError(
      `Held back: the platform lists ${found.size} ${plural}, and ${before} are stored. To accept this anyway, sync ` +
        "the entities with the option acceptShrink",
      [],
    );
  }
  return [...found.values()];
}

const AT_ONCE = 5000;

interface StoredKind {
  readonly driver: StoreDriver;
  readonly profileId: string;
  readonly kind: ResourceKind;
}

export async function* storedLiveIds({ driver, profileId, kind }: StoredKind): AsyncGenerator<string[]> {
  let after = "";
  for (;;) {
    const { rows } = await driver.query(
      `SELECT id FROM entities WHERE kind = ? AND profile_id = ? AND id > ?
         AND lower(CAST(data AS text)) NOT LIKE ? ORDER BY id LIMIT ${AT_ONCE}`,
      { params: [kind, profileId, after, '%"state":"archived"%'], maxRows: Infinity },
    );
    const ids = rows.map(({ id }) => String(id));
    yield ids;
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1)!;
  }
}

async function storedCount({ driver, profileId, kind }: StoredKind): Promise<number> {
  const { rows } = await driver.query(
    "SELECT count(*) AS n FROM entities WHERE kind = ? AND profile_id = ?",
    {
      params: [kind, profileId],
      maxRows: 1,
    },
  );
  return Number(rows[0]?.["n"]);
}
