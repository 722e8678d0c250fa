import { deepEqual, equal, ok } from "../support/assert.ts";
import { parseService } from "../../src/automation/service/mod.ts";
import { isUnit, TIMED_WORK, UNIT_NAMES, unitOf, UNITS } from "../../src/automation/service/units/units.ts";
import { serviceFileText } from "../../src/interfaces/cli/commands/automation/service_file_text.ts";

const PROFILES = [{
  profileId: "1",
  countryCode: "US",
  accountInfo: { name: "Lamps", type: "seller" as const },
}];

function newFile(units: readonly (typeof UNIT_NAMES)[number][]): string {
  return serviceFileText({ profiles: PROFILES, store: undefined, reports: [], units: new Set(units) });
}

Deno.test("every unit with a timer may stand in a service file, and reads its own settings file", () => {
  const timers = TIMED_WORK.toReversed().map((work) => `  ${work}: hourly\n`).join("");
  const file = parseService(`version: 1\nprofiles: all\ntimers:\n${timers}`, "s.yaml");
  deepEqual(
    file.timers.map(({ work, file }) => [work, file]),
    TIMED_WORK.map((work) => [
      work,
      isUnit(work) ? UNITS[work].file.name : undefined,
    ]),
  );
  equal(new Set(UNIT_NAMES.map((unit) => UNITS[unit].file.key)).size, UNIT_NAMES.length);
});

Deno.test("a new service file has the timers of all units whose settings files are there", () => {
  const usual = TIMED_WORK.filter((work) => unitOf(work).usual !== undefined);
  deepEqual(parseService(newFile(UNIT_NAMES), "s.yaml").timers.map(({ work }) => work), usual);
  deepEqual(
    parseService(newFile([]), "s.yaml").timers.map(({ work }) => work),
    usual.filter((work) => !isUnit(work)),
  );
  for (const unit of UNIT_NAMES) {
    ok(newFile([]).includes(`  # ${unit}: `), unit);
  }
});

Deno.test("units wait only for those that are started before them", () => {
  const names = Object.keys(UNITS);
  for (const [index, work] of (names as (keyof typeof UNITS)[]).entries()) {
    const late = (unitOf(work).after ?? []).filter((one) => names.indexOf(one) >= index);
    deepEqual(late, [], work);
  }
});
