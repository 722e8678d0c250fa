import { deepEqual, equal, match } from "../support/assert.ts";
import { visibleJson } from "../../src/base/text/visible_text.ts";

Deno.test("JSON for a terminal holds no invisible character and means the same", () => {
  const value = { name: "\x1b[31mred\u009b2J\u202e\u{e0041}", list: ["a\nb", "日本"] };
  for (const space of [0, 2]) {
    const shown = visibleJson(JSON.stringify(value, null, space));
    deepEqual(JSON.parse(shown), value);
    match(shown.replaceAll("\n", ""), /^[^\p{Cc}\p{Cf}]*$/u);
  }
  equal(visibleJson('{"a":"日本"}'), '{"a":"日本"}');
});
