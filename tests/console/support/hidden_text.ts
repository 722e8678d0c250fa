/// <reference lib="dom" />
import type { Page } from "puppeteer-core";

/** Texts of a page that do not fit the part that holds them, without a title or a part that scrolls to the whole. */
export function hiddenTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isForReadersAlone = (element: HTMLElement): boolean =>
      element.closest(".hidden, legend, [role=presentation]") !== null ||
      // On a phone the head of a table is for screen readers, and the bar repeats the heading of the page.
      element.closest("thead")?.offsetWidth === 1 || element.closest("header.bar") !== null;
    const isCut = (text: DOMRect, element: HTMLElement): boolean => {
      for (let part: HTMLElement | null = element; part !== null; part = part.parentElement) {
        const { overflowX, overflowY, webkitLineClamp } = getComputedStyle(part);
        if (overflowX === "auto" || overflowX === "scroll") return false;
        const { left, right, top, bottom } = part.getBoundingClientRect();
        const isWider = text.left < left - 1 || text.right > right + 1;
        if (["hidden", "clip"].includes(overflowX) && isWider) return true;
        // A text of two lines at most has its whole behind its link.
        if (webkitLineClamp !== "none") return false;
        const isHigher = text.top < top - 1 || text.bottom > bottom + 1;
        if (["hidden", "clip"].includes(overflowY) && isHigher) return true;
      }
      return false;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
      const { currentNode: { parentElement: element, textContent } } = texts;
      if (!textContent?.trim() || element === null || element.offsetWidth === 0) continue;
      if (isForReadersAlone(element) || element.closest("[title]") !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      if (isCut(range.getBoundingClientRect(), element)) found.push(textContent.slice(0, 100));
    }
    return found;
  });
}

/** Pairs of words of a page that nothing parts: neither a space nor the edge of a block, a cell or a line. */
export function joinedWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** True if an element parts its text from the one beside it. */
    const isApart = (element: Element): boolean => {
      const { display, position } = getComputedStyle(element);
      const parent = element.parentElement === null ? "" : getComputedStyle(element.parentElement).display;
      return display !== "inline" && display !== "contents" || position === "absolute" ||
        /flex|grid/.test(parent);
    };
    const within = (node: Node, top: Node): Element[] => {
      const found: Element[] = [];
      for (let part = node.parentElement; part !== null && part !== top; part = part.parentElement) {
        found.push(part);
      }
      return found;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const found: string[] = [];
    let before: Node | undefined;
    while (texts.nextNode()) {
      const { currentNode } = texts;
      if (currentNode instanceof Element) {
        // A box without a text, such as an icon or a field, parts what is on its sides.
        if (currentNode.matches("br, svg, input, select, textarea, hr, option")) before = undefined;
        continue;
      }
      const text = currentNode.textContent ?? "";
      if (text === "" || (currentNode.parentElement?.offsetWidth ?? 1) === 0) continue;
      const [left, right] = [before?.textContent ?? "", text];
      if (before !== undefined && /[\p{L}\p{N}]$/u.test(left) && /^[\p{L}\p{N}]/u.test(right)) {
        const range = document.createRange();
        range.setStart(before, 0);
        range.setEnd(currentNode, 0);
        const top = range.commonAncestorContainer;
        // Two texts in a row in one element are one text of the page, written in parts.
        const edges = [...within(before, top), ...within(currentNode, top)];
        if (edges.length > 0 && !edges.some(isApart)) found.push(`${left.slice(-30)}|${right.slice(0, 30)}`);
      }
      before = currentNode;
    }
    return found;
  });
}

/** Heads of tables in sight that no button saves as CSV. */
export function unsavedTables(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isSaved = (table: HTMLElement): boolean => {
      const around = table.closest(".sheet, figure, main");
      return [...around?.querySelectorAll("button") ?? []].some((one) => one.textContent === "Save as CSV");
    };
    return [...document.querySelectorAll<HTMLElement>("main table:not(.heat)")]
      .filter((table) => table.offsetWidth > 0 && !isSaved(table)).map((table) =>
        table.innerText.slice(0, 60)
      );
  });
}

/** Controls that neither a line nor bold or underlined text shows where the system replaces all colours. */
export async function unlinedControls(page: Page): Promise<string[]> {
  const session = await page.createCDPSession();
  const force = (value: "active" | "none") =>
    session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value }] });
  await force("active");
  const found = await page.evaluate(() => {
    const controls = "button:not(.link, .plain), a.button, input:not([type=checkbox]), select, textarea";
    const hasLine = (style: CSSStyleDeclaration): boolean =>
      ["Top", "Left", "Bottom"].some((side) =>
        style.getPropertyValue(`border-${side.toLowerCase()}-style`) !== "none" &&
        style.getPropertyValue(`border-${side.toLowerCase()}-width`) !== "0px"
      ) || style.outlineStyle !== "none" || style.textDecorationLine !== "none" ||
      Number(style.fontWeight) >= 600;
    return [...document.querySelectorAll<HTMLElement>(`${controls}, [aria-pressed=true], [aria-current]`)]
      // Of words in one frame, the chosen one is marked.
      .filter((one) =>
        one.offsetWidth > 0 && (one.closest(".switch, .tabs") === null || one.ariaPressed === "true")
      )
      .filter((one) => !hasLine(getComputedStyle(one)))
      .map((one) => `${one.tagName} ${one.textContent?.slice(0, 40)}`);
  });
  await force("none");
  await session.detach();
  return found;
}
