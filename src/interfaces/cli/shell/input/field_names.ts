import { knownFields, type ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { UsageError } from "../io/cli_error.ts";
import { nearest } from "../../../../base/text/nearest.ts";

interface FieldNames {
  /** Path of the field behind each name, for example `budget.budget`. */
  readonly paths: ReadonlyMap<string, string>;
  readonly ignored: readonly string[];
}

/**
 * Ignores case, spaces, underscores and hyphens (`Keyword ID`, `keyword_id`); `id` is the entity's own id.
 *
 * @param options.changeable Fields that may be set; other known ones are ignored.
 * @throws {UsageError} naming an unknown or repeated column.
 */
export function fieldNames(
  names: readonly string[],
  { spec, changeable }: { spec: ResourceSpec; changeable: readonly string[] },
): FieldNames {
  const known = fieldsByKey(spec);
  const paths = new Map<string, string>();
  const ignored: string[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    // Some fields can be given and are never read, as the format of a Brands ad.
    const given = changeable.find((field) => key(field) === key(name));
    const path = key(name) === "id" ? spec.idField : known.get(key(name)) ?? given;
    if (path === undefined) unknown.push(name);
    else if (!changeable.includes(path.split(".")[0]!)) ignored.push(name);
    else {
      const other = [...paths].find(([, taken]) => taken === path);
      if (other !== undefined) {
        throw new UsageError(
          `Cannot use the columns "${other[0]}" and "${name}" together: both are "${path}"`,
        );
      }
      paths.set(name, path);
    }
  }
  if (unknown.length > 0) throw unknownColumns(unknown, { known: [...known.values()], changeable });
  return { paths, ignored };
}

function fieldsByKey(spec: ResourceSpec): Map<string, string> {
  const fields = [...knownFields(spec), ...spec.updatable, ...spec.idFields];
  const known = new Map<string, string>();
  for (const field of fields) {
    const parts = field.split(".");
    for (let length = 1; length <= parts.length; length++) {
      const path = parts.slice(0, length).join(".");
      known.set(key(path), path);
    }
  }
  return known;
}

function unknownColumns(
  names: readonly string[],
  { known, changeable }: { known: readonly string[]; changeable: readonly string[] },
): UsageError {
  const near = nearest(names[0]!, known);
  const list = names.map((name) => `"${name}"`).join(", ");
  return new UsageError(
    `Cannot use the ${names.length === 1 ? "column" : "columns"} ${list}: there is no such field.` +
      (near === undefined ? "" : ` Did you mean "${near}"?`) +
      ` Fields that can be given are ${changeable.join(", ")}`,
  );
}

function key(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "");
}

export const LISTED_STATES: readonly string[] = ["ENABLED", "PAUSED", "ARCHIVED"];
