import { deepEqual } from "../support/assert.ts";
import { KINDS, RESOURCE_KINDS } from "../../mod.ts";
import type { ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import type { LateWire } from "../../src/client/entities/model/resource_wire.ts";
import { fakeScope } from "../support/fake_scope.ts";

/** A product by its SKU, whose ASIN is lost. */
const SAMPLE = { sku: "S" };

const WIRES = RESOURCE_KINDS.flatMap((kind) => {
  const spec: ResourceSpec = KINDS[kind];
  return [spec.wire, ...spec.unified === undefined ? [] : [spec.unified]].map((wire) => ({
    kind,
    spec,
    wire,
  }));
});

/** What a wire says of one field of a new entity; a field below another as a part of it. */
async function said(wire: LateWire, path: string): Promise<string> {
  const [field = "", part] = path.split(".");
  const item = { [field]: part === undefined ? {} : { [part]: {} } };
  const problems = (await wire.load()).problems?.(fakeScope(() => []), item, "create") ?? [];
  return problems.filter((one) => one.field === path || one.field === field).map(({ message }) => message)
    .join();
}

Deno.test("a wire refuses to send the fields that it does not read back", async () => {
  const sent: string[] = [];
  for (const { kind, wire } of WIRES) {
    for (const path of wire.lost?.(SAMPLE) ?? []) {
      // A creative is checked as a whole.
      if (path.startsWith("creative.")) continue;
      if (await said(wire, path) === "") sent.push(`${kind} ${wire.name} ${path}`);
    }
  }
  // The platform keeps the SKU of both.
  deepEqual(sent, ["sd.product_ads unified asin"]);
});

Deno.test("a field for which a wire has no place is one that it does not read back", async () => {
  const kept: string[] = [];
  for (const { kind, spec, wire } of WIRES) {
    const lost = wire.lost?.(SAMPLE) ?? [];
    for (
      const field of new Set([...spec.updatable, ...spec.required, ...spec.columns, ...spec.moreFields ?? []])
    ) {
      if (/has no field for/.test(await said(wire, field)) && !lost.includes(field)) {
        kept.push(`${kind} ${wire.name} ${field}`);
      }
    }
  }
  deepEqual(kept, []);
});
