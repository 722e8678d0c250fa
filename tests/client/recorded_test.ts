import assert from "node:assert/strict";
import { replay } from "../support/replay.ts";

Deno.test("A recorded list is followed past its empty page, each entity once, the biggest id whole", async () => {
  const pages = ["lists/keywords_page_1", "lists/keywords_page_2", "lists/keywords_page_3"];
  const keywords = await replay(pages, (us) => us.sp.keywords.list({ campaignIds: ["11"], pageSize: 2 }));
  assert.deepEqual(keywords.map(({ keywordId }) => keywordId), ["301", "18446744073709551615", "303"]);
});

Deno.test("A list that is not read to its end asks for no further page", async () => {
  await replay(["lists/keywords_page_1"], async (us) => {
    for await (const { keywordId } of us.sp.keywords.iter({ campaignIds: ["11"], pageSize: 2 })) {
      if (keywordId === "18446744073709551615") break;
    }
  });
});
