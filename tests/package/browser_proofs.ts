import { deepEqual, equal, ok } from "../support/assert.ts";
import { join } from "node:path";
import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import type { Proof, ProofWorld } from "./proof.ts";
import { Chromium } from "./support/chromium.ts";
import { PageServer } from "./support/page_server.ts";
import { runProgram } from "./support/run_program.ts";

const PROGRAMS = join(import.meta.dirname!, "browser_programs");
const PATIENCE_SECONDS = 300;

interface Seen {
  readonly error?: string;
  readonly window: string;
  readonly keywords: readonly string[];
  readonly planIsSame: boolean;
  readonly saveIsRefused: boolean;
}

/** `mod.ts` bundled for browsers and used in a real one. */
export const BROWSER_PROOFS: readonly Proof[] = [
  {
    name: "a page in Chromium lists keywords and plans a change with the bundled library",
    run: async (world) => equal((await show("page.html", world)).window, "object"),
  },
  {
    name: "a worker in Chromium does the same",
    run: async (world) => equal((await show("worker.html", world)).window, "undefined"),
  },
];

async function show(page: string, world: ProofWorld): Promise<Seen> {
  site ??= makeSite(world);
  const folder = await site;
  const server = new PageServer(folder);
  const emulator = await Emulator.start({ allowOrigins: [server.origin] });
  server.settings = { platform: emulator.platform, credentials: emulator.credentials };
  const dataFolder = await Deno.makeTempDir({ dir: world.folder, prefix: "chromium_" });
  const chromium = Chromium.open(`${server.origin}/${page}`, { dataFolder });
  let said = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<void>((done) => {
      timer = setTimeout(done, PATIENCE_SECONDS * 1000);
    });
    const seen = await Promise.race([server.result, late]) as Seen | undefined;
    said = await chromium.close();
    ok(seen !== undefined, `The page said nothing in ${PATIENCE_SECONDS} seconds. Chromium said: ${said}`);
    equal(seen.error, undefined);
    deepEqual(seen.keywords, await keywordsOf(emulator));
    ok(seen.planIsSame, "a plan survives its JSON");
    ok(seen.saveIsRefused, "a page has no files");
    return seen;
  } finally {
    clearTimeout(timer);
    await chromium.close();
    await emulator.stop();
    await server.stop();
  }
}

async function keywordsOf(emulator: Emulator): Promise<string[]> {
  const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
  const keywords = await (await ads.profile("CA")).sp.keywords.list({ states: ["ENABLED"] });
  ok(keywords.length > 100);
  return keywords.map(({ keywordId }) => keywordId);
}

let site: Promise<string> | undefined;

/** A folder with the pages and the library, bundled by Deno as for any site. */
async function makeSite(world: ProofWorld): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: world.folder, prefix: "site_" });
  const bundle = ["bundle", "--quiet", "--platform", "browser", "--minify", "-o", join(folder, "mod.js")];
  await runProgram([Deno.execPath(), ...bundle, "mod.ts"], { cwd: join(import.meta.dirname!, "..", "..") });
  for await (const { name } of Deno.readDir(PROGRAMS)) {
    await Deno.copyFile(join(PROGRAMS, name), join(folder, name));
  }
  return folder;
}
