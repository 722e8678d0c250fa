import type { AccountNode } from "../files/account_reading.ts";
import type { LockedEntity } from "../files/account_lock.ts";
import { entityKey } from "../files/entity_key.ts";
import type { WantedEntity } from "../files/wanted_entities.ts";

export interface Matches<Wanted extends WantedEntity> {
  readonly pairs: readonly { readonly wanted: Wanted; readonly node: AccountNode }[];
  readonly added: readonly Wanted[];
  readonly extra: readonly AccountNode[];
}

interface MatchHints<Wanted> {
  /** True if file ids belong to this account, so different ids mean different entities. */
  readonly ownIds?: boolean;
  readonly lockedId?: (wanted: Wanted) => string | undefined;
  /** Entities at the last pull; an unmatched one may have been renamed. */
  readonly locked?: Readonly<Record<string, LockedEntity>> | undefined;
}

/**
 * Matches entities of one parent by file id, lock id, then identity key. If exactly one entity is left on each side,
 * the two are matched as a rename.
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

/**
 * Returns the fraction of the file entity's children that the account entity also has. Without children in the file,
 * returns 1 if the account entity has none either, otherwise 0.
 */
export function likeness(wanted: WantedEntity, node: AccountNode): number {
  if (wanted.children.length === 0) return node.children.length === 0 ? 1 : 0;
  const keys = new Set(node.children.map(({ kind, entity }) => `${kind.kind} ${entityKey(kind, entity)}`));
  const shared = wanted.children.filter(({ kind, key }) => keys.has(`${kind.kind} ${key}`));
  return shared.length / wanted.children.length;
}

function isAlike(wanted: WantedEntity, node: AccountNode): boolean {
  return likeness(wanted, node) >= 0.5;
}

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
