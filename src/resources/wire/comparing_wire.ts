import type { ProfileScope } from "../../transport/profile_scope.ts";
import type { ResourceSpec } from "../resource_spec.ts";
import type { Fields, ListQuery, ResourceWire } from "./resource_wire.ts";
import { wireDifferences } from "./wire_differences.ts";

/** Differences of one list that are reported one by one. */
const MAX_SHOWN = 5;

/**
 * The older wire, whose lists are read on the unified one as well. What differs is reported as warnings of the client;
 * what a caller gets, and every write, is the older wire's.
 */
export function comparingWire(spec: ResourceSpec, unified: ResourceWire): ResourceWire {
  return {
    ...spec.wire,
    async *pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
      const older: Fields[] = [];
      for await (const page of spec.wire.pages(scope, query)) {
        older.push(...page);
        yield page;
      }
      const newer: Fields[] = [];
      for await (const page of unified.pages(scope, query)) newer.push(...page);
      const differences = wireDifferences(spec, older, newer);
      const shown = differences.slice(0, MAX_SHOWN).map(({ kind, id, field, legacy, unified }) =>
        `${kind} ${id}: ${field} is ${JSON.stringify(legacy)} on the older wire and ${
          JSON.stringify(unified)
        } on the unified one`
      );
      const more = differences.length - shown.length;
      if (more > 0) shown.push(`${spec.kind}: ${more} more differences. adsctl wire compare lists them all`);
      for (const line of shown) scope.transport.warn(line, { once: true });
    },
  };
}
