/** Required form of a value in a request. */
export type Shape =
  | { readonly is: "text"; readonly min?: number; readonly max?: number; readonly blank?: boolean }
  | { readonly is: "number"; readonly low?: number; readonly high?: number; readonly whole?: boolean }
  | { readonly is: "choice"; readonly values: readonly string[] }
  | { readonly is: "date" }
  | { readonly is: "object"; readonly fields: Fields }
  | { readonly is: "list"; readonly of: Shape; readonly max: number }
  | { readonly is: "texts" }
  | { readonly is: "flag" }
  | { readonly is: "id" }
  | { readonly is: "any" };

/** A field of an object. */
export interface Field {
  /** Required form of its value. */
  readonly shape: Shape;
  readonly required: boolean;
}

/** The fields an object may have; any other is refused. */
export type Fields = Readonly<Record<string, Field>>;

/** A field that must be there. */
export function required(shape: Shape): Field {
  return { shape, required: true };
}

/** A field that may be left out. */
export function optional(shape: Shape): Field {
  return { shape, required: false };
}

/** Text of any length, or within bounds; blank where that is said. */
export function text(bounds: { min?: number; max?: number; blank?: boolean } = {}): Shape {
  return { is: "text", ...bounds };
}

export function number(bounds: { low?: number; high?: number; whole?: boolean } = {}): Shape {
  return { is: "number", ...bounds };
}

export function choice(...values: readonly string[]): Shape {
  return { is: "choice", values };
}

/** A day, `YYYY-MM-DD`. */
export const DATE: Shape = { is: "date" };

export const FLAG: Shape = { is: "flag" };

/** An id as a bare integer. */
export const NUMERIC_ID: Shape = { is: "id" };

/** A value that is kept as it is. */
export const ANY: Shape = { is: "any" };

/** An object whose values are texts under any names. */
export const TEXTS: Shape = { is: "texts" };

export function object(fields: Fields): Shape {
  return { is: "object", fields };
}

/** A list of at most `max` values. */
export function list(of: Shape, max: number): Shape {
  return { is: "list", of, max };
}
