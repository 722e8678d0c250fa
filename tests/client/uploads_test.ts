import { equal, match, rejects } from "../support/assert.ts";
import { pathToFileURL } from "node:url";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CREATE = "sponsored-brands-v3:createAsset";

async function sent(
  call: (us: ProfileClient) => Promise<unknown>,
): Promise<{ body: string; query: string; warnings: string[] }> {
  const emulator = await Emulator.start();
  const warnings: string[] = [];
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      onWarning: (text) => void warnings.push(text),
    });
    await call(await ads.profile("US"));
    const { body = "", query } = emulator.requests().at(-1)!;
    return { body, query, warnings };
  } finally {
    await emulator.stop();
  }
}

const TEXT = "not really a picture";

for (const way of ["bytes", "a blob", "a file", "a stream", "the address of a file"] as const) {
  Deno.test(`a form arrives whole with a file given as ${way}`, async () => {
    await using folder = await temporaryFolder();
    await Deno.writeTextFile(folder.file("logo 1.png"), TEXT);
    const asset = {
      "bytes": () => new TextEncoder().encode(TEXT),
      "a blob": () => new Blob([TEXT]),
      "a file": () => new File([TEXT], "logo 1.png"),
      "a stream": () => new Blob([TEXT]).stream(),
      "the address of a file": () => pathToFileURL(folder.file("logo 1.png")),
    }[way]();
    const { body, warnings } = await sent((us) =>
      us.call(CREATE, { asset, assetInfo: { mediaType: "brandLogo" } })
    );
    const named = way === "a file" || way === "the address of a file";
    match(body, new RegExp(`name="asset"; filename="${named ? "logo 1.png" : "asset"}"`));
    match(body, new RegExp(TEXT));
    match(body, /name="assetInfo"[^{]*\{"mediaType":"brandLogo"\}/);
    equal(warnings.join(), "");
  });
}

Deno.test("a file that is not there, and an address of anything else, are refused before anything is sent", async () => {
  await sent(async (us) => {
    const call = (address: string) => us.call(CREATE, { asset: new URL(address), assetInfo: {} });
    await rejects(call("file:///not/there.png"), /the file ".*there.png" cannot be opened/);
    await rejects(call("https://files.example/a.png"), /https: is not the address of a file/);
  });
});

Deno.test("a list of the query goes out in the style that is published: repeated, or joined by commas", async () => {
  const repeated = await sent((us) =>
    us.call("partner-opportunities:partnerOpportunitiesListOpportunities", undefined, {
      query: { objectiveType: ["SALES", "REACH"], product: "PLATFORM_DSP" },
      headers: { "Platform-Ads-AccountId": "1", "Platform-Advertising-API-Manager-Account": "1" },
    }).catch(() => {})
  );
  match(repeated.query, /objectiveType=SALES&objectiveType=REACH/);
  const joined = await sent((us) =>
    us.call("sponsored-display:listCampaigns", undefined, { query: { stateFilter: ["enabled", "paused"] } })
  );
  match(decodeURIComponent(joined.query), /stateFilter=enabled,paused$/);
});
