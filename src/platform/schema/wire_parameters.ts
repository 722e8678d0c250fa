import type { ApiShapes } from "./api_shapes.ts";
import type { OperationShape } from "./operation_shape.ts";
import { type WireWords, wordedBody } from "./wire_body.ts";

type Value = string | number | boolean | readonly string[] | { readonly repeated: readonly string[] };

interface WireParameters {
  readonly params: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, string>>;
}

export function wireParameters(
  shapes: ApiShapes,
  { parameters }: OperationShape,
  { params, headers }: WireParameters,
  words: WireWords,
): WireParameters {
  const published = parameters.map((one) => ({
    ...one,
    name: one.in === "query" ? words.word(one.name) : one.name,
  }));
  const known = (place: "query" | "header", name: string) =>
    published.find((one) => one.in === place && one.name.toLowerCase() === name.toLowerCase())?.schema;
  return {
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => {
        const schema = known("query", name);
        if (schema === undefined) return [name, value];
        const wired = wordedBody(shapes, schema, value, words) as Value;
        const isRepeated = schema.explode !== false &&
          [shapes.resolve(schema).type ?? []].flat().includes("array");
        return [name, isRepeated && Array.isArray(wired) ? { repeated: wired } : wired];
      }),
    ),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        known("header", name)?.wordShort ? words.short(name) : name,
        value,
      ]),
    ),
  };
}
