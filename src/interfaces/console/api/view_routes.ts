import { fieldsOf } from "../../../base/json/fields_of.ts";
import { withFileLock } from "../../../base/runtime/file_lock.ts";
import { readIfThere } from "../../../base/runtime/read_named_file.ts";
import { PlanPlaces } from "../../../plans/store/plan_places.ts";
import { ownFolder } from "../grid/draft_of_call.ts";
import { ApiProblem } from "../http/responses.ts";
import { type Route, textOf } from "../http/route.ts";

interface SavedView {
  readonly name: string;
  /** URL query, such as `table=keywords&where=acos > 30`. */
  readonly query: string;
}

const MAX_VIEWS = 200;
const MAX_NAME = 100;
const MAX_QUERY = 4000;
const LOCK = { lease: 10_000, maxWait: 30_000 };

async function readViews(folder: string): Promise<SavedView[]> {
  const path = placeOf(folder);
  const text = await readIfThere(path);
  if (text === undefined) return [];
  try {
    const { views } = fieldsOf(JSON.parse(text));
    if (Array.isArray(views) && views.every(isView)) return views;
  } catch {
    // Refused below.
  }
  throw new ApiProblem(409, "DAMAGED", `Cannot read the views "${path}": it is damaged. Move it away`);
}

async function saveView(folder: string, view: SavedView): Promise<SavedView[]> {
  const name = usableName(view.name);
  if (view.query.length > MAX_QUERY) {
    throw new ApiProblem(400, "BAD_REQUEST", "Cannot save this view: it is too long");
  }
  return await change(folder, (views) => [...views.filter((one) => one.name !== name), { ...view, name }]);
}

async function renameView(folder: string, name: string, to: string): Promise<SavedView[]> {
  const next = usableName(to);
  return await change(folder, (views) => {
    const view = found(views, name);
    if (next !== name && views.some((one) => one.name === next)) {
      throw new ApiProblem(409, "NAME_TAKEN", `Cannot rename this view: another is named "${next}"`);
    }
    return views.map((one) => one === view ? { ...one, name: next } : one);
  });
}

async function deleteView(folder: string, name: string): Promise<SavedView[]> {
  return await change(folder, (views) => {
    const view = found(views, name);
    return views.filter((one) => one !== view);
  });
}

function found(views: readonly SavedView[], name: string): SavedView {
  const view = views.find((one) => one.name === name);
  if (view === undefined) throw new ApiProblem(404, "NO_VIEW", `There is no view named "${name}"`);
  return view;
}

function usableName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= MAX_NAME) return name;
  throw new ApiProblem(400, "BAD_REQUEST", `Cannot use this name: write 1 to ${MAX_NAME} characters`);
}

async function change(
  folder: string,
  step: (views: readonly SavedView[]) => SavedView[],
): Promise<SavedView[]> {
  const path = placeOf(folder);
  const done = await withFileLock(`${path}.lock`, LOCK, async (files) => {
    const views = step(await readViews(folder)).sort((a, b) => a.name < b.name ? -1 : 1);
    if (views.length > MAX_VIEWS) {
      throw new ApiProblem(409, "TOO_MANY", `Cannot save more than ${MAX_VIEWS} views: delete some`);
    }
    await files.writeText(path, JSON.stringify({ version: 1, views }), { mode: 0o600 });
    return views;
  });
  if (done === undefined) {
    throw new ApiProblem(409, "BUSY", `Cannot change "${path}": another program holds it`);
  }
  return done.result;
}

function isView(value: unknown): value is SavedView {
  const { name, query } = fieldsOf(value);
  return typeof name === "string" && typeof query === "string";
}

function placeOf(folder: string): string {
  return new PlanPlaces(folder).hidden("grid", "views.json");
}

const VIEWS = "`views`, each with `name` and `query`, the values of its address";

export const VIEW_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/views",
    about: "Lists the saved views of the grid",
    gives: VIEWS,
    run: async ({ context }) => ({ views: await readViews(ownFolder(context)) }),
  },
  {
    method: "POST",
    path: "/api/views",
    about: "Saves a view of the grid under a name, in place of one that has it",
    takes: { name: "of the view", query: "values of the address of the grid" },
    gives: VIEWS,
    changes: true,
    run: async ({ context, body }) => {
      const view = { name: textOf(body, "name"), query: textOf(body, "query") };
      return { views: await saveView(ownFolder(context), view) };
    },
  },
  {
    method: "POST",
    path: "/api/views/rename",
    about: "Gives a saved view another name",
    takes: { name: "of the view", to: "its new name" },
    gives: VIEWS,
    changes: true,
    run: async ({ context, body }) => ({
      views: await renameView(ownFolder(context), textOf(body, "name"), textOf(body, "to")),
    }),
  },
  {
    method: "POST",
    path: "/api/views/delete",
    about: "Deletes a saved view",
    takes: { name: "of the view" },
    gives: VIEWS,
    changes: true,
    run: async ({ context, body }) => ({ views: await deleteView(ownFolder(context), textOf(body, "name")) }),
  },
];
