import { deepEqual, match, ok, throws } from "../support/assert.ts";
import { styledLines } from "../../scripts/pictures/styled_lines.ts";
import { terminalSvg } from "../../scripts/pictures/terminal_svg.ts";

Deno.test("styledLines() carries styles over runs and lines, and breaks lines as a terminal does", () => {
  const output = "\x1b[1mbold \x1b[31mred\x1b[39m\nstill\x1b[22m plain\nabcdefgh12\n";
  deepEqual(styledLines(output, 8), [
    [{ text: "bold ", styles: ["bold"] }, { text: "red", styles: ["bold", "red"] }],
    [{ text: "still", styles: ["bold"] }, { text: " pl", styles: [] }],
    [{ text: "ain", styles: [] }],
    [{ text: "abcdefgh", styles: [] }],
    [{ text: "12", styles: [] }],
  ]);
});

Deno.test("styledLines() refuses what it cannot draw", () => {
  throws(() => styledLines("\x1b[35mpink", 80), /style 35/);
  throws(() => styledLines("\x1b[2Jcleared", 80), /not a style/);
});

Deno.test("terminalSvg() puts every run at its column and lets no text out as markup", () => {
  const svg = terminalSvg(styledLines('ab \x1b[31m<b> & "c"\x1b[39m', 80), { title: "<t>", columns: 80 });
  match(svg, /<text x="18" y="48" textLength="16">ab<\/text>/);
  match(svg, /<text class="red" x="42" y="48" textLength="72">&lt;b&gt; &amp; &quot;c&quot;<\/text>/);
  ok(!svg.includes("<b>") && !svg.includes("<t>"));
});

Deno.test("terminalSvg() draws a shaded cell as a rectangle under its text", () => {
  const svg = terminalSvg(styledLines("ab\x1b[48;5;33;30m c \x1b[0md", 80), { title: "t", columns: 80 });
  match(
    svg,
    /<rect class="shade" x="34" y="34" width="24" height="19"\/>\n<text class="shaded" x="42" y="48" textLength="8">c</,
  );
  match(svg, /<text x="58" y="48" textLength="8">d<\/text>/);
});
