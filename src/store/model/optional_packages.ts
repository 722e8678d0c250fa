import process from "node:process";
import { ConfigurationError } from "../../errors.ts";

export const POSTGRES_PACKAGES = "pg pg-copy-streams";

export const QUEUE_PACKAGES = `${POSTGRES_PACKAGES} graphile-worker`;

export function installCommand(
  packages: string,
  { module, folder }: { readonly module: string; readonly folder: string },
): string {
  const [project, ...inside] = module.replaceAll("\\", "/").split("/node_modules/");
  const isGlobal = inside.length > 0 && !`${folder.replaceAll("\\", "/")}/`.startsWith(`${project}/`) &&
    !`/${folder.replaceAll("\\", "/")}/`.startsWith(`${project}/`);
  return `npm install ${isGlobal ? "-g " : ""}${packages}`;
}

export async function withPackages<T>(what: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = packages.split(" ").find((name) =>
      new RegExp(`(?:package|module) ['"]?${name}['"]?(?![\\w-])`).test(String(cause))
    );
    if (missing === undefined) throw cause;
    const { pathname: module } = new URL(import.meta.url);
    const install = installCommand(packages, { module: decodeURIComponent(module), folder: process.cwd() });
    throw new ConfigurationError(
      `Cannot use ${what}: the package "${missing}" is not installed. Install it beside this one: ${install}`,
      { cause },
    );
  }
}
