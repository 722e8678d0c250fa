/** A shape as `catalog/schemas` writes it. */
type Shape = string | readonly unknown[] | { readonly [name: string]: unknown };

/** A field of a published body that holds no others, with two values that it may have. */
export interface PublishedField {
  /** Names and positions from the body down. */
  readonly path: readonly (string | number)[];
  readonly values: readonly [unknown, unknown];
}

/** The published body of an operation: its method and path, and every field at the end of a path. */
export interface PublishedBody {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly PublishedField[];
}

interface Api {
  readonly slug: string;
  readonly operations: readonly { operationId: string; method: string; path: string }[];
}

const MAX_DEPTH = 9;
const CATALOG = new URL("../../catalog/", import.meta.url);

/** Reads published bodies from the files of the catalog alone, by `<api>:<operation>`. */
export function publishedBodies(): (id: string) => PublishedBody {
  const read = (name: string) => JSON.parse(Deno.readTextFileSync(new URL(name, CATALOG)));
  const { apis } = read("operations.json") as { apis: readonly Api[] };
  const shared = read("schemas/shared.json").models as Record<string, Shape>;
  return (id) => {
    const [slug = "", name = ""] = id.split(":");
    const operation = apis.find((one) => one.slug === slug)?.operations.find((one) =>
      one.operationId === name
    );
    const file = read(`schemas/${slug.replaceAll("-", "_")}.json`);
    const [shape] = Object.values(file.operations[name]?.b ?? {}) as Shape[];
    if (operation === undefined || shape === undefined) throw new Error(`Nothing is published of ${id}`);
    return { ...operation, fields: [...fieldsOf(shape, { ...shared, ...file.models }, [], [])] };
  };
}

function* fieldsOf(
  shape: Shape | undefined,
  models: Readonly<Record<string, Shape>>,
  path: readonly (string | number)[],
  inside: readonly string[],
): Generator<PublishedField> {
  if (shape === undefined || path.length > MAX_DEPTH) return;
  if (typeof shape === "string") {
    const model = shape.startsWith("@") ? shape.slice(1) : undefined;
    if (model === undefined) yield { path, values: valuesOf(shape) };
    else if (!inside.includes(model)) yield* fieldsOf(models[model], models, path, [...inside, model]);
    return;
  }
  if (Array.isArray(shape)) return yield* fieldsOf(shape[0] as Shape, models, [...path, 0], inside);
  const { "": more = {}, ...fields } = shape as Record<string, Shape>;
  const { ref, type, ...parts } = more as Record<string, unknown>;
  if (typeof ref === "string") return yield* fieldsOf(`@${ref}`, models, path, inside);
  for (const part of [parts["oneOf"], parts["anyOf"], parts["allOf"]].flat()) {
    if (part !== undefined) yield* fieldsOf(part as Shape, models, path, inside);
  }
  const simple = [type].flat().find((one) => typeof one === "string" && !/^(|object|null)$/.test(one));
  if (simple !== undefined) return yield { path, values: valuesOf(String(simple)) };
  for (const [name, field] of Object.entries(fields)) {
    yield* fieldsOf(field, models, [...path, name.replace("!", "")], inside);
  }
}

function valuesOf(shape: string): [unknown, unknown] {
  if (shape.startsWith("=")) {
    const [first, second = "ANOTHER"] = shape.slice(1).split("|");
    return [first, second];
  }
  const type = shape.replace(/[<:].*$/, "");
  if (/^(n|i|number|integer)$/.test(type)) return [11, 12];
  if (/^(b|boolean)$/.test(type)) return [true, false];
  if (/^(o|\*)$/.test(type)) return [{ a: 1 }, { a: 2 }];
  return shape.includes("date") ? ["2026-12-01", "2026-12-02"] : ["text 1", "text 2"];
}
