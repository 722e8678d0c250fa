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

export interface Field {
  readonly shape: Shape;
  readonly required: boolean;
}

export type Fields = Readonly<Record<string, Field>>;

export function required(shape: Shape): Field {
  return { shape, required: true };
}

export function optional(shape: Shape): Field {
  return { shape, required: false };
}

export function text(bounds: { min?: number; max?: number; blank?: boolean } = {}): Shape {
  return { is: "text", ...bounds };
}

export function number(bounds: { low?: number; high?: number; whole?: boolean } = {}): Shape {
  return { is: "number", ...bounds };
}

export function choice(...values: readonly string[]): Shape {
  return { is: "choice", values };
}

export const DATE: Shape = { is: "date" };

export const FLAG: Shape = { is: "flag" };

export const NUMERIC_ID: Shape = { is: "id" };

export const ANY: Shape = { is: "any" };

export const TEXTS: Shape = { is: "texts" };

export function object(fields: Fields): Shape {
  return { is: "object", fields };
}

export function list(of: Shape, max: number): Shape {
  return { is: "list", of, max };
}
