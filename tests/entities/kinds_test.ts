import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { catalog, ConfigurationError, HISTORY_ENTITY_TYPES, RESOURCE_KINDS } from "../../mod.ts";
import { KIND_NAMES, kindNoun } from "../../src/platform/catalog/kind_noun.ts";
import type { Kind, ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import { kindNamed, spellKind } from "../../src/client/entities/model/kind_names.ts";
import { findKind, KINDS } from "../../src/client/entities/kinds.ts";
import { knownFields } from "../../src/client/entities/fields/known_fields.ts";
import { Resource } from "../../src/client/entities/resource/resource.ts";
import { fakeScope } from "../support/fake_scope.ts";

Deno.test("every kind stands under its own name, and the names that load fast are the same", () => {
  for (const name of RESOURCE_KINDS) {
    equal(KINDS[name].kind, name);
    equal(kindNoun(name), KINDS[name].noun);
  }
  deepEqual(KIND_NAMES, RESOURCE_KINDS);
  equal(kindNoun("sd.unheard_of"), "sd.unheard_of");
});

Deno.test("every kind knows the fields that it writes, and its own id comes first in a table", () => {
  for (const name of RESOURCE_KINDS) {
    const spec: ResourceSpec = KINDS[name];
    const fields = knownFields(spec);
    equal(spec.columns[0], spec.idField, name);
    for (const field of [...spec.updatable, ...spec.idFields]) {
      ok(fields.some((known) => known === field || known.startsWith(`${field}.`)), `${name} knows ${field}`);
    }
    deepEqual(fields.length, new Set(fields).size, `${name} names each field once`);
  }
});

Deno.test("parents are kinds whose id field has that name, and the history knows the entity types", () => {
  for (const name of RESOURCE_KINDS) {
    const { parents, historyType, idFields }: ResourceSpec = KINDS[name];
    for (const [field, parent] of Object.entries(parents)) {
      equal(findKind(parent, KINDS).idField, field, name);
      ok(idFields.includes(field), `${name} lists ${field} among its ids`);
    }
    const types: readonly string[] = HISTORY_ENTITY_TYPES;
    ok(historyType === undefined || types.includes(historyType), name);
  }
});

Deno.test("every operation of a kind is in the catalog and can be sent", async () => {
  for (const name of RESOURCE_KINDS) {
    const { operations }: ResourceSpec = KINDS[name];
    for (const id of Object.values(operations).flat()) (await catalog.get(id)).ensureSendable();
  }
});

Deno.test("a kind is found by every spelling of each reader, and spelled for each", () => {
  for (const name of RESOURCE_KINDS) {
    for (const style of ["plan", "command", "tool"] as const) {
      equal(kindNamed(spellKind(name, style), { names: RESOURCE_KINDS, style }), name);
      equal(kindNamed(name.toUpperCase().replaceAll("_", "-"), { names: RESOURCE_KINDS, style }), name);
    }
  }
  deepEqual(
    (["plan", "command", "tool"] as const).map((style) => spellKind("sb.ad_groups", style)),
    ["sb.ad_groups", "sb-ad-groups", "sb_ad_groups"],
  );
  equal(spellKind("sp.ad_groups", "command"), "ad-groups");
});

Deno.test("a misspelt kind is answered with the nearest name of that reader, a strange one with all", () => {
  const names = RESOURCE_KINDS;
  for (const text of ["brands-keywords", "Brands keywords", "brands.keywords"]) {
    equal(kindNamed(text, { names: RESOURCE_KINDS, style: "command" }), "sb.keywords");
  }
  equal(kindNamed("products_campaigns", { names: RESOURCE_KINDS, style: "plan" }), "sp.campaigns");
  equal(kindNamed("display-targets", { names: RESOURCE_KINDS, style: "tool" }), "sd.targets");
  throws(() => kindNamed("keyword", { names, style: "command" }), /Did you mean "keywords"/);
  throws(() => kindNamed("sp_keyword", { names, style: "tool" }), /Did you mean "sp_keywords"/);
  throws(() => kindNamed("keywords", { names }), ConfigurationError);
  throws(() => kindNamed("constructor", { names }), /Expected one of sp\.campaigns, .*, portfolios$/);
});

/** A kind that the library does not have: all that it takes to add one is this and a line in the list. */
const sdThings: Kind<Resource> = {
  ...KINDS["sp.ad_groups"],
  kind: "sd.things",
  noun: "thing",
  plural: "things",
  idField: "thingId",
  idFields: ["thingId"],
  updatable: ["name", "bid"],
  numeric: ["bid"],
  parents: {},
  columns: ["thingId", "name", "bid"],
  operations: {},
  create: (scope) => new Resource(scope, sdThings),
};

Deno.test("a kind that is added by one line is found, spelled, created, planned and checked", async () => {
  const kinds = { ...KINDS, "sd.things": sdThings };
  const scope = fakeScope(() => ({
    adGroups: [{ thingId: "7", name: "a", bid: 1 }],
    totalResults: 1,
  }));
  const found: Kind<Resource> = findKind("SD-things", kinds, "command");
  equal(spellKind(found.kind, "command"), "sd-things");
  const plan = await found.create(scope).planUpdate([{ thing_id: "7", bid: 2 }]);
  deepEqual(plan.changes, [
    { kind: "sd.things", op: "update", id: "7", before: { bid: 1 }, after: { bid: 2 }, label: "a" },
  ]);
  throws(() => findKind("sd-thing", kinds, "command"), /Did you mean "sd-things"/);
});
