import { deepEqual, throws } from "./assert.ts";
import { MarkdownPage } from "./markdown.ts";

const PAGE = `# The \`page\`, and more!
See [one](a.md#x), [two](<b.md> "Two") and \`[none](c.md)\`.

## Again
## Again

\`\`\`\`md
\`\`\`ts
[none](d.md)
\`\`\`
## No heading
\`\`\`\`

[ref]: e.md
<img src="f.svg">
`;

Deno.test("a page's links, blocks and anchors are found, and nothing inside code is taken for one", () => {
  const page = new MarkdownPage(PAGE);
  deepEqual(page.links.map(({ target, line }) => `${line} ${target}`), [
    "2 a.md#x",
    "2 b.md",
    "14 e.md",
    "15 f.svg",
  ]);
  deepEqual([...page.anchors], ["the-page-and-more", "again", "again-1"]);
  deepEqual(page.blocks, [{ info: "md", line: 7, text: "```ts\n[none](d.md)\n```\n## No heading\n" }]);
});

Deno.test("a block without an end is refused", () => {
  throws(() => new MarkdownPage("a\n```\nb"), /line 2/);
});
