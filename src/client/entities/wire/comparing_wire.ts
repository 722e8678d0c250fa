import type { ProfileScope } from "../../../platform/transport/profile_scope.ts";
import type { ResourceSpec } from "../model/resource_spec.ts";
import type { Fields, ListQuery, ResourceWire } from "../model/resource_wire.ts";
import { wireDifferences } from "./wire_differences.ts";

const MAX_SHOWN = 5;

/**
 * Creates a wire that also reads lists on the unified wire and reports differences as warnings. Results and writes use
 * the older wire.
 */
export function comparingWire(spec: ResourceSpec, wire: ResourceWire, unified: ResourceWire): ResourceWire {
  return {
    ...wire,
    async *pages(scope: ProfileScope, query: ListQuery): AsyncGenerator<Fields[]> {
      const older: Fields[] = [];
      for await (const page of wire.pages(scope, query)) {
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
      if (more > 0) shown.push(`${spec.kind}: ${more} more differences. compareWires() lists them all`);
      for (const line of shown) scope.transport.warn(line, { once: true });
    },
  };
}
