import type { Field } from "../../../src/operations/model/field.ts";

interface WrongValue {
  readonly text: string | undefined;
  readonly value: unknown;
}

/** Values that a field cannot have, as a command line and as an argument; none for types that take any text. */
export function wrongValues(field: Field): readonly WrongValue[] {
  const wrong = wrongValue(field);
  if (wrong === undefined) return [];
  return ["amount", "rate"].includes(field.type) ? [wrong, { text: "0", value: 0 }] : [wrong];
}

function wrongValue(field: Field): WrongValue | undefined {
  const { type } = field;
  if (type === "json" || type === "report") return undefined;
  if (type === "part") return { text: undefined, value: "perhaps" };
  if (type === "reporting") return { text: "4", value: 4 };
  if (type === "choice" && field.flag !== undefined) return { text: undefined, value: "x" };
  if (type === "pairs" || type === "map") return { text: "x", value: 7 };
  if (type === "moment" || type === "day") return { text: "lately", value: "lately" };
  if (type === "text" && field.maxLength !== undefined) {
    return { text: undefined, value: "x".repeat(field.maxLength + 1) };
  }
  if (type === "span") return { text: "soon", value: "soon" };
  if (type === "choices") return { text: "x", value: ["x"] };
  if (type === "codes") return { text: `${field.known[0]}S`, value: [`${field.known[0]}S`] };
  if (type === "switch") return { text: undefined, value: "perhaps" };
  if (["whole", "amount", "share", "rate", "ids", "positions", "choice"].includes(type)) {
    return { text: "x", value: ["ids", "positions"].includes(type) ? ["x"] : "x" };
  }
  return type === "table" ? { text: undefined, value: [7] } : { text: undefined, value: { of: 7 } };
}
