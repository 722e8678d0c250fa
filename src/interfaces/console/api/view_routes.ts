import { deleteView, readViews, renameView, saveView } from "../grid/saved_views.ts";
import { ownFolder } from "../grid/draft_of_call.ts";
import { type Route, textOf } from "../http/route.ts";

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
