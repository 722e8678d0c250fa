/** An id in fields; `undefined` for anything else, such as a reference to another change. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" || typeof value === "number" ? String(value) : undefined;
}

/**
 * Id of an entity; `undefined` for one without, such as an ad of an older Brands campaign. Those are read and shown, and
 * never changed.
 */
export function idOf(entity: object, idField: string): string | undefined {
  return idText((entity as Readonly<Record<string, unknown>>)[idField]);
}

/** Id of an entity, or of a parent of it, as a key of maps: `""` for none, which no map of ids holds. */
export function idKey(entity: object, idField: string): string {
  return idOf(entity, idField) ?? "";
}

/** Entities by id, without those that have none. */
export function byIdOf<Entity extends object>(
  entities: Iterable<Entity>,
  idField: string,
): Map<string, Entity> {
  const found = new Map<string, Entity>();
  for (const entity of entities) {
    const id = idOf(entity, idField);
    if (id !== undefined) found.set(id, entity);
  }
  return found;
}

/**
 * Id of an item whose id was checked before.
 *
 * @throws {TypeError} when it has none.
 */
export function requiredId(item: object, idField: string): string {
  const id = idOf(item, idField);
  if (id === undefined) throw new TypeError(`Cannot use an item: it has no "${idField}"`);
  return id;
}
