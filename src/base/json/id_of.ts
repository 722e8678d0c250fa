/** An id as fields hold it; `undefined` for anything else, such as a reference to another change. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" || typeof value === "number" ? String(value) : undefined;
}

/**
 * The id of an entity as the platform gave it; `undefined` for one without, such as an ad of an older Brands campaign.
 * Those are read and shown, and never changed.
 */
export function idOf(entity: object, idField: string): string | undefined {
  return idText((entity as Readonly<Record<string, unknown>>)[idField]);
}
