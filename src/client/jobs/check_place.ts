import { nearest } from "../../base/text/nearest.ts";
import { visibleText } from "../../base/text/visible_text.ts";
import { catalog } from "../../platform/catalog/catalog.ts";
import type { JobDescription, JobPlace } from "./job_description.ts";

/**
 * Checks the parameters of a job, because unknown ones would be dropped silently.
 *
 * @throws {TypeError} listing all of them; nothing is sent.
 */
export async function checkPlace(
  { operation, status, output, search, cancel, idParam }: JobDescription,
  { pathParams = {}, query = {} }: {
    readonly pathParams?: JobPlace["pathParams"] | undefined;
    readonly query?: JobPlace["query"] | undefined;
  },
): Promise<void> {
  if (Object.keys(pathParams).length + Object.keys(query).length === 0) return;
  const ids = [operation, status, output?.operation, search?.operation, cancel?.operation];
  const operations = await Promise.all(ids.flatMap((id) => id === undefined ? [] : [catalog.get(id)]));
  const problems = [
    ...unknown("path parameter", pathParams, operations.flatMap((one) => one.pathParams), idParam),
    ...unknown("query parameter", query, operations.flatMap((one) => one.query.map(({ name }) => name))),
  ];
  if (problems.length > 0) throw new TypeError(`Cannot run "${operation}" as a job: ${problems.join("; ")}`);
}

function unknown(
  noun: string,
  given: Readonly<Record<string, unknown>>,
  all: readonly string[],
  id?: string,
): string[] {
  const names = [...new Set(all)].filter((name) => name !== id);
  return Object.keys(given).filter((name) => !names.includes(name)).map((name) => {
    const near = nearest(name, names);
    const next = near !== undefined
      ? `did you mean "${near}"?`
      : names.length === 0
      ? "it takes none"
      : `it takes ${names.map((one) => `"${one}"`).join(", ")}`;
    return `it has no ${noun} "${visibleText(name)}": ${next}`;
  });
}
