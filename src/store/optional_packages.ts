import { ConfigurationError } from "../errors.ts";

/** What only a store in PostgreSQL needs. */
export const POSTGRES_PACKAGES = "pg pg-copy-streams";

/** What a queue of syncs needs besides. */
export const QUEUE_PACKAGES = `${POSTGRES_PACKAGES} graphile-worker`;

/**
 * Loads modules that need packages which are installed by those alone who use them.
 *
 * @param what What cannot be used without them.
 * @param packages Their names, parted by spaces.
 * @throws {ConfigurationError} that says what to install when one is missing.
 */
export async function withPackages<T>(what: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = packages.split(" ").find((name) =>
      new RegExp(`(?:package|module) ['"]?${name}['"]?(?![\\w-])`).test(String(cause))
    );
    if (missing === undefined) throw cause;
    throw new ConfigurationError(
      `Cannot use ${what}: the package "${missing}" is not installed. Install it beside this one: npm install ${packages}`,
      { cause },
    );
  }
}
