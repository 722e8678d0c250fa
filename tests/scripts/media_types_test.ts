import assert from "node:assert/strict";
import { chooseMediaTypes, sortedMediaTypes } from "../../scripts/catalog/media_types.ts";

const vendor = (version: string): string => `application/vnd.widget${version}+json`;

for (
  const [types, expected, why] of [
    [[vendor(".v3.9"), vendor(".v3.10")], vendor(".v3.10"), "v3.10 comes after v3.9"],
    [[vendor(".v2"), vendor(".v10")], vendor(".v10"), "v10 comes after v2"],
    [[vendor(".v2_1"), vendor(".v2")], vendor(".v2_1"), "an underscore parts versions too"],
    [[vendor(".v2"), vendor(".v1.9")], vendor(".v2"), "the major version counts first"],
    [[vendor(""), vendor(".v1")], vendor(".v1"), "a version is newer than none"],
    [["application/json", vendor(".v1")], vendor(".v1"), "a vendor type is preferred"],
    [["application/json", "text/csv"], "application/json", "JSON is preferred to other formats"],
    [["*/*", "text/csv"], "text/csv", "a named type is preferred to any"],
    [["application/store.v1+json", vendor(".v1")], vendor(".v1"), "vendor types begin with vnd"],
    [
      ["application/vnd.b.v1+json", "application/vnd.a.v1+json"],
      "application/vnd.a.v1+json",
      "equals go by name",
    ],
  ] as const
) {
  Deno.test(`chooseMediaTypes() takes ${expected} of ${types.join(", ")}: ${why}`, () => {
    assert.equal(chooseMediaTypes(types, []).contentType, expected);
    assert.equal(chooseMediaTypes([], types.toReversed()).accept, expected);
  });
}

Deno.test("chooseMediaTypes() asks for the newest version of the request's own type where the response has it", () => {
  assert.equal(chooseMediaTypes([vendor(".v1")], [vendor(".v1"), vendor(".v2")]).accept, vendor(".v2"));
  const other = "application/vnd.other.v9+json";
  assert.equal(chooseMediaTypes([vendor(".v1")], [vendor(".v1"), other]).accept, vendor(".v1"));
  assert.equal(chooseMediaTypes([vendor(".v3")], [vendor(".v1"), vendor(".v2")]).accept, vendor(".v2"));
  assert.equal(
    chooseMediaTypes(["application/json"], ["application/json", vendor(".v2")]).accept,
    vendor(".v2"),
  );
});

Deno.test("chooseMediaTypes() chooses nothing where nothing is documented", () => {
  assert.deepEqual(chooseMediaTypes([], []), {});
});

Deno.test("sortedMediaTypes() orders by name, then by version, and drops repeats", () => {
  const types = [
    vendor(".v3.10"),
    "application/json",
    vendor(".v3.9"),
    vendor(".v3.10"),
    "application/vnd.a.v9+json",
  ];
  assert.deepEqual(sortedMediaTypes(types), [
    "application/json",
    "application/vnd.a.v9+json",
    vendor(".v3.9"),
    vendor(".v3.10"),
  ]);
});
