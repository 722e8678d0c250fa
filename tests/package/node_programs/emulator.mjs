import assert from "node:assert/strict";
import { Emulator } from "@platform/ads/emulator";

const emulator = await Emulator.start({ clock: { now: "2026-09-30T12:00:00Z", frozen: true } });
const { platform, credentials } = await (await fetch(`${emulator.url}/_emulator/settings`)).json();
assert.deepEqual(credentials, emulator.credentials);

const answer = await fetch(platform.tokenUrl, {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: credentials.refreshToken,
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  }),
});
const { access_token } = await answer.json();
assert.ok(access_token.length > 20, "a token was given");

const headers = { [platform.headers.clientId]: credentials.clientId };
const profiles = () =>
  fetch(`${platform.regions.EU.baseUrl}/v2/profiles`, {
    headers: { ...headers, authorization: `Bearer ${access_token}` },
  });
assert.equal((await profiles()).status, 200);
emulator.advance(2 * 3600);
assert.equal((await profiles()).status, 401);
assert.deepEqual(emulator.requests().map(({ status }) => status), [200, 200, 401]);
await emulator.stop();
console.log("A token, the profiles, and an expired token");
