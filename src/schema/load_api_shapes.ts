import { ConfigurationError } from "../errors.ts";
import { ApiShapes } from "./api_shapes.ts";
import { checkedApi, REINSTALL } from "./check/checked_api.ts";

const loading = new Map<string, Promise<ApiShapes | undefined>>();

/**
 * The shapes of one API, loaded at first use and kept; `undefined` when none of its operations is described.
 *
 * @throws {ConfigurationError} when the file is damaged or of a newer format.
 */
export function loadApiShapes(api: string): Promise<ApiShapes | undefined> {
  let shapes = loading.get(api);
  if (shapes === undefined) loading.set(api, shapes = load(api));
  return shapes;
}

async function load(api: string): Promise<ApiShapes | undefined> {
  const { SCHEMA_FILES, SHARED_MODELS } = await import("./schema_files.js");
  const file = Object.hasOwn(SCHEMA_FILES, api) ? SCHEMA_FILES[api] : undefined;
  if (file === undefined) return undefined;
  const [data, shared] = await Promise.all([file(), SHARED_MODELS()]).catch((cause) => {
    throw new ConfigurationError(`Cannot read the schemas of "${api}": ${cause}. ${REINSTALL}`, { cause });
  });
  return new ApiShapes(checkedApi(data.default, api), checkedApi(shared.default, "shared").models);
}
