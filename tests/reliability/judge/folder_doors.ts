import { PlatformAds } from "../../../mod.ts";
import { FolderLedger } from "../../../src/plans/policy/folder_ledger.ts";
import { parsePolicy } from "../../../src/plans/policy/parse_policy.ts";
import { withDotenv } from "../../support/with_dotenv.ts";
import { type Door, NOW } from "./world.ts";
import { drawnItems, update } from "./write_doors.ts";

const STRANGER = "stranger.example";

/** A program that is started in a folder whose `.env` somebody else wrote. */
export const dotenv: Door = async (world, moved) => {
  const { random, emulator, folder } = world;
  const { regions, tokenUrl } = emulator.platform;
  const wide = `${folder}/wide.yaml`;
  const own = `${folder}/own.yaml`;
  await Deno.writeTextFile(wide, "version: 1\n");
  await Deno.writeTextFile(own, world.policyText);
  const { clientId, clientSecret, refreshToken } = emulator.credentials;
  const [{ region }] = world.markets;
  const foreign = {
    [`PLATFORM_ADS_BASE_URL_${region}`]: `https://${STRANGER}`,
    PLATFORM_ADS_TOKEN_URL: `https://${STRANGER}/token`,
    PLATFORM_ADS_POLICY: wide,
    PLATFORM_ADS_WIRE: "unified",
    PLATFORM_ADS_REFRESH_TOKEN: "theirs",
    PLATFORM_ADS_CLIENT_ID: "theirs",
    PLATFORM_ADS_PLATFORM_FILE: wide,
  };
  // Each line may be refused for itself, so there are few beside a host.
  const often = (name: string): number => name.includes("_URL") ? 1 : 7;
  const lines = Object.entries(foreign).filter(([name]) => random.integer(0, often(name)) === 0).map((
    [name, value],
  ) => `${name}=${value}`);
  const env = {
    PLATFORM_ADS_CLIENT_ID: clientId,
    PLATFORM_ADS_CLIENT_SECRET: clientSecret,
    PLATFORM_ADS_REFRESH_TOKEN: refreshToken,
    PLATFORM_ADS_POLICY: own,
    HOME: folder,
    ...(random.integer(0, 1) === 0 ? {} : { [`PLATFORM_ADS_BASE_URL_${region}`]: regions[region]!.baseUrl }),
    ...(random.integer(0, 1) === 0 ? {} : { PLATFORM_ADS_TOKEN_URL: tokenUrl }),
  };
  const strangers: string[] = [];
  moved({ strangers });
  await withDotenv(lines.join("\n"), async () => {
    const ads = await PlatformAds.fromEnv({
      env: env as Record<string, string>,
      fetch: async (input, init) => {
        const { host } = new URL(input);
        if (host !== STRANGER) return await emulator.fetch(input, init);
        strangers.push(host);
        throw new TypeError("no such host");
      },
      loadPolicy: async (path) =>
        parsePolicy(await Deno.readTextFile(path), {
          ledger: new FolderLedger(world.ledger),
          now: () => Date.parse(NOW),
        }),
      onWarning: () => {},
      now: () => Date.parse(NOW),
      sleep: () => Promise.resolve(),
    });
    const us = await ads.profile(random.pick(world.markets).country);
    const drawn = drawnItems(world, us);
    if (drawn !== undefined) await us.resource(drawn.kind).update(drawn.items as never);
  });
};

/** A ledger whose last line a killed program cut short; then an update. */
export const ledger: Door = async (world, moved) => {
  const { random } = world;
  const names: string[] = [];
  for await (const { name } of Deno.readDir(world.ledger)) if (/^\d+-.*\.jsonl$/.test(name)) names.push(name);
  if (names.length === 0) return;
  const path = `${world.ledger}/${random.pick(names)}`;
  const lines = (await Deno.readTextFile(path)).trimEnd().split("\n");
  const last = random.pick(lines);
  await Deno.writeTextFile(path, last.slice(0, random.integer(1, last.length)), { append: true });
  return await update(world, moved);
};

/** A policy file with a slip in a key or in the name of a market. Nothing may pass under it. */
export const policyFile: Door = async (world, moved) => {
  const { random, policyText } = world;
  const names = [...policyText.matchAll(/(?<=^|")(?:max_\w+|cooling|protect|UK|GB|US|CA|DE)(?=:|":)/gm)];
  const ofMarkets = names.filter(([name]) => name.length === 2);
  const found = random.pick(ofMarkets.length > 0 && random.integer(0, 1) === 0 ? ofMarkets : names);
  if (found === undefined) return;
  const [name] = found;
  // No key ends in x: a y in place of the last letter leaves `max_spend_increase_per_day` as it is.
  const slip = name.length === 2 ? `${name[0]}X` : `${name.slice(0, -1)}x`;
  const text = policyText.slice(0, found.index) + slip + policyText.slice(found.index + name.length);
  moved({ isLook: true });
  const policy = parsePolicy(text, { ledger: new FolderLedger(world.ledger), now: () => Date.parse(NOW) });
  const us = await world.connect("legacy", undefined, { policy }).profile(random.pick(world.markets).country);
  for (let tries = 0; tries < 4; tries++) {
    const drawn = drawnItems(world, us);
    if (drawn !== undefined) await us.resource(drawn.kind).update(drawn.items as never).catch(() => {});
  }
};
