import assert from "node:assert/strict";
import { configFolder, stateFolder } from "../../src/base/runtime/user_folders.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";

Deno.test("without a home the message says which folder is missing, and how to name it", () => {
  assert.throws(
    () => stateFolder({}),
    /Cannot find the folder of what is kept between runs: neither HOME nor XDG_STATE_HOME is set. Set HOME or XDG_STATE_HOME$/,
  );
  assert.throws(
    () => configFolder({}, { of: "the key" }),
    /folder of the key: .*Set HOME or XDG_CONFIG_HOME$/,
  );
  assert.throws(
    () => PlanStore.defaultPath({}, { option: "--plan-dir" }),
    /folder of the plans: .*Name its place with --plan-dir, or set HOME or XDG_STATE_HOME$/,
  );
});

Deno.test("a variable for the folder wins over the home", () => {
  assert.equal(stateFolder({ HOME: "/h", XDG_STATE_HOME: "/s" }), "/s/platform-ads");
  assert.equal(stateFolder({ HOME: "/h" }), "/h/.local/state/platform-ads");
});
