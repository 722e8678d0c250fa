import type { Route } from "../route.ts";
import { archiveProducts } from "./archive_products.ts";
import { createProducts } from "./create_products.ts";
import { listProducts } from "./list_products.ts";
import type { ProductResource } from "./product_resource.ts";
import { updateProducts } from "./update_products.ts";

/** The operations of a resource: list, create, update and, where it exists, archive. */
export function productRoutes(resource: ProductResource): Route[] {
  const { path, operations } = resource;
  const types = { requestTypes: [resource.mediaType], answerTypes: [resource.mediaType] };
  const routes: Route[] = [
    {
      ...types,
      operation: operations.list,
      method: "POST",
      path: `${path}/list`,
      handle: (context) => listProducts(resource, context),
    },
    {
      ...types,
      operation: operations.create,
      method: "POST",
      path,
      handle: (context) => createProducts(resource, context),
    },
    {
      ...types,
      operation: operations.update,
      method: "PUT",
      path,
      handle: (context) => updateProducts(resource, context),
    },
  ];
  if (operations.archive === undefined) return routes;
  return [...routes, {
    ...types,
    operation: operations.archive,
    method: "POST",
    path: `${path}/delete`,
    handle: (context) => archiveProducts(resource, context),
  }];
}
