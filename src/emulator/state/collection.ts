import type { JsonObject } from "../core/json.ts";
import { type Kind, KINDS } from "./kinds.ts";

/**
 * The entities of one kind in one profile, in the order of their creation. Entities are plain objects; nothing is
 * ever taken out, archived ones stay. Change an entity only through {@linkcode Collection.replace}.
 *
 * @example
 * ```ts
 * import type { Emulator } from "@platform/ads/emulator";
 *
 * function firstKeyword(emulator: Emulator): unknown {
 *   const keywords = emulator.state.profiles("NA")[0]!.collection("sp.keywords");
 *   return keywords.at(0)?.["keywordText"];
 * }
 * ```
 */
export class Collection {
  readonly #kind: Kind;
  readonly #entities: JsonObject[] = [];
  readonly #positions = new Map<string, number>();
  #owners: Map<string, string> | undefined;
  readonly #changed: () => void;

  /**
   * An empty collection, or one with entities to start with.
   *
   * @param name Name of the collection, for example `sp.keywords`.
   * @param options `entities`: what it starts with; `changed`: called after each change.
   */
  constructor(name: string, options: { entities?: Iterable<JsonObject>; changed?: () => void } = {}) {
    this.#kind = KINDS[name] ?? { idField: "id" };
    this.#changed = options.changed ?? (() => {});
    for (const entity of options.entities ?? []) this.#append(entity);
  }

  /** The field that holds an entity's id. */
  get idField(): string {
    return this.#kind.idField;
  }

  /** Number of entities, archived ones included. */
  get size(): number {
    return this.#entities.length;
  }

  /** The entity with this id. */
  get(id: string): JsonObject | undefined {
    const position = this.#positions.get(id);
    return position === undefined ? undefined : this.#entities[position];
  }

  /** The position of an id in the order of creation. */
  positionOf(id: string): number | undefined {
    return this.#positions.get(id);
  }

  /** The entity at a position in the order of creation. */
  at(position: number): JsonObject | undefined {
    return this.#entities[position];
  }

  /** Every entity in the order of creation. */
  all(): readonly JsonObject[] {
    return this.#entities;
  }

  /** The id of another entity, not archived, that holds what only one may hold. */
  rivalOf(entity: JsonObject): string | undefined {
    const key = this.#kind.uniqueKey?.(entity);
    if (key === undefined) return undefined;
    const owner = this.#ownersByKey().get(key);
    return owner === this.#idOf(entity) ? undefined : owner;
  }

  /** Adds a new entity. */
  insert(entity: JsonObject): void {
    this.#append(entity);
    this.#own(entity);
    this.#changed();
  }

  /** Puts a changed entity in the place of the one with the same id. */
  replace(entity: JsonObject): void {
    const position = this.#positions.get(this.#idOf(entity));
    if (position === undefined) {
      throw new RangeError(`Cannot replace "${this.#idOf(entity)}": it does not exist`);
    }
    this.#disown(this.#entities[position]!);
    this.#entities[position] = entity;
    this.#own(entity);
    this.#changed();
  }

  #append(entity: JsonObject): void {
    const id = this.#idOf(entity);
    if (this.#positions.has(id)) throw new RangeError(`Cannot add "${id}": it exists already`);
    this.#positions.set(id, this.#entities.push(entity) - 1);
  }

  #idOf(entity: JsonObject): string {
    return String(entity[this.#kind.idField]);
  }

  #ownersByKey(): Map<string, string> {
    if (this.#owners === undefined) {
      this.#owners = new Map();
      for (const entity of this.#entities) this.#own(entity);
    }
    return this.#owners;
  }

  #own(entity: JsonObject): void {
    const key = this.#kind.uniqueKey?.(entity);
    if (key === undefined || isArchived(entity)) return;
    this.#owners?.set(key, this.#idOf(entity));
  }

  #disown(entity: JsonObject): void {
    const key = this.#kind.uniqueKey?.(entity);
    if (key !== undefined && this.#owners?.get(key) === this.#idOf(entity)) this.#owners.delete(key);
  }
}

function isArchived(entity: JsonObject): boolean {
  return String(entity.state).toUpperCase() === "ARCHIVED";
}
