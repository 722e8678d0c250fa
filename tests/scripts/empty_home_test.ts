import { emptyHome } from "../../scripts/run_tests/empty_home.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("tests have an empty home, in which what they leave is found, and downloaded packages as before", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using own = await temporaryFolder();
  await Deno.writeTextFile(own.file(".npmrc"), "registry=https://packages.example/\n");
  let path = "";
  {
    await using home = (await emptyHome({ HOME: own.path, DENO_DIR: "/packages" }))!;
    const { HOME, ...others } = home.variables;
    path = HOME!;
    deepEqual(others, {
      DENO_DIR: "/packages",
      npm_config_cache: own.file(".npm"),
      PYTHONUSERBASE: own.file(".local"),
    });
    equal(await Deno.readTextFile(`${path}/.npmrc`), "registry=https://packages.example/\n");
    await Deno.mkdir(`${path}/.config/chromium/Crash Reports`, { recursive: true });
    await Deno.writeTextFile(`${path}/.config/chromium/Crash Reports/settings.dat`, "");
    deepEqual(await home.written(), [], "what a browser keeps for itself");
    await Deno.mkdir(`${path}/.local/state/platform-ads`, { recursive: true });
    await Deno.writeTextFile(`${path}/.local/state/platform-ads/demo.json`, "{}");
    deepEqual(await home.written(), [".local/state/platform-ads/demo.json"]);
  }
  ok(await Deno.stat(path).then(() => false, () => true));
  equal(await Deno.readTextFile(own.file(".npmrc")), "registry=https://packages.example/\n");
  equal(await emptyHome({}), undefined);
});
