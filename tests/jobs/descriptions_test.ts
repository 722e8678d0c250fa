import { catalog } from "../../mod.ts";
import { describedJob, JOBS } from "../../src/client/jobs/descriptions.ts";
import type { JobDescription } from "../../src/client/jobs/mod.ts";
import { flatShape, loadApiShapes } from "../../src/platform/schema/mod.ts";
import type { ApiShapes } from "../../src/platform/schema/mod.ts";
import type { SchemaNode } from "../../src/platform/schema/schema_node.ts";
import { deepEqual, equal, ok } from "../support/assert.ts";

interface Published {
  readonly shapes: ApiShapes;
  readonly fields: ReadonlyMap<string, SchemaNode>;
}

/** Fields of the successful responses of an operation, without an envelope; `undefined` where nothing is published. */
async function responseFields(id: string, envelope?: string): Promise<Published | undefined> {
  const { api, operationId } = await catalog.get(id);
  const shapes = await loadApiShapes(api);
  const responses = shapes?.operation(operationId)?.responses ?? {};
  const nodes = Object.values(responses).flatMap((types) => Object.values(types));
  if (shapes === undefined || nodes.length === 0) return undefined;
  const fields = new Map(nodes.flatMap((node) => [...flatShape(shapes, node).fields]));
  let inner: Published["fields"] = fields;
  for (const name of envelope?.split(".") ?? []) {
    if (name === "0") continue;
    const node = inner.get(name);
    if (node === undefined) return { shapes, fields };
    inner = flatShape(shapes, flatShape(shapes, node).items ?? node).fields;
  }
  return { shapes, fields: inner };
}

const CREATES_SOMETHING_ELSE = ["rule-based-audiences:createLookalikeAudience"];

for (const job of JOBS) {
  Deno.test(`${job.operation} is described as published`, async () => {
    equal(describedJob(job.operation), job);
    const create = await catalog.get(job.operation);
    const status = await catalog.get(job.status);
    equal(create.method, "POST");
    if (job.idsInBody) {
      const shapes = await loadApiShapes(status.api);
      const body = shapes?.operation(status.operationId)?.body;
      const nodes = Object.values(body ?? {});
      ok(
        shapes && nodes.some((node) => flatShape(shapes, node).fields.has(job.idParam)),
        "ids are published",
      );
    } else deepEqual([status.method, status.pathParams.at(-1)], ["GET", job.idParam]);
    const given = new Set([...create.pathParams, job.idParam]);
    deepEqual(status.pathParams.filter((name) => !given.has(name)), []);
    const id = job.id ?? job.idParam;
    const created = await responseFields(job.operation, job.envelope);
    if (created !== undefined && !CREATES_SOMETHING_ELSE.includes(job.operation)) {
      ok(created.fields.has(id), id);
    }
    const told = await responseFields(job.status, job.envelope);
    ok(told !== undefined);
    const word = told.fields.get(job.word ?? "status");
    ok(word !== undefined, "the field of the status is published");
    const known = [...job.pending, ...job.done, ...job.failed, ...job.cancelled ?? []];
    equal(new Set(known).size, known.length, "a word has one meaning");
    deepEqual(wordsOf(word, told.shapes).filter((published) => !known.includes(published)), []);
    await outputIsPublished(job, told);
    if (job.cancel !== undefined) {
      const { pathParams, hasBody } = await catalog.get(job.cancel.operation);
      ok(job.idsInBody ? hasBody : pathParams.includes(job.idParam));
    }
    if (job.search === undefined) return;
    const listed = await responseFields(job.search.operation);
    const items = listed?.fields.get(job.search.items)?.items;
    ok(listed !== undefined && items !== undefined, "the list is published");
    const { fields } = flatShape(listed.shapes, items);
    ok(fields.has(id) && fields.has(job.search.created));
  });
}

function wordsOf(node: SchemaNode, shapes: ApiShapes): string[] {
  const found = node.ref === undefined
    ? node
    : flatShape(shapes, node).parts.find((part) => part.enum) ?? node;
  return (found.enum ?? []).map(String);
}

async function outputIsPublished({ output, status }: JobDescription, told: Published): Promise<void> {
  if (output === undefined) return;
  const [field = ""] = (output.addresses ?? output.pages ?? "").split(".");
  const { fields } = output.operation === undefined || output.operation === status
    ? told
    : await responseFields(output.operation) ?? told;
  ok(fields.has(field), `${field} is published`);
}
