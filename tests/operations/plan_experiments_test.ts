import { ConfigurationError } from "../../src/errors.ts";
import { planExperiments } from "../../src/operations/reads/plan_experiments.ts";
import { deepEqual, match, rejects } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("schedules that cannot be read are told of, and refused if a person named their file", async () => {
  await using folder = await temporaryFolder();
  const usualSchedules = folder.file("schedules.yaml");
  const context = { folders: [folder.path], usualSchedules, now: Date.parse("2026-11-30T12:00:00Z") };
  const nothing = { plans: [], damaged: [], schedules: [], problem: null };
  deepEqual(await planExperiments.run(context, {}), nothing);
  await rejects(planExperiments.run(context, { schedules: usualSchedules }), ConfigurationError);
  await Deno.writeTextFile(usualSchedules, "version: 1\nschedules: { nights: { move: bids } }\n");
  const { problem, ...rest } = await planExperiments.run(context, {});
  match(problem ?? "", /schedules\.yaml:2: /);
  deepEqual({ ...rest, problem: null }, nothing);
  await rejects(planExperiments.run(context, { schedules: usualSchedules }), /schedules\.yaml:2: /);
});
