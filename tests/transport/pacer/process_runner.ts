// One process of several that share a file or a database: sends requests to a platform and ends.
import { Pacer, PlatformAds } from "../../../mod.ts";
import { STUB_CREDENTIALS, stubPlatform } from "../../support/stub_client.ts";

const [url = "", place = "", count = "0"] = Deno.args;
const store = place.startsWith("postgres:")
  ? await (await import("../../../src/store/queue/postgres_pace_store.ts")).PostgresPaceStore.open(
    place,
    "client",
  )
  : undefined;
const platform = stubPlatform(url);
const { transport } = new PlatformAds(STUB_CREDENTIALS, { platform, pacer: Pacer.shared(store ?? place) });
const baseUrl = platform.regions.NA!.baseUrl;
await Promise.all(
  Array.from(
    { length: Number(count) },
    () => transport.send({ method: "GET", baseUrl, path: "/sp/keywords", idempotent: true }),
  ),
);
await store?.close();
