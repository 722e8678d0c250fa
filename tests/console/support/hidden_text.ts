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
