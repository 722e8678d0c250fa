import type { Route } from "../route.ts";
import { archiveProducts } from "./archive_products.ts";
import { createProducts } from "./create_products.ts";
import { listProducts } from "./list_products.ts";
import type { ProductResource } from "./product_resource.ts";
import { updateProducts } from "./update_products.ts";

/** The operations of a resource: list, update and, where they exist, create and archive. */
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
      operation: operations.update,
      method: "PUT",
      path,
      handle: (context) => updateProducts(resource, context),
    },
  ];
  if (operations.create !== undefined) {
    routes.push({
      ...types,
      operation: operations.create,
      method: "POST",
      path,
      handle: (context) => createProducts(resource, context),
    });
  }
  if (operations.archive !== undefined) {
    routes.push({
      ...types,
      operation: operations.archive,
      method: "POST",
      path: `${path}/delete`,
      handle: (context) => archiveProducts(resource, context),
    });
  }
  return routes;
}
