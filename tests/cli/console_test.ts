import { equal, match } from "../support/assert.ts";
import process from "node:process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { ServiceState } from "../../src/automation/service/mod.ts";
import { signIn } from "../console/support/console_world.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runCli } from "./support/run_cli.ts";

Deno.test("adsctl console serves until Ctrl-C, announces itself, and takes that back at the end", async () => {
  await using folder = await temporaryFolder();
  const env = {
    XDG_STATE_HOME: folder.file("state"),
    XDG_CONFIG_HOME: folder.file("config"),
    PLATFORM_ADS_STORE: folder.file("demo.sqlite"),
  };
  const announced = `${env.XDG_STATE_HOME}/platform-ads/console.json`;
  let press = (): void => {};
  const address = Promise.withResolvers<string>();
  // Without a display no browser can appear, so the address is printed as with --no-open.
  const options = process.platform === "linux" ? [] : ["--no-open"];
  const line = ["console", "--demo", ...options, "--folder", folder.file("plans")];
  const running = runCli(line, {
    env,
    onInterrupt: (handler) => press = handler,
    onStdout: (text) => address.resolve(text.trim()),
  });
  const url = await Promise.race([
    address.promise,
    running.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  match(url, /^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const { origin } = new URL(url);
  const page = await fetch(origin);
  equal(page.status, 200);
  match(await page.text(), /Ads console/);
  equal(JSON.parse(readFileSync(announced, "utf8")).url, origin);
  const real = folder.file("real.sqlite");
  await ServiceState.open(env.PLATFORM_ADS_STORE).then((state) => state.close());
  mkdirSync(folder.file("plans"), { recursive: true });
  writeFileSync(
    folder.file("plans/service.yaml"),
    `version: 1\nprofiles: [US]\nstore: ${real}\ntimers: { sync: nightly 04:00 }\n`,
  );
  const signedIn = await signIn({ console: { url: origin, signInUrl: () => url } });
  equal((await signedIn.ask("/api/service")).data.units.length, 1);
  equal(existsSync(real), false, "the demo account has nothing to do with the store of the file");
  equal(
    readFileSync(`${env.XDG_STATE_HOME}/platform-ads/demo-rollouts.jsonl`, "utf8"),
    `${JSON.stringify(folder.file("plans"))}\n`,
    "later commands know the folder",
  );
  press();
  const { code, stderr } = await running;
  equal(code, 0);
  equal(stderr.includes("token"), false);
  equal(existsSync(announced), false);

  const { port } = new URL(url);
  const taken = await runCli([...line, "--port", "99999"], { env });
  equal(taken.code, 2);
  match(taken.stderr, /port/i);
  await fetch(`http://127.0.0.1:${port}/`).then(() => Promise.reject(new Error("still served")), () => {});
});
