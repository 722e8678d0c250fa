import { catalog } from "../../../platform/catalog/catalog.ts";
import { fieldsOf } from "../../../base/json/fields_of.ts";
import { jsonInput } from "../../../operations/model/field_schema.ts";
import { callOperation, publishedCall } from "../../../operations/reads/call.ts";
import { opsSearch } from "../../../operations/reads/ops_search.ts";
import { opsShow } from "../../../operations/reads/ops_show.ts";
import { ApiProblem, refusingBadInput } from "../http/responses.ts";
import { type Route, textOf } from "../http/route.ts";
import { PLAN_CALL_ROUTE } from "./planning_routes.ts";

const RESPONSE = { parts: ["response"], limit: () => 4000 } as const;

const CALL = {
  profile: "id of the profile",
  body: "JSON value; optional",
  path_params: "values of the path by name",
  query: "values of the query by name",
};

export const OPERATION_ROUTES: readonly Route[] = [
  {
    method: "GET",
    path: "/api/operations",
    about: "Finds operations by words, `q`, or those of one API; without either it lists the APIs",
    takes: { q: "words of the id, path or summary", api: "slug of an API" },
    gives: "`operations`, `families` of APIs with their numbers of operations",
    run: async ({ query: { q = "", api = "" } }) => ({
      operations: q.trim() === "" && api === "" ? [] : await found(q, api),
      families: [...(await catalog.apis()).values()].filter(({ hostedTools }) => !hostedTools).map((
        { slug, title, version, operationCount },
      ) => ({ slug, title, version: version ?? null, count: operationCount })),
    }),
  },
  {
    method: "GET",
    path: "/api/operations/:id",
    about: "Describes an operation: its parameters, its body as JSON Schema and as an example",
    gives: "`operation`, `schema`, `example`, `response` as a tree",
    run: async ({ params }) => {
      const { id } = await known(params["id"] ?? "");
      const { operation, trees: [tree] } = await opsShow.run(RESPONSE, { operation: id });
      return {
        operation: operation.toJSON(),
        schema: await operation.schema() ?? null,
        example: await operation.example() ?? null,
        response: tree?.text ?? null,
      };
    },
  },
  {
    method: "POST",
    path: "/api/operations/:id/call",
    about: "Calls an operation that reads; one that can change data is refused",
    takes: CALL,
    gives: "`response`, `findings` if the call differs from the published shape",
    run: async (call) => {
      const operation = await known(call.params["id"] ?? "");
      if (!operation.readOnly) {
        throw new ApiProblem(
          409,
          "WRITES",
          `Cannot call "${operation.id}" here: it can change data. Make a plan of it`,
        );
      }
      const { body, context, signal } = call;
      const input = await refusingBadInput(() =>
        jsonInput(callOperation, {
          operation: operation.id,
          ...body["body"] == null ? {} : { body: body["body"] },
          ...filledOf(body),
        })
      );
      const { warnings } = await publishedCall(input);
      const profile = await context.ads.profile(textOf(body, "profile"));
      const response = await callOperation.run({ profile, signal }, input);
      return { response: response ?? null, findings: warnings };
    },
  },
  {
    method: "POST",
    path: "/api/operations/:id/plan",
    about: "Makes a plan of a call that writes, and saves it; nothing is sent",
    takes: CALL,
    gives: PLAN_CALL_ROUTE.gives,
    changes: true,
    run: async (call) => {
      const { id: operation } = await known(call.params["id"] ?? "");
      const { profile: _, ...values } = call.body;
      return await PLAN_CALL_ROUTE.run({
        ...call,
        params: { profile: textOf(call.body, "profile") },
        body: { ...values, ...filledOf(values), operation },
      });
    },
  },
];

async function found(text: string, api: string): Promise<unknown[]> {
  const input = { text, ...(api === "" ? {} : { api }) };
  return (await refusingBadInput(() => opsSearch.run({}, input))).map((one) => one.toJSON());
}

async function known(id: string) {
  try {
    return await catalog.get(id);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiProblem(404, "NO_OPERATION", error.message);
  }
}

function filledOf(body: Readonly<Record<string, unknown>>) {
  return { path_params: filled(body["path_params"]), query: filled(body["query"]) };
}

function filled(value: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, one]) => (one ?? "") !== ""));
}
