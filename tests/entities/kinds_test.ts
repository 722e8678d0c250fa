import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { catalog, ConfigurationError, HISTORY_ENTITY_TYPES, RESOURCE_KINDS } from "../../mod.ts";
import {
  KIND_NAMES,
  kindAndField,
  kindNamed,
  kindNoun,
  spellKind,
} from "../../src/platform/catalog/kind_names.ts";
import { type Kind, knownFields, type ResourceSpec } from "../../src/client/entities/model/resource_spec.ts";
import { findKind, KINDS } from "../../src/client/entities/kinds/kinds.ts";
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

Deno.test("a kind is found by every spelling, and spelled in one way for people", () => {
  for (const name of RESOURCE_KINDS) {
    const spellings = [
      name,
      spellKind(name),
      name.replace(".", "_"),
      name.toUpperCase().replaceAll("_", "-"),
    ];
    for (const text of spellings) equal(kindNamed(text, { names: RESOURCE_KINDS }), name, text);
  }
  deepEqual(
    ["sp.ad_groups", "sb.ad_groups", "sd.targets", "sp.global_campaigns", "portfolios"].map(spellKind),
    [
      "ad-groups",
      "brands-ad-groups",
      "display-targets",
      "global-campaigns",
      "portfolios",
    ],
  );
  for (const text of ["brands-keywords", "Brands keywords", "brands.keywords"]) {
    equal(kindNamed(text, { names: RESOURCE_KINDS }), "sb.keywords");
  }
  equal(kindNamed("products_campaigns", { names: RESOURCE_KINDS }), "sp.campaigns");
});

Deno.test("a field of a kind is found behind every spelling of the kind", () => {
  for (const text of ["keywords.bid", "sp.keywords.bid", "SP-keywords.bid"]) {
    deepEqual(kindAndField(text, RESOURCE_KINDS), { kind: "sp.keywords", field: "bid" });
  }
  deepEqual(kindAndField("brands-campaigns.budget.budget", RESOURCE_KINDS)?.field, "budget.budget");
  equal(kindAndField("sp.keyword", RESOURCE_KINDS), undefined);
});

Deno.test("a misspelt kind is answered with the nearest name of that reader, a strange one with all", () => {
  const names = RESOURCE_KINDS;
  throws(() => kindNamed("keyword", { names, style: "people" }), /Did you mean "keywords"/);
  throws(() => kindNamed("sb_keyword", { names, style: "people" }), /Did you mean "brands-keywords"/);
  throws(() => kindNamed("keyword", { names }), /Did you mean "sp\.keywords"/);
  throws(() => kindNamed("constructor", { names }), ConfigurationError);
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
  const found: Kind<Resource> = findKind("SD-things", kinds);
  equal(spellKind(found.kind), "display-things");
  const plan = await found.create(scope).planUpdate([{ thing_id: "7", bid: 2 }]);
  deepEqual(plan.changes, [
    { kind: "sd.things", op: "update", id: "7", before: { bid: 1 }, after: { bid: 2 }, label: "a" },
  ]);
  throws(() => findKind("sd-thing", kinds, "people"), /Did you mean "display-things"/);
});
