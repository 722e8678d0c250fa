import { defaultOf, type Field, type Fields, requestFields } from "../../../operations/model/field.ts";
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
    takes: Object.fromEntries(
      Object.entries(requestFields(fields)).map(([name, field]) => [name, meaningOf(field)]),
    ),
  };
}

function meaningOf(field: Field): string {
  const fixed = defaultOf(field) ?? field.otherwise;
  const needed = field.required === undefined ? "" : "; required";
  const brief = field.brief ?? field.help;
  const help = field.type === "part"
    ? `${brief}; "only" for nothing else`
    // A command takes a path where a request takes the text.
    : field.type === "files" || field.type === "document"
    ? brief
    : field.help;
  return help + needed + (fixed === undefined ? "" : ` (default: ${fixed})`);
}
