import { frozenJson } from "../../internal/frozen_json.ts";
import { lazyList } from "../../internal/columns/lazy_list.ts";
import { NumberColumn, TextColumn } from "../../internal/columns/columns.ts";
import type { Change, ChangeOperation, EntityFields } from "../change.ts";

/** Different values that are found again; of a plan with more, further ones are kept apart. */
const MAX_KNOWN = 100_000;

/** Common form of many changes. */
interface Form {
  readonly kind: string;
  readonly op: ChangeOperation;
  readonly hasId: boolean;
  readonly hasCampaign: boolean;
}

/** Fields that few changes have, such as `ref`. */
type Rest = Readonly<Record<string, unknown>>;

const COMMON: ReadonlySet<string> = new Set(["kind", "op", "id", "before", "after", "label", "campaignId"]);

/** Key of the lists that are made here, which cannot be changed. */
const COMPACT = Symbol("compact changes");

/** True for a list of {@linkcode CompactChanges}, which needs no copy. */
export function isCompact(changes: readonly Change[]): boolean {
  return COMPACT in changes;
}

/**
 * Very many changes in little memory: ids and labels as long texts, equal values once. A change is made each time it is
 * read.
 */
export class CompactChanges {
  /** Of each change its id, nothing for none, and its label. */
  readonly #texts = new TextColumn();
  /** Of each change the places of its form, its campaign, what was before and what comes after. */
  readonly #places = new NumberColumn();
  readonly #forms = new Table<Form>();
  readonly #campaigns = new Table<string>();
  readonly #values = new Table<EntityFields>();
  /** Places of values of one plain field, by its name and value. */
  readonly #simple = new Map<string, Map<unknown, number>>();
  readonly #rests = new Map<number, Rest>();

  /**
   * Adds a change.
   *
   * @throws {TypeError} when it holds a value that JSON cannot.
   */
  add(change: Change): void {
    const { kind, op, id, before, after, label, campaignId } = change;
    const at = this.#texts.length / 2;
    const hasId = id !== null;
    const hasCampaign = campaignId !== undefined;
    const form = this.#forms.place(
      `${kind} ${op} ${hasId} ${hasCampaign}`,
      () => ({ kind, op, hasId, hasCampaign }),
    );
    const campaign = this.#campaigns.place(campaignId ?? "", () => campaignId ?? "");
    const from = this.#valuePlace(before, at, "before");
    const to = this.#valuePlace(after, at, "after");
    const rest = restOf(change);
    if (rest !== undefined) this.#rests.set(at, frozenJson(rest, `change ${at}`));
    this.#places.add(form);
    this.#places.add(campaign);
    this.#places.add(from);
    this.#places.add(to);
    this.#texts.add(id ?? "");
    this.#texts.add(label);
  }

  /** The changes as a frozen list; none may be added any more. */
  list(): readonly Change[] {
    return lazyList(this.#texts.length / 2, (at) => this.#change(at), COMPACT);
  }

  #change(at: number): Change {
    const { kind, op, hasId, hasCampaign } = this.#forms.items[this.#places.at(4 * at)]!;
    const before = this.#values.items[this.#places.at(4 * at + 2)]!;
    const after = this.#values.items[this.#places.at(4 * at + 3)]!;
    const id = hasId ? this.#texts.at(2 * at) : null;
    const label = this.#texts.at(2 * at + 1);
    const rest = this.#rests.get(at);
    const change = hasCampaign
      ? {
        kind,
        op,
        id,
        before,
        after,
        label,
        campaignId: this.#campaigns.items[this.#places.at(4 * at + 1)]!,
      }
      : { kind, op, id, before, after, label };
    return Object.freeze(rest === undefined ? change : { ...change, ...rest });
  }

  #valuePlace(value: EntityFields, at: number, name: string): number {
    const field = onlyField(value);
    if (field === undefined) {
      const frozen = frozenJson(value, `change ${at}.${name}`);
      return this.#values.place(JSON.stringify(frozen), () => frozen);
    }
    let places = this.#simple.get(field);
    if (places === undefined) this.#simple.set(field, places = new Map());
    const known = places.get(value[field]);
    if (known !== undefined) return known;
    const place = this.#values.add(frozenJson(value, `change ${at}.${name}`));
    if (places.size < MAX_KNOWN) places.set(value[field], place);
    return place;
  }
}

/** Equal things once, by a key. */
class Table<Item> {
  readonly items: Item[] = [];
  readonly #places = new Map<string, number>();

  add(item: Item): number {
    return this.items.push(item) - 1;
  }

  place(key: string, make: () => Item): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.add(make());
    if (this.#places.size < MAX_KNOWN) this.#places.set(key, place);
    return place;
  }
}

/** The name of the one plain field that most changes have; `undefined` for more, or another value. */
function onlyField(value: EntityFields): string | undefined {
  let only: string | undefined;
  for (const name in value) {
    const field = value[name];
    if (only !== undefined || (typeof field !== "number" && typeof field !== "string")) return undefined;
    only = name;
  }
  return only;
}

function restOf(change: Change): Rest | undefined {
  for (const name in change) {
    if (COMMON.has(name)) continue;
    return Object.fromEntries(Object.entries(change).filter(([field]) => !COMMON.has(field)));
  }
  return undefined;
}
