import assert from "node:assert/strict";
import { catalog } from "@platform/ads/catalog";

const operations = await catalog.operations();
assert.ok(operations.length > 1000, `${operations.length} operations`);

const [found] = await catalog.search("list negative keywords", { limit: 5 });
assert.match(found.summary, /negative keywords/i);
const operation = await catalog.get("sponsored-brands-v4:ListSponsoredBrandsCampaigns");
assert.equal(operation.method, "POST");
assert.equal(operation.readOnly, true);
await assert.rejects(catalog.get("sponsored-brands-v4:ListSponsoredBrandCampaign"), RangeError);
console.log(`${operations.length} operations`);
