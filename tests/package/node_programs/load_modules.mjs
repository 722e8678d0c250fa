// Loads every module of the installed package but programs and those of pages, and prints which cannot be loaded, with the
// reason; what one loads later too. A module may lack a package that is installed at wish.
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

const installed = new URL("./node_modules/@platform/ads/", import.meta.url);
const { peerDependencies } = JSON.parse(await readFile(new URL("package.json", installed), "utf8"));
const atWish = new RegExp(`["'](?:${Object.keys(peerDependencies).join("|")})(?:/[^"']*)?["']`);
const modules = (await readdir(installed, { recursive: true })).map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /^(?:src|catalog)\/.*\.js$/.test(path))
  .filter((path) => !/\/console\/web\/|\/child_program\.js$/.test(path));
const load = (address, place) =>
  import(address).catch(({ message }) => {
    if (!atWish.test(message)) console.log(`${place}: ${message.split("\n")[0]}`);
  });
for (const path of modules) {
  const own = new URL(path, installed);
  await load(own.href, path);
  for (const [, later] of (await readFile(own, "utf8")).matchAll(/^[^*\n]*\bimport\("([^"]+)"\)/gm)) {
    await load(later.startsWith(".") ? new URL(later, own).href : later, path);
  }
}
process.stdout.write(
  modules.length > 500 ? "all were loaded\n" : `only ${modules.length} modules\n`,
  () => process.exit(),
);
