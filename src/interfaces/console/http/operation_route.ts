import { defaultOf, type Field, type Fields } from "../../../operations/model/field.ts";
import type { Operation } from "../../../operations/model/operation.ts";
import type { Route } from "./route.ts";

/** Describes the route of an operation, at its own path below a profile unless another is given. */
export function describedRoute(
  { name, brief, input: fields }: Pick<Operation<Fields, never, unknown>, "name" | "brief" | "input">,
  path = `/api/profiles/:profile/${name.replaceAll(" ", "/")}`,
): Pick<Route, "method" | "path" | "about" | "takes"> {
  return {
    method: "POST",
    path,
    about: brief.replace(/\.$/, ""),
    takes: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, meaningOf(field)])),
  };
}

function meaningOf(field: Field): string {
  const fixed = defaultOf(field) ?? field.otherwise;
  const needed = field.required === undefined ? "" : "; required";
  const help = field.type === "part" ? `${field.brief ?? field.help}; "only" for nothing else` : field.help;
  return help + needed + (fixed === undefined ? "" : ` (default: ${fixed})`);
}
