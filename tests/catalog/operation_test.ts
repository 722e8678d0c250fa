import assert from "node:assert/strict";
import fc from "fast-check";
import { HOSTED_TOOL_MATCHES, OPERATION_NOTES } from "../../catalog/corrections.ts";
import { catalog, CORRECTIONS, isHostedMcpTool, Operation } from "../../src/platform/catalog/mod.ts";
import { UnsupportedOperationError } from "../../src/errors.ts";

Deno.test("the invoice operations are sent with application/json and still list what is documented", async () => {
  assert.deepEqual(Object.keys(CORRECTIONS), [
    "advertising-billing:getAdvertiserInvoices",
    "advertising-billing:getInvoice",
  ]);
  for (const [id, documented] of [["getAdvertiserInvoices", "invoices"], ["getInvoice", "invoice"]]) {
    const operation = await catalog.get(`advertising-billing:${id}`);
    assert.equal(operation.accept, "application/json");
    assert.deepEqual(operation.accepts, [`application/vnd.${documented}.v1.1+json`]);
    assert.equal(operation.corrected, true);
    assert.match(operation.note!, /406/);
  }
});

Deno.test("every hand-written remark and match is about an operation of the catalog", async () => {
  const ids = [
    ...Object.keys(OPERATION_NOTES),
    ...Object.keys(HOSTED_TOOL_MATCHES),
    ...Object.values(HOSTED_TOOL_MATCHES),
  ];
  for (const id of ids.flat()) await catalog.get(id);
});

Deno.test("an operation whose media types are assumed says so", async () => {
  const assumed = (await catalog.operations()).filter((operation) => operation.assumedMediaTypes);
  const listed = [...(await catalog.apis()).values()].every((api) => api.source === "listing");
  if (listed) assert.equal(assumed.length, 7);
  for (const { note } of assumed) assert.match(note!, /assumed/);
});

Deno.test("a hosted tool is refused, naming the operation that does the same where one is known", async () => {
  const refusal = async (id: string): Promise<Error> => {
    const operation = await catalog.get(id);
    try {
      operation.ensureSendable();
    } catch (error) {
      assert.ok(error instanceof UnsupportedOperationError);
      return error;
    }
    throw new assert.AssertionError({ message: `${id} was not refused` });
  };
  assert.match(
    (await refusal("mcp-billing:list_invoices")).message,
    /getAdvertiserInvoices" or ".*getInvoice"/,
  );
  assert.match((await refusal("mcp-billing:list_invoice_summaries")).message, /GetBillingInvoiceSummaries/);
  assert.doesNotMatch((await refusal("mcp-users:list_users")).message, /Use/);
});

Deno.test("every tool is refused and every other operation is not", async () => {
  for (const operation of await catalog.operations()) {
    if (operation.api.startsWith("mcp-")) {
      assert.throws(() => operation.ensureSendable(), UnsupportedOperationError);
    } else operation.ensureSendable();
  }
});

Deno.test("formatPath() demands every placeholder by name and ignores names that match none", async () => {
  const operation = await catalog.get("workflow-management-service:getWorkflow");
  assert.throws(() => operation.formatPath(), {
    name: "TypeError",
    message: /"instanceId", "workflowId" are missing/,
  });
  assert.throws(() => operation.formatPath({ instanceId: "i" }), { message: /"workflowId" is missing/ });
  assert.equal(
    operation.formatPath({ instanceId: "i", workflowId: 7, other: "../x" }),
    "/amc/reporting/i/workflows/7",
  );
});

Deno.test("formatPath() does not take an inherited property for a value", () => {
  const operation = new Operation(
    { slug: "a", title: "A", source: "test", operations: [] },
    { operationId: "x", method: "GET", path: "/x/{constructor}", summary: "X" },
  );
  assert.throws(() => operation.formatPath({}), { name: "TypeError", message: /"constructor" is missing/ });
});

Deno.test("a formatted path has as many segments as its template, each decoding to what went in", async () => {
  const operations = (await catalog.operations()).filter((operation) => operation.pathParams.length > 0);
  const value = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((text) => !/[/\\?#\p{Cc}]|%[0-9a-f]{2}/iu.test(text) && !/^[.\s]*(?:;|$)/.test(text));
  fc.assert(
    fc.property(
      fc.constantFrom(...operations),
      fc.array(value, { minLength: 6, maxLength: 6 }),
      (operation, values) => {
        const given = Object.fromEntries(operation.pathParams.map((name, at) => [name, values[at]!]));
        const segments = operation.formatPath(given).split("/");
        const template = operation.path.split("/");
        assert.equal(segments.length, template.length);
        template.forEach((part, at) => {
          const name = /^\{(.+)\}$/.exec(part)?.[1];
          assert.equal(decodeURIComponent(segments[at]!), name === undefined ? part : given[name]);
        });
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("an operation cannot be changed by who asked for it", async () => {
  const operation = await catalog.get("portfolios:ListPortfolios");
  assert.throws(() => Object.assign(operation, { path: "/elsewhere" }), TypeError);
});

Deno.test("an operation is written to JSON with the field names of the specification", async () => {
  const json = JSON.parse(JSON.stringify(await catalog.get("advertising-billing:getInvoice")));
  assert.deepEqual(Object.keys(json), [
    "id",
    "api",
    "operation_id",
    "method",
    "path",
    "summary",
    "tags",
    "deprecated",
    "path_params",
    "query",
    "headers",
    "content_type",
    "accept",
    "content_types",
    "accepts",
    "has_body",
    "read_only",
    "typed_method",
    "note",
    "unsupported_reason",
  ]);
  assert.deepEqual([json.path_params, json.content_type, json.has_body], [["invoiceId"], null, false]);
});

for (
  const [source, expected] of [
    ["mcp-billing", true],
    ["https://docs.test/specs/mcp/billing.json", true],
    ["https://docs.test/mcp_users.yaml?v=1", true],
    ["https://mcp-docs.test/specs/billing.json", false],
    ["advertising-billing", false],
    ["amcp-links", false],
    [{ paths: { "/mcp/a": {}, "/mcp/b": {} } }, true],
    [{ paths: { "/mcp/a": {}, "/b": {} } }, false],
    [{ paths: {} }, false],
    [{}, false],
  ] as const
) {
  Deno.test(`isHostedMcpTool() is ${expected} for ${JSON.stringify(source)}`, () => {
    assert.equal(isHostedMcpTool(source), expected);
  });
}

Deno.test("an operation, its lists and the parameters in them cannot be changed", async () => {
  for (const operation of await catalog.operations()) {
    const { tags, pathParams, query, headers, contentTypes, accepts } = operation;
    const parts = [operation, tags, pathParams, query, headers, contentTypes, accepts, ...query, ...headers];
    assert.ok(parts.every(Object.isFrozen), operation.id);
  }
  const [correction] = Object.values(CORRECTIONS);
  assert.ok(Object.isFrozen(CORRECTIONS) && Object.isFrozen(correction));
});

Deno.test("a caller that changes the map of APIs does not change that of another", async () => {
  const apis = await catalog.apis();
  assert.ok(apis instanceof Map);
  apis.clear();
  assert.ok((await catalog.apis()).size > 200);
});
