/// <reference lib="dom" />
import axe from "axe-core/axe.min.js";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { chromiumPath } from "../../support/chromium_path.ts";

/** Why there is no browser here; `undefined` when there is one. Under CI=true a missing one is a failure. */
export function whyNoBrowser(): string | undefined {
  try {
    chromiumPath();
    return undefined;
  } catch (error) {
    if (Deno.env.get("CI") === "true") throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Milliseconds that a page gets for a step: on a busy machine it may take minutes, and a right one never waits long. */
const PATIENCE = 120_000;

/** Starts a browser without a window. */
export async function startBrowser(): Promise<Browser> {
  return await puppeteer.launch({
    executablePath: chromiumPath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
    timeout: PATIENCE,
    protocolTimeout: 2 * PATIENCE,
  });
}

/** A page, and everything that went wrong in it: errors of scripts and breaches of the content security policy. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens a page with cookies and storage of its own. */
export async function openPage(browser: Browser, url: string): Promise<WatchedPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on("pageerror", (error) => void complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url ?? ""}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Opens another tab of the same browser, as patient. */
export async function anotherTab(page: Page): Promise<Page> {
  const other = await page.browserContext().newPage();
  other.setDefaultTimeout(PATIENCE);
  return other;
}

/** Waits until a text is in the page. */
export async function seeText(page: Page, text: string): Promise<void> {
  try {
    await page.waitForFunction(
      (wanted: string) => document.body.innerText.includes(wanted),
      { polling: 100 },
      text,
    );
  } catch (cause) {
    const seen = await page.evaluate(() => (document.querySelector("main") ?? document.body).innerText);
    throw new Error(`"${text}" is not on ${page.url()}, which shows:\n${seen.slice(0, 1500)}`, { cause });
  }
}

/** Clicks the first button whose text begins so. */
export async function clickButton(page: Page, text: string): Promise<void> {
  const button = await page.waitForSelector(
    `::-p-xpath(//button[starts-with(normalize-space(.), "${text}")][not(@disabled)])`,
  );
  await button?.click();
}

/** Presses the first button of the dialog that is open. */
export async function confirmDialog(page: Page): Promise<void> {
  const button = await page.waitForSelector("dialog[open] button.primary:not(:disabled)");
  await button?.click();
}

/**
 * What axe finds wrong with a page, a line each: by all of its rules, or by one that is named. Of texts that look alike, on
 * backgrounds that look alike, it judges the contrast of one: this takes half of its time on a page with tables.
 */
export async function accessibilityProblems(page: Page, rule?: "color-contrast"): Promise<string[]> {
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(axe.source);
  return await page.evaluate(async (rule) => {
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }
    // deno-lint-ignore no-explicit-any -- a global of the script that was put in
    const { axe } = globalThis as any;
    const grounds = new Map<Element | null, string | undefined>([[null, ""]]);
    const numbers = new Map<string, number>();
    /** Number of what is painted behind an element by itself and all that is around it; none where it may lie elsewhere. */
    const groundOf = (element: Element | null): string | undefined => {
      if (grounds.has(element)) return grounds.get(element);
      const around = groundOf(element!.parentElement);
      const style = getComputedStyle(element!);
      const parts = [
        around,
        element!.tagName,
        element!.className,
        style.backgroundColor,
        style.backgroundImage,
      ];
      const key = [...parts, style.opacity, style.filter, style.mixBlendMode].join("\n");
      if (!numbers.has(key)) numbers.set(key, numbers.size);
      const isElsewhere = around === undefined || ["absolute", "fixed"].includes(style.position);
      grounds.set(element, isElsewhere ? undefined : String(numbers.get(key)));
      return grounds.get(element);
    };
    const check = axe._audit.checks["color-contrast"];
    const judge = check.evaluate;
    const passed = new Set<string>();
    check.evaluate = function (element: Element, ...more: unknown[]) {
      const ground = groundOf(element);
      const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
      const look = [ground, color, fontSize, fontWeight, textShadow].join("\n");
      if (passed.has(look)) return true;
      const result = judge.call(this, element, ...more);
      if (result === true && ground !== undefined) passed.add(look);
      return result;
    };
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      // Style sheets of other origins and selectors: a console has none of the first, and nobody reads the second.
      ...{ preload: false, selectors: false },
      ...(rule === undefined ? {} : { runOnly: [rule] }),
    }).finally(() => void (check.evaluate = judge));
    return violations.map(({ id, nodes }: Violation) =>
      `${id}: ${nodes.map(({ html }) => html).join(" | ").slice(0, 300)}`
    );
  }, rule);
}

/** The same in both schemes of colours, of which the second is judged by its contrasts alone. */
export async function problemsInBothSchemes(page: Page): Promise<string[]> {
  const prefer = (value: "light" | "dark"): Promise<void> =>
    page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
  await prefer("dark");
  const inDark = await accessibilityProblems(page, "color-contrast");
  await prefer("light");
  return [...inDark.map((problem) => `dark: ${problem}`), ...await accessibilityProblems(page)];
}
