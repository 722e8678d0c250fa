import { deepEqual, equal, match } from "../support/assert.ts";
import type { UnitFile } from "../../src/automation/service/units/unit.ts";
import { UNIT_NAMES, unitOfText, UNITS } from "../../src/automation/service/units/units.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runCli } from "./support/run_cli.ts";

const GOALS = "version: 1\ngoals:\n  lamps: { aim: sales, acos: 25%, select: { names: [Lamps] } }\n";

Deno.test("every unit's example file is valid, and its contents show which unit it is", async () => {
  for (const unit of UNIT_NAMES) {
    const { starter, read }: UnitFile = UNITS[unit].file;
    const text = await starter?.() ?? GOALS;
    equal(unitOfText(text), unit);
    match((await read(text, "unit.yaml")).holds, /^\d+ \w+/);
  }
  equal(unitOfText("version: 1\nprofiles: all\ntimers: { watch: hourly }\nfiles: {}\n"), undefined);
  equal(unitOfText("timers:\n  schedules: every 15m\nschedules: x\n"), undefined);
});

Deno.test("auto check tells a file's unit by its contents, and auto show lists timers with what their files hold", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => `${folder.path}/${name}`;
  const run = (...words: string[]) => runCli(words, { env: { XDG_STATE_HOME: folder.path } });
  equal((await run("auto", "init", "schedules", "--out", at("hours.yaml"))).code, 0);
  equal((await run("auto", "init", "pacing", "--out", at("november.yaml"))).code, 0);
  await Deno.writeTextFile(at("lamps.yaml"), GOALS);
  match((await run("auto", "check", at("hours.yaml"))).stderr, /1 schedule \(nights\), no mistakes/);
  match((await run("auto", "check", at("november.yaml"))).stderr, /1 amount \(all: alert\), no mistakes/);
  match((await run("auto", "check", at("lamps.yaml"))).stderr, /1 goal \(lamps: sales\), no mistakes/);
  for (const verb of ["run", "show", "status"]) {
    const { code, stderr } = await run("auto", verb, at("november.yaml"));
    equal(code, 2);
    match(stderr, /november.yaml is a pacing file, not a service file. See: adsctl auto \w+ pacing/);
  }
  const forced = await run("auto", "check", "pacing", at("hours.yaml"));
  equal(forced.code, 2);
  match(forced.stderr, /hours\.yaml:\d+: .*schedules/);
  await Deno.writeTextFile(
    at("service.yaml"),
    `version: 1\nprofiles: all\ntimers: { sync: nightly 04:00, pacing: { at: hourly, missed: skip } }\nfiles: { pacing: ${
      JSON.stringify(at("november.yaml"))
    } }\n`,
  );
  const shown = await run("auto", "show", at("service.yaml"), "--json");
  deepEqual(JSON.parse(shown.stdout), [
    { timer: "sync", at: "nightly 04:00", missed: "run", file: "", holds: "" },
    {
      timer: "pacing",
      at: "hourly",
      missed: "skip",
      file: at("november.yaml"),
      holds: "1 amount (all: alert)",
    },
  ]);
});

Deno.test("the old names of automation run the new commands with their own default files", async () => {
  await using folder = await temporaryFolder();
  const { stderr } = await runCli(["schedule", "check", `${folder.path}/none.yaml`]);
  match(stderr, /"adsctl schedule check" is now "adsctl auto check schedules"/);
  match(stderr, /Cannot read the schedule file "[^"]*none\.yaml"/);
  match((await runCli(["help", "pacing", "show"])).stdout, /^Usage: adsctl auto show pacing .*\[file\]/);
  match((await runCli(["service", "run", "--help"])).stdout, /service file \(default: "service\.yaml"\)/);
});
