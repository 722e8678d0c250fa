import { z } from "zod";

/** Type of partly valid data: invalid fields and items are `undefined`. */
export type Parts<T> = T extends readonly (infer Item)[] ? readonly (Parts<Item> | undefined)[]
  : T extends object ? { readonly [Key in keyof T]?: Parts<T[Key]> | undefined }
  : T;

/** Drops invalid parts, so that one error does not hide others. */
export function validParts<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): Parts<z.infer<Schema>> | undefined {
  return partsOf(schema, data) as Parts<z.infer<Schema>> | undefined;
}

function partsOf(schema: z.core.$ZodType, data: unknown): unknown {
  const whole = z.safeParse(schema, data);
  if (whole.success) return whole.data;
  const { def } = schema._zod;
  if ("innerType" in def) return partsOf(def.innerType as z.core.$ZodType, data);
  if (typeof data !== "object" || data === null) return undefined;
  if ("element" in def && Array.isArray(data)) {
    return data.map((item) => partsOf(def.element as z.core.$ZodType, item));
  }
  if ("shape" in def && !Array.isArray(data)) {
    const fields = data as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(def.shape as Record<string, z.core.$ZodType>).flatMap(([key, inner]) => {
        const part = partsOf(inner, fields[key]);
        return part === undefined && !Object.hasOwn(fields, key) ? [] : [[key, part]];
      }),
    );
  }
  if ("valueType" in def && !Array.isArray(data)) {
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, partsOf(def.valueType as z.core.$ZodType, value)]),
    );
  }
  return undefined;
}
