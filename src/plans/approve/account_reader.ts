import type { ReadTarget } from "../apply/drift.ts";
import type { Change, EntityFields } from "../change.ts";
import type { PlacedChange } from "../change_result.ts";
import type { PlanNames } from "../plan_names.ts";
import type { PlanTarget } from "../plan_target.ts";

/** Reads each entity of the account once. */
export class AccountReader implements ReadTarget {
  /** Entities read so far, by kind and id. */
  readonly known: Map<string, Map<string, EntityFields>> = new Map();
  readonly calls: PlanTarget["calls"];
  readonly #asked = new Set<string>();
  readonly #client: PlanTarget;
  readonly #signal: AbortSignal | undefined;

  constructor(client: PlanTarget, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
    this.calls = client.calls;
  }

  resource(kind: string): ReturnType<ReadTarget["resource"]> {
    const resource = this.#client.resource(kind);
    return {
      idField: resource.idField,
      comparable: (entity) => resource.comparable(entity),
      labelOf: (entity) => resource.labelOf?.(entity) ?? "",
      getMany: async (ids) => {
        const unread = ids.filter((id) => !this.#asked.has(`${kind} ${id}`));
        const found = this.known.get(kind) ?? new Map<string, EntityFields>();
        this.known.set(kind, found);
        if (unread.length > 0) {
          for (const [id, one] of await resource.getMany(unread, { signal: this.#signal })) {
            found.set(id, one);
          }
          for (const id of unread) this.#asked.add(`${kind} ${id}`);
        }
        return new Map(ids.flatMap((id) => {
          const one = found.get(id);
          return one === undefined ? [] : [[id, one]];
        }));
      },
    };
  }

  /** Entities of a kind; none where they cannot be read: a plan must not fail for the want of a heading. */
  async try(kind: string, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, EntityFields>> {
    if (ids.size === 0) return new Map();
    try {
      return await this.resource(kind).getMany([...ids]);
    } catch {
      this.#signal?.throwIfAborted();
      return new Map();
    }
  }

  label(kind: string, entity: EntityFields): string | undefined {
    return this.#client.resource(kind).labelOf?.(entity);
  }

  forget(): void {
    this.known.clear();
    this.#asked.clear();
  }
}

/** Finds out where changes are and what everything is called, by the account alone. */
export class NameReader {
  readonly #account: AccountReader;
  readonly #campaigns: Record<string, string> = {};
  readonly #adGroups: Record<string, string> = {};

  constructor(account: AccountReader) {
    this.#account = account;
  }

  get names(): PlanNames {
    return { campaigns: { ...this.#campaigns }, ad_groups: { ...this.#adGroups } };
  }

  /** Labels and campaigns that a plan has otherwise than the account, by position; reads the names on the way. */
  async correct(changes: readonly PlacedChange[]): Promise<Map<number, Partial<Change>>> {
    const entities = changes.filter(({ change }) => change.op !== "call");
    for (const [kind, own] of Map.groupBy(entities, ({ change }) => change.kind)) {
      await this.#account.try(kind, new Set(own.flatMap(({ change }) => change.id ?? [])));
    }
    const places = entities.map(({ at, change }) => {
      const entity = change.id === null ? undefined : this.#account.known.get(change.kind)?.get(change.id);
      const family = change.kind.replace(/\..*/, "");
      return {
        at,
        change,
        entity,
        family,
        group: idIn(entity, "adGroupId") ?? idIn(change.after, "adGroupId"),
      };
    });
    const groups = new Map<string, ReadonlyMap<string, EntityFields>>();
    for (const [family, own] of Map.groupBy(places, ({ family }) => family)) {
      const needed = own.filter(({ change, entity }) =>
        change.op === "create" || idIn(entity, "campaignId") === undefined
      );
      const ids = new Set(needed.flatMap(({ group }) => group ?? []));
      groups.set(family, await this.#account.try(`${family}.ad_groups`, ids));
    }
    const corrected = new Map<number, Partial<Change>>();
    const campaigns = new Map<string, Set<string>>();
    for (const { at, change, entity, family, group } of places) {
      const adGroup = group === undefined ? undefined : groups.get(family)?.get(group);
      if (group !== undefined && adGroup !== undefined) this.#adGroups[group] = nameOf(adGroup);
      const campaignId = idIn(entity, "campaignId") ?? idIn(adGroup, "campaignId") ??
        (entity === undefined ? idIn(change.after, "campaignId") : undefined) ??
        (entity === undefined ? change.campaignId : undefined);
      if (campaignId !== undefined && family !== change.kind) {
        campaigns.set(family, (campaigns.get(family) ?? new Set()).add(campaignId));
      }
      const label = change.op === "create"
        ? this.#account.label(change.kind, change.after)
        : entity && this.#account.label(change.kind, entity);
      const differs = {
        ...(label === undefined || label === change.label ? {} : { label }),
        ...(campaignId === undefined || campaignId === change.campaignId ? {} : { campaignId }),
      };
      if (Object.keys(differs).length > 0) corrected.set(at, differs);
    }
    for (const { at, change } of changes) {
      const label = String(change.after["operation"]);
      if (change.op === "call" && change.label !== label) corrected.set(at, { label });
    }
    for (const [family, ids] of campaigns) {
      for (const [id, campaign] of await this.#account.try(`${family}.campaigns`, ids)) {
        this.#campaigns[id] = nameOf(campaign);
      }
    }
    return corrected;
  }
}

function nameOf(entity: EntityFields): string {
  return String(entity["name"] ?? "");
}

function idIn(entity: EntityFields | undefined, field: string): string | undefined {
  const id = entity?.[field];
  return typeof id === "string" && id !== "" || typeof id === "number" ? String(id) : undefined;
}
