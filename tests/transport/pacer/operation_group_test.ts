import { equal } from "../../support/assert.ts";
import { operationGroup, requestWeight } from "../../../src/platform/transport/departure.ts";

const base = { baseUrl: "https://api.example" };

const GROUPS: readonly [method: string, path: string, idempotent: boolean, group: string][] = [
  ["POST", "/sp/keywords/list", true, "sp reads"],
  ["PUT", "/sp/keywords", false, "sp writes"],
  ["GET", "/sb/keywords", true, "sb reads"],
  ["POST", "/sp/targets/bid/recommendations", true, "recommendations"],
  ["POST", "/reporting/reports", false, "report creation"],
  ["GET", "/reporting/reports/1", true, "report status"],
  ["POST", "/campaigns/export", false, "exports"],
  ["GET", "/exports/1", true, "exports"],
  ["GET", "/v2/profiles", true, "profiles"],
  ["POST", "/history", true, "history"],
  ["GET", "/invoices", true, "invoices reads"],
  ["POST", "/x/recommendation", false, "recommendations"],
  ["GET", "/sb/recommendations/keyword", true, "recommendations"],
  ["GET", "/sp/recommendationsets", true, "sp reads"],
  ["GET", "/reporting/reports", true, "report status"],
  ["POST", "/dsp/exportables", false, "dsp writes"],
  ["POST", "/v2/profiles/register", false, "profiles"],
  ["GET", "/v2/stores", true, "v2 reads"],
  ["POST", "/adsApi/v1/create/reports", true, "new report creation"],
  ["POST", "/adsApi/v1/retrieve/reports", true, "new report status"],
  ["POST", "/adsApi/v1/delete/reports", false, "new report status"],
  ["POST", "/adsApi/v1/query/advertiserAccounts", true, "adsApi reads"],
  ["GET", "/sp/reports", true, "sp reads"],
];

for (const [method, path, idempotent, group] of GROUPS) {
  Deno.test(`${method} ${path} shares the limit of ${group}`, () => {
    equal(operationGroup({ ...base, method, path, idempotent }), group);
  });
}

Deno.test("a list with extended data weighs five, in the body or in the query", () => {
  const list = { ...base, method: "POST", path: "/sp/keywords/list", idempotent: true };
  equal(requestWeight(list), 1);
  equal(requestWeight({ ...list, json: { includeExtendedDataFields: false } }), 1);
  equal(requestWeight({ ...list, json: { includeExtendedDataFields: true } }), 5);
  equal(requestWeight({ ...list, params: { includeExtendedDataFields: true } }), 5);
  equal(requestWeight({ ...list, params: { includeExtendedDataFields: "true" } }), 5);
  equal(requestWeight({ ...list, params: { includeExtendedDataFields: false }, json: null }), 1);
  equal(requestWeight({ ...list, json: "includeExtendedDataFields" }), 1);
  equal(requestWeight({ ...list, json: { includeExtendedDataFields: "yes" } }), 1);
});
