import type { StubAnswer } from "./stub_server.ts";

/** One recorded exchange. */
export interface Fixture {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly json?: unknown;
    /** The body as it is, where a number must keep digits that JSON tools would round. */
    readonly text?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly json?: unknown;
    readonly text?: string;
  };
}

/** Headers that a fixture may hold; nothing else is ever recorded. */
export const KEPT_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "location",
  "prefer",
  "retry-after",
  "x-platform-request-id",
  "x-platform-requestid",
  "x-platform-rid",
]);

const ROOT = new URL("../fixtures/", import.meta.url);

/** Reads a fixture by its path without the extension, for example `errors/throttled`. */
export function readFixture(name: string): Fixture {
  return JSON.parse(Deno.readTextFileSync(new URL(`${name}.json`, ROOT)));
}

/** Folders of other files than exchanges. */
const OTHERS = ["files", "guides"];

/** The names of the fixtures in a folder, sorted; of all folders of exchanges without one. */
export function fixtureNames(folder = ""): string[] {
  const names: string[] = [];
  for (const entry of Deno.readDirSync(new URL(`${folder}/`.replace(/^\//, "./"), ROOT))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (OTHERS.includes(path)) continue;
    if (entry.isDirectory) names.push(...fixtureNames(path));
    else if (entry.name.endsWith(".json")) names.push(path.replace(/\.json$/, ""));
  }
  return names.sort();
}

/** The answer of a fixture, for a stub server. */
export function answerOf({ response }: Fixture): StubAnswer {
  return response;
}
