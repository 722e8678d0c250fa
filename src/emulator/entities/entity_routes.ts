import type { Route } from "../routing/route.ts";
import { archiveEntities, createEntities, updateEntities } from "./write_entities.ts";
import { listEntities } from "./list_entities.ts";
import type { EntityResource } from "./entity_resource.ts";

export function entityRoutes(resource: EntityResource): Route[] {
  const { path, operations } = resource;
  const isBrands = resource.kind.startsWith("sb.");
  const types = {
    requestTypes: [resource.mediaType],
    responseTypes: [resource.mediaType],
    strictTypes: !isBrands,
    typedErrors: isBrands,
  };
  const routes: Route[] = [
    {
      ...types,
      operation: operations.list,
      method: "POST",
      path: `${path}/list`,
      handle: (context) => listEntities(resource, context),
    },
    {
      ...types,
      operation: operations.update,
      method: "PUT",
      path,
      handle: (context) => updateEntities(resource, context),
    },
  ];
  if (operations.create !== undefined) {
    routes.push({
      ...types,
      operation: operations.create,
      method: "POST",
      path,
      handle: (context) => createEntities(resource, context),
    });
  }
  if (operations.archive !== undefined) {
    routes.push({
      ...types,
      operation: operations.archive,
      method: "POST",
      path: `${path}/delete`,
      handle: (context) => archiveEntities(resource, context),
    });
  }
  return routes;
}
