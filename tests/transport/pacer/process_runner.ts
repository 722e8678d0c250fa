// One process of several that share a file: sends requests to a platform and ends.
import { Pacer, PlatformAds } from "../../../mod.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";

const [url = "", file = "", count = "0"] = Deno.args;
const platform = stubPlatform(url);
const { transport } = new PlatformAds(STUB_CREDENTIALS, { platform, pacer: Pacer.shared(file) });
const baseUrl = platform.regions.NA!.baseUrl;
await Promise.all(
  Array.from(
    { length: Number(count) },
    () => transport.send({ method: "GET", baseUrl, path: "/sp/keywords", idempotent: true }),
  ),
);
