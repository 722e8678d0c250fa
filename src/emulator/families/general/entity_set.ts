import type { SchemaNode } from "../../../platform/schema/schema_node.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { Random } from "../../core/random.ts";
import type { ProfileState } from "../../state/profile_state.ts";
import type { ApiShapes } from "./api_shapes.ts";
import type { DescribedOperation } from "./general_operations.ts";
import { makeValue } from "./make_value.ts";

const SEEDS = 2;
const MAX_SEARCH = 3;

interface EntitySetSource {
  readonly described: DescribedOperation;
  readonly params: Readonly<Record<string, string>>;
  readonly profile: ProfileState;
  readonly seed: string;
  /** Epoch milliseconds; base for generated times. */
  readonly now: number;
}

export class EntitySet {
  readonly idField: string;
  readonly #shapes: ApiShapes;
  readonly #item: SchemaNode;
  readonly #key: string;
  readonly #source: EntitySetSource;

  constructor(source: EntitySetSource) {
    const { operation, siblings, shapes } = source.described;
    this.#source = source;
    this.#shapes = shapes;
    const others = siblings.filter(({ set }) => set === operation.set);
    const place = operation.set.replace(/\{(\w+)\}/g, (_, name) => source.params[name] ?? "");
    this.#key = `general ${operation.api} ${place}`;
    const param = others.map(({ idParam }) => idParam).find((name) => name !== undefined);
    const shown = others.filter(({ verb }) => verb === "list" || verb === "get")
      .map(({ name, verb }) => itemShape(shapes, name, verb === "list"));
    this.#item = shown.find((node) => node !== undefined) ?? {};
    this.idField = idFieldOf(this.#item, { shapes, param, set: operation.set });
  }

  all(): JsonObject[] {
    const kept = this.#collection();
    const changed = new Map(kept.all().map((each) => [String(each.id), each]));
    const seeds = this.#seeds().filter((seed) => !changed.has(this.idOf(seed)));
    const own = kept.all().filter(({ deleted }) => deleted !== true).map(({ entity }) => entity).filter(
      isObject,
    );
    return [...seeds, ...own];
  }

  get(id: string): JsonObject | undefined {
    return this.all().find((entity) => this.idOf(entity) === id);
  }

  create(item: JsonObject, newId: string): JsonObject {
    const { [this.idField]: _, ...sent } = item;
    const made = this.#make(newId, sent);
    const id = isObject(made) ? made[this.idField] : undefined;
    // Where the shape does not allow an id of the emulator's kind, the made-up one is kept.
    const idValue = typeof id === "number" ? Number(newId.slice(-15)) : id ?? newId;
    const entity: JsonObject = { ...made, ...sent, [this.idField]: idValue };
    this.#keep({ id: this.idOf(entity), entity, deleted: false });
    return entity;
  }

  update(entity: JsonObject, changes: JsonObject): JsonObject {
    const after = { ...entity, ...changes, [this.idField]: entity[this.idField] };
    this.#keep({ id: this.idOf(entity), entity: after, deleted: false });
    return after;
  }

  delete(entity: JsonObject): void {
    this.#keep({ id: this.idOf(entity), entity, deleted: true });
  }

  idOf(entity: JsonObject): string {
    return String(entity[this.idField]);
  }

  #keep(record: JsonObject): void {
    const kept = this.#collection();
    if (kept.get(String(record.id)) === undefined) kept.insert(record);
    else kept.replace(record);
  }

  #collection() {
    return this.#source.profile.collection(this.#key);
  }

  #seeds(): JsonObject[] {
    return Array.from({ length: SEEDS }, (_, index) => {
      const made = this.#make(`seed ${index}`, {});
      const idValue = made[this.idField] ?? `${index + 1}`;
      return { ...made, [this.idField]: idValue };
    });
  }

  #make(name: string, facts: JsonObject): JsonObject {
    const { seed, now, profile } = this.#source;
    const random = new Random(`${seed} ${profile.id} ${this.#key} ${name}`);
    const source = { shapes: this.#shapes, random, now, facts: { ...this.#source.params, ...facts } };
    const made = makeValue(this.#item, source);
    return isObject(made) ? made : {};
  }
}

export function itemsOf(value: Json | undefined): JsonObject[] {
  const list = listOf(value);
  if (list !== undefined) return list;
  return isObject(value) ? [value] : [];
}

export function listOf(value: Json | undefined): JsonObject[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : undefined;
  if (!isObject(value)) return undefined;
  return Object.values(value).map((part) => Array.isArray(part) ? listOf(part) : undefined)
    .find((list) => list !== undefined);
}

function itemShape(shapes: ApiShapes, name: string, isList: boolean): SchemaNode | undefined {
  const [response] = Object.values(shapes.operation(name)?.responses ?? {});
  if (response === undefined) return undefined;
  return findItems(response, shapes, MAX_SEARCH) ?? (isList ? undefined : response);
}

function findItems(node: SchemaNode, shapes: ApiShapes, depth: number): SchemaNode | undefined {
  const shape = shapes.resolve(node);
  if (shape.items !== undefined) {
    const item = shapes.resolve(shape.items);
    return item.properties !== undefined || item.allOf !== undefined || item.oneOf !== undefined
      ? shape.items
      : undefined;
  }
  if (depth === 0) return undefined;
  const parts = [...Object.values(shape.properties ?? {}), ...shape.allOf ?? []];
  return parts.map((part) => findItems(part, shapes, depth - 1)).find((found) => found !== undefined);
}

function idFieldOf(
  item: SchemaNode,
  { shapes, param, set }: { shapes: ApiShapes; param: string | undefined; set: string },
): string {
  const names = fieldsOf(item, shapes);
  const noun = (set.split("/").filter((part) => !part.startsWith("{")).at(-1) ?? "").replace(/s$/, "")
    .toLowerCase();
  const wanted = [param?.toLowerCase(), `${noun}id`, "id"].filter((name) => name !== undefined);
  const found = wanted.map((name) => names.find((each) => each.toLowerCase() === name))
    .find((name) => name !== undefined);
  return found ?? names.find((name) => /Id$/.test(name)) ?? param ?? "id";
}

function fieldsOf(node: SchemaNode, shapes: ApiShapes): string[] {
  const shape = shapes.resolve(node);
  const own = Object.keys(shape.properties ?? {});
  const parts = [...shape.allOf ?? [], ...shape.oneOf ?? [], ...shape.anyOf ?? []];
  return [...own, ...parts.flatMap((part) => fieldsOf(part, shapes))];
}
