import { fieldsOf, isObject } from "../../base/json/fields_of.ts";
import { ConfigurationError } from "../../errors.ts";
import { ApiShapes, type ShortApi } from "./api_shapes.ts";

const loading = new Map<string, Promise<ApiShapes | undefined>>();

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

export const SCHEMA_FORMAT = 1;

const REINSTALL = "Install the package again";

export function checkedApi(data: unknown, api: string): ShortApi {
  const found = fieldsOf(data);
  const { format } = found;
  if (typeof format === "number" && format > SCHEMA_FORMAT) {
    throw new ConfigurationError(
      `Cannot read the schemas of "${api}": they have format ${format}, and this version reads ${SCHEMA_FORMAT}. ` +
        "Update the package",
    );
  }
  if (!isApi(found, api)) {
    throw new ConfigurationError(`Cannot read the schemas of "${api}": the file is damaged. ${REINSTALL}`);
  }
  return found;
}

function isApi(found: object, api: string): found is ShortApi {
  return "format" in found && found.format === SCHEMA_FORMAT && "api" in found && found.api === api &&
    "models" in found && isObject(found.models) && "operations" in found && isObject(found.operations) &&
    "errors" in found && Array.isArray(found.errors);
}
