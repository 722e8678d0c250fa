import assert from "node:assert/strict";
import { fixtureNames, KEPT_HEADERS, readFixture } from "./fixture.ts";

Deno.test("Recorded exchanges keep no header but those allowed, and no secret", () => {
  const names = fixtureNames();
  assert.ok(names.length > 0);
  for (const name of names) {
    const { request, response } = readFixture(name);
    assert.match(request.method, /^[A-Z]+$/, name);
    assert.ok(Number.isInteger(response.status), name);
    for (const header of [...Object.keys(request.headers ?? {}), ...Object.keys(response.headers)]) {
      assert.ok(KEPT_HEADERS.has(header), `${name} holds the header "${header}"`);
    }
    const text = JSON.stringify({ request, response });
    assert.doesNotMatch(text, /bearer\s|At[a-z]{1,3}\||client_?secret|refresh_?token|access_?token/i, name);
  }
});
