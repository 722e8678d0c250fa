import type { Route } from "../routing/route.ts";
import type { FlatResource } from "./flat_resource.ts";
import { getFlat, listFlat } from "./flat_reads.ts";
import { archiveFlat, createFlat, updateFlat } from "./flat_writes.ts";

const JSON_TYPES = ["application/json"];

type Step = readonly [
  operation: string | undefined,
  method: Route["method"],
  path: string,
  handle: Route["handle"],
];

export function flatRoutes(resource: FlatResource): Route[] {
  const { path, idParam, operations } = resource;
  const steps: readonly Step[] = [
    [operations.list, "GET", path, (context) => listFlat(resource, context, { extended: false })],
    [
      operations.listExtended,
      "GET",
      `${path}/extended`,
      (context) => listFlat(resource, context, { extended: true }),
    ],
    [
      operations.get,
      "GET",
      `${path}/{${idParam}}`,
      (context) => getFlat(resource, context, { extended: false }),
    ],
    [
      operations.getExtended,
      "GET",
      `${path}/extended/{${idParam}}`,
      (context) => getFlat(resource, context, { extended: true }),
    ],
    [operations.create, "POST", path, (context) => createFlat(resource, context)],
    [operations.update, "PUT", path, (context) => updateFlat(resource, context)],
    [operations.archive, "DELETE", `${path}/{${idParam}}`, (context) => archiveFlat(resource, context)],
  ];
  return steps.flatMap(([operation, method, stepPath, handle]) =>
    operation === undefined ? [] : [{
      operation,
      method,
      path: stepPath,
      ...(method === "POST" || method === "PUT" ? { requestTypes: JSON_TYPES } : {}),
      responseTypes: JSON_TYPES,
      errors: "details",
      handle,
    }]
  );
}
