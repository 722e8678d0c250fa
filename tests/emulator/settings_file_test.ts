import assert from "node:assert/strict";
import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";

async function withSettings(
  ending: string,
  use: (text: string, emulator: Emulator) => Promise<void> | void,
): Promise<void> {
  const emulator = await Emulator.start({ wireWord: "acme" });
  try {
    const response = await fetch(`${emulator.url}/_emulator/settings.${ending}`);
    assert.equal(response.status, 200);
    await use(await response.text(), emulator);
  } finally {
    await emulator.stop();
  }
}

Deno.test("settings.env is a dotenv file with which a client logs in, whatever the platform's own word", () =>
  withSettings("env", async (text) => {
    assert.match(text, /^PLATFORM_ADS_SCOPE_HEADER="Acme-Advertising-API-Scope"$/m);
    const envFile = await Deno.makeTempFile();
    try {
      await Deno.writeTextFile(envFile, text);
      const ads = await PlatformAds.fromEnv({ envFile, env: {} });
      assert.equal((await ads.profiles()).length > 5, true);
    } finally {
      await Deno.remove(envFile);
    }
  }));

Deno.test("settings.json is what settings answers", () =>
  withSettings("json", (text, { platform, credentials }) => {
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify({ platform, credentials })));
  }));

Deno.test("settings.ts is a module with platform and credentials", () =>
  withSettings("ts", async (text, { platform, credentials }) => {
    const settings = await import(`data:application/typescript,${encodeURIComponent(text)}`);
    assert.deepEqual({ ...settings }, { platform: { ...platform }, credentials: { ...credentials } });
  }));

Deno.test("settings.py has a constant for each value", () =>
  withSettings("py", (text, { credentials }) => {
    assert.match(text, new RegExp(`^CLIENT_ID = "${credentials.clientId}"$`, "m"));
    assert.match(text, /^CLIENT_ID_HEADER = "Acme-Advertising-API-ClientId"$/m);
  }));

Deno.test("settings in a form that there is not are not found", async () => {
  const emulator = await Emulator.start();
  const response = await fetch(`${emulator.url}/_emulator/settings.xml`);
  await response.body?.cancel();
  await emulator.stop();
  assert.equal(response.status, 404);
});
