import type { Route } from "./route.ts";
import type { WireNames } from "./wire_names.ts";

/** A route with the platform's own word in its path and media types. */
export function spellRoute(route: Route, wire: WireNames): Route {
  const { requestTypes, responseTypes, path } = route;
  return {
    ...route,
    path: wire.spell(path),
    responseTypes: responseTypes.map((type) => wire.spell(type)),
    ...(requestTypes === undefined ? {} : { requestTypes: requestTypes.map((type) => wire.spell(type)) }),
  };
}
