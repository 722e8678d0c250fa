/** True for a JSON object, but not for a list or `null`. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

export function withoutFields(entity: Fields, lost: readonly string[]): Fields {
  if (lost.length === 0) return entity;
  const kept = Object.entries(entity).flatMap(([name, value]): [string, unknown][] => {
    if (lost.includes(name)) return [];
    const parts = lost.filter((path) => path.startsWith(`${name}.`)).map((path) =>
      path.slice(name.length + 1)
    );
    return [[name, parts.length > 0 && isObject(value) ? withoutFields(value, parts) : value]];
  });
  return Object.fromEntries(kept);
}

export function onlyFields(entity: Fields, paths: readonly string[]): Fields {
  const found = Object.entries(entity).flatMap(([name, value]): [string, unknown][] => {
    if (paths.includes(name)) return [[name, value]];
    const parts = paths.filter((path) => path.startsWith(`${name}.`)).map((path) =>
      path.slice(name.length + 1)
    );
    if (parts.length === 0 || !isObject(value)) return [];
    const own = onlyFields(value, parts);
    return Object.keys(own).length === 0 ? [] : [[name, own]];
  });
  return Object.fromEntries(found);
}
