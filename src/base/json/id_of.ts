export function idText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" || typeof value === "number" ? String(value) : undefined;
}

/**
 * Returns the id of an entity; `undefined` for entities without an id, such as ads of older Brands campaigns, which
 * are never changed.
 */
export function idOf(entity: object, idField: string): string | undefined {
  return idText((entity as Readonly<Record<string, unknown>>)[idField]);
}

/** Returns the id of an entity as a map key; `""` if it is missing, which no map of ids contains. */
export function idKey(entity: object, idField: string): string {
  return idOf(entity, idField) ?? "";
}

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

export function requiredId(item: object, idField: string): string {
  const id = idOf(item, idField);
  if (id === undefined) throw new TypeError(`Cannot use an item: it has no "${idField}"`);
  return id;
}
