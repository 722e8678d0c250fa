import type { AccountNode } from "../files/account_reading.ts";
import type { LockedEntity } from "../files/account_lock.ts";
import { entityKey } from "../files/entity_key.ts";
import type { WantedEntity } from "../files/wanted_entities.ts";

export interface Matches<Wanted extends WantedEntity> {
  readonly pairs: readonly { readonly wanted: Wanted; readonly node: AccountNode }[];
  /** In the files, and not in the account. */
  readonly added: readonly Wanted[];
  /** In the account, and not in the files. */
  readonly extra: readonly AccountNode[];
}

/** Known pairs of entities. */
interface MatchHints<Wanted> {
  /** True where ids in files are those of this account, so that an entity with another id is another entity. */
  readonly ownIds?: boolean;
  /** The id that an entity had when the files were pulled last. */
  readonly lockedId?: (wanted: Wanted) => string | undefined;
  /** Entities that the files had when they were pulled last: one that is left over may have a new name. */
  readonly locked?: Readonly<Record<string, LockedEntity>> | undefined;
}

/**
 * Finds which entities of one parent are the same: by the id in the file, by the id that the lock file has for it, by
 * what tells entities apart, and last, where exactly one of each is left over, as one with a new name.
 */
export function matchEntities<Wanted extends WantedEntity>(
  wanted: readonly Wanted[],
  nodes: readonly AccountNode[],
  { ownIds = false, lockedId, locked }: MatchHints<Wanted> = {},
): Matches<Wanted> {
  const pairs: { wanted: Wanted; node: AccountNode }[] = [];
  const left = new Map(nodes.map((node) => [node.id, node]));
  let open = [...wanted];
  const pass = (find: (one: Wanted) => AccountNode | undefined): void => {
    open = open.filter((one) => {
      const node = find(one);
      if (node === undefined || !left.delete(node.id)) return true;
      pairs.push({ wanted: one, node });
      return false;
    });
  };
  pass(({ id }) => id === undefined ? undefined : left.get(id));
  const lost = ownIds ? open.filter(({ id }) => id !== undefined) : [];
  open = open.filter((one) => !lost.includes(one));
  if (lockedId !== undefined) pass((one) => left.get(lockedId(one) ?? ""));
  const byKey = Map.groupBy(left.values(), ({ kind, entity }) => entityKey(kind, entity));
  pass(({ key }) => byKey.get(key)?.find(({ id }) => left.has(id)));
  pass((one) => productOf(one, left));
  if (locked !== undefined) {
    pass(({ fields }) => left.get(locked[String(fields["name"])]?.id ?? ""));
    const known = new Set(Object.values(locked).map(({ id }) => id));
    const renamed = [...left.values()].filter(({ id }) => known.has(id));
    const [only, another] = open;
    const [node, other] = renamed;
    if (only && node && another === undefined && other === undefined && isAlike(only, node)) pass(() => node);
  }
  return { pairs, added: [...open, ...lost], extra: [...left.values()] };
}

/** The share of the entities in a wanted one that the account's has too; 1 for none. */
export function likeness(wanted: WantedEntity, node: AccountNode): number {
  if (wanted.children.length === 0) return node.children.length === 0 ? 1 : 0;
  const keys = new Set(node.children.map(({ kind, entity }) => `${kind.kind} ${entityKey(kind, entity)}`));
  const shared = wanted.children.filter(({ kind, key }) => keys.has(`${kind.kind} ${key}`));
  return shared.length / wanted.children.length;
}

function isAlike(wanted: WantedEntity, node: AccountNode): boolean {
  return likeness(wanted, node) >= 0.5;
}

/** An ad whose product a file names by its ASIN, where the account has a SKU besides. */
function productOf(
  { kind, fields }: WantedEntity,
  left: ReadonlyMap<string, AccountNode>,
): AccountNode | undefined {
  if (!("sku" in kind.fields) || fields["sku"] !== undefined) return undefined;
  const found = [...left.values()].filter(({ entity }) =>
    entity["asin"] === fields["asin"] && (entity["customText"] ?? "") === (fields["customText"] ?? "")
  );
  return found.length === 1 ? found[0] : undefined;
}
