// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { Chart, Range } from "../chart.js";
import { counted, dayWord, money, signedMoney, time, whole } from "../format.js";
import { go, query, setQuery } from "../router.js";
import { Sheet } from "../save_csv.js";
import { adsctl } from "../shell.js";
import { Badge, Command, CommandWords, Copy, html, Icon, Loading, Notice, pageEffect, Select, signal, untracked, visible } from "../ui.js";

/** @type {Record<string, string>} */
const FIGURES = { sales: "Sales", orders: "Orders", clicks: "Clicks", cost: "Spend" };
/** @type {Record<string, [kind: string, word: string]>} */
const STATES = { planned: ["muted", "Planned"], running: ["now", "Running"], ended: ["good", "Ended"], undone: ["undo", "Undone"] };
/** @type {Record<string, string>} */
const VERDICTS = { more: "more", less: "less", no_difference: "no difference found", too_small: "too small to tell", too_early: "too early", not_known: "not known" };

/** @param {string[]} params */
export function experimentsPage([id]) {
  const data = signal(/** @type {any} */ (undefined));
  const problem = signal(/** @type {unknown} */ (undefined));
  const power = signal(/** @type {any} */ (undefined));
  const undoing = signal(false);
  const load = () => {
    problem.value = undefined;
    const { figure = "", margin = "" } = query.value;
    const path = id === undefined ? "/api/experiments" : `/api/experiments/${id}?${new URLSearchParams({ ...figure === "" ? {} : { figure }, ...margin === "" ? {} : { margin } })}`;
    void api(path).then((found) => {
      data.value = found;
      if (found.experiment?.state === "running" && power.value === undefined) void api(`/api/experiments/${id}/power`).then((more) => (power.value = more), () => {});
    }, (error) => (problem.value = error));
  };
  let read = "-";
  pageEffect(() => {
    const wanted = JSON.stringify(query.value);
    if (wanted === read) return;
    read = wanted;
    untracked(load);
  });
  const makePlan = async (/** @type {string} */ path) => {
    undoing.value = true;
    try {
      const { plan_id: next } = await api(path, { body: {} });
      go(`/plans/${next}`);
    } catch (error) {
      problem.value = error;
    } finally {
      undoing.value = false;
    }
  };
  const view = () => html`${id === undefined ? html`<div class="head"><h1>Experiments</h1></div>` : html`<p class="crumbs"><a href="/experiments">Experiments</a> / <a href=${`/plans/${id}`}>Plan ${id}</a></p>`}
    ${problem.value && html`<${Notice} error=${problem.value} again=${load} />`}
    ${data.value === undefined ? !problem.value && html`<${Loading} />` : id === undefined ? listView(data.value) : one(id, data.value, { power: power.value, makePlan, isMaking: undoing.value })}`;
  return { title: () => id === undefined ? "Experiments" : "Experiment", view };
}

/** @param {{ experiments: any[], schedules: any[], problem: string | null, damaged: string[] }} data */
function listView({ experiments, schedules, problem, damaged }) {
  const found = [...experiments, ...schedules];
  const broken = [problem, ...damaged.map((path) => `Skipped because it was edited or is damaged: ${path}`)].filter((text) => text !== null)
    .map((text) => html`<p class="message bad">${visible(text)}</p>`);
  if (found.length === 0) {
    return html`${broken}<p>No experiments yet. To find out whether a plan works, hold back a random part of it for comparison:</p><${Command} text=${adsctl("plan bids --preset wasters --hold-back 25%", { market: true, store: true })} />`;
  }
  return html`${broken}<${Sheet} name="experiments"><table class="plain cards"><thead><tr><th scope="col">Plan or schedule</th><th scope="col">State</th><th scope="col">Market</th><th scope="col" class="number">Changed</th><th scope="col" class="number">Held back</th><th scope="col">Applied</th><th scope="col">Until</th></tr></thead>
    <tbody>${found.map((one) => {
    const [kind, word] = STATES[one.state] ?? ["muted", one.state];
    if (one.schedule) {
      return html`<tr key=${`schedule ${one.schedule}`}><td class="wide"><a class="strong two-lines" href=${`/schedules/${one.schedule}`}><bdi>Schedule ${visible(one.schedule)}</bdi></a><div class="under"><${CommandWords} text=${adsctl(`auto outcome ${visible(one.schedule)}`, { store: true })} /></div></td><td><${Badge} kind=${kind}>${one.is_on === null ? word : `${word}, ${one.is_on ? "on" : "off"} this week`}<//></td><td></td>
      <td class="number" data-label="Changed">${counted(one.weeks - one.off, "week")} on</td><td class="number" data-label="Held back">${whole(one.off)} of ${counted(one.weeks, "week")} off</td><td data-label="Applied">${dayWord(one.from)}</td><td data-label="Until">${dayWord(one.until)}</td></tr>`;
    }
    return html`<tr key=${one.plan_id}><td class="wide"><a class="strong two-lines" href=${`/experiments/${one.plan_id}`}><bdi>${visible(one.note || one.plan_id)}</bdi></a><div class="under">${one.rollout ? `Rollout ${visible(one.rollout)}` : one.plan_id}</div></td><td><${Badge} kind=${kind}>${word}<//></td><td>${one.country_code ?? "all"}</td>
      <td class="number" data-label="Changed">${whole(one.changed)}</td><td class="number" data-label="Held back">${whole(one.held)} of ${whole(one.units)} ${one.unit}</td><td data-label="Applied">${dayWord(one.applied_at.slice(0, 10))}</td><td data-label="Until">${dayWord(one.until)}</td></tr>`;
  })}</tbody></table><//>`;
}

/** @param {number | null} share */
function signed(share) {
  return share === null ? "any" : `${share < 0 ? "−" : share > 0 ? "+" : "±"}${Math.abs(share * 100).toFixed(0)} %`;
}

/**
 * The verdict in words for a manager.
 *
 * @param {any} comparison
 */
function sentence({ verdict, figure, effects, reason }) {
  const word = (FIGURES[figure] ?? figure).toLowerCase();
  const { effect, low, high } = effects[figure] ?? {};
  const between = effects[figure] && `between ${signed(low)} and ${signed(high)}`;
  if (verdict === "more" || verdict === "less") {
    return [`${FIGURES[figure]}: ${verdict}`, `The change ${verdict === "more" ? "raised" : "lowered"} ${word} by ${Math.abs(effect * 100).toFixed(0)} % (${between}).`];
  }
  if (verdict === "no_difference") return [`${FIGURES[figure]}: no difference found`, `The effect on ${word} is ${between}.`];
  if (verdict === "too_small") return ["Too small to tell", between ? `With so few units, the effect on ${word} could be anything ${between}.` : reason];
  return [verdict === "too_early" ? "Too early to tell" : "Not known", reason];
}

/**
 * @param {string} id
 * @param {any} data
 * @param {{ power: any, makePlan: (path: string) => void, isMaking: boolean }} parts
 */
function one(id, { note, rollout, outcome, verdicts, course, experiment, decimals, day, time_zone: zone }, { power, makePlan, isMaking }) {
  const { comparison, currency, totals } = outcome;
  const [verdict, words] = sentence(comparison);
  const { figure = "sales", margin = "" } = query.value;
  const [kind, word] = STATES[experiment.state] ?? ["muted", experiment.state];
  const worked = ["more", "less"].includes(comparison.verdict);
  const isEnded = experiment.state === "ended" && experiment.held_changes > 0;
  const planHeld = (/** @type {string} */ style) => html`<button type="button" class=${style} disabled=${isMaking} onClick=${() => makePlan(`/api/experiments/${id}/held-back`)}>Plan ${counted(experiment.held_changes, "change")} …</button>`;
  return html`<div class="head"><h1><bdi>${visible(note || id)}</bdi></h1><${Badge} kind=${kind}>${experiment.state === "undone" ? word : `${word} ${experiment.state === "ended" ? "" : "until "}${dayWord(experiment.until)}`}<//><span class="grow"></span>${isEnded && worked && planHeld("primary")}<${Copy} text=${markdown(note || id, outcome, experiment, rollout)} word="Copy as Markdown" /></div>
    <p class="under">${rollout ? `Rollout ${visible(rollout)}` : `${outcome.country_code} · amounts in ${currency}`} · applied ${time(outcome.applied_at, zone)}${comparison.before ? ` · before: ${comparison.before.start} to ${comparison.before.end}, after: ${comparison.after.start} to ${comparison.after.end}` : ""}</p>
    ${experiment.state === "running" && html`<section class="section" aria-label="Running"><dl class="tiles"><div><dt>Changed</dt><dd class="figure">${whole(experiment.of - experiment.held)}</dd><dd class="under">${experiment.unit}</dd></div><div><dt>Held back</dt><dd class="figure">${whole(experiment.held)}</dd><dd class="under">chosen at random</dd></div>
        <div><dt>Days left</dt><dd class="figure">${power ? whole(power.days_left) : "…"}</dd><dd class="under">until ${dayWord(experiment.until)}</dd></div></dl>
      ${power ? power.lines.slice(0, 3).map((/** @type {string} */ line) => html`<p class="under">${visible(line)}.</p>`) : html`<p class="under" role="status">Estimating the chance of finding an effect …</p>`}</section>`}
    <section class="section" aria-label="Verdict"><div class="section-head"><h2 style=${{ fontSize: "20px", lineHeight: "26px" }}>${verdict}</h2></div>
      <p class="message">${words}</p><p class="muted">Compared with ${whole(comparison.held || experiment.held)} ${experiment.unit} that were chosen at random and left unchanged, over days of the same age. 95 of 100 such intervals contain the true effect.</p></section>
    <div class="columns two section"><section aria-label="Both groups"><div class="section-head"><h2>${FIGURES[course.figure]}, before = 100</h2><span class="under">mean of seven days</span>
      <span class="push"><${Select} label="Figure" value=${figure} options=${Object.entries(FIGURES)} onChange=${(/** @type {string} */ value) => setQuery({ figure: value === "sales" ? "" : value })} /></span></div>
      ${course.changed.every((/** @type {unknown} */ value) => value === null) ? html`<p class="muted">${course.missing.length > 0 ? `Days are not stored: ${course.missing.join("; ")}.` : "Each point is the mean of seven days, all before or all after the plan was applied. None is complete yet."}</p>` : html`
      <${Chart} label=${`${FIGURES[course.figure]} of both groups by day, the days before are 100`} days=${course.days} from=${lowest(course)} height=${220} immatureFrom=${course.immature_from ?? undefined} show=${(/** @type {number} */ value) => value.toFixed(0)} exact=${(/** @type {number} */ value) => value.toFixed(1)}
        marks=${[{ day, word: "applied; this day is left out" }]} band=${{ name: "expected without the change, 95 %", low: course.low, high: course.high }}
        curves=${[{ name: `${whole(comparison.treated || experiment.of - experiment.held)} changed`, values: course.changed }, { name: `${whole(comparison.held || experiment.held)} held back`, values: course.held, class: "s2" }]} />`}</section>
      <section aria-label="How it was compared"><h2>How it was compared</h2><dl class="facts" style=${{ marginTop: "8px" }}><dt>Units</dt><dd>${visible(experiment.why)}</dd><dt>Selection</dt><dd>${whole(experiment.held)} of ${whole(experiment.of)} held back, seed ${visible(experiment.seed)}</dd>
        <dt>Duration</dt><dd>${counted(experiment.weeks, "week")}</dd><dt>Excluded</dt><dd>${named(comparison.voided, comparison, "none", "held back, but changed since")}</dd>
        <dt>Changed again</dt><dd>${named(comparison.changed_again, comparison, "none", "changed again by plans")}</dd><dt>Other changes</dt><dd>${othersWord(comparison)}</dd>
        ${comparison.moved_by_schedules.length > 0 && html`<dt>Schedules</dt><dd>${named(comparison.moved_by_schedules, comparison, "", "changed by schedules, equally in both groups")}</dd>`}<dt>Budgets</dt><dd>${named(comparison.budgets_changed, comparison, "unchanged in these weeks", "campaigns with another budget")}</dd>
        ${comparison.archived.length > 0 && html`<dt>Archived</dt><dd>${named(comparison.archived, comparison, "none", "since")}</dd>`}<dt>Test</dt><dd>10,000 random reassignments</dd></dl>
        ${totals.before && totals.after && html`<h2 style=${{ marginTop: "16px" }}>Without the held-back part</h2><p class="muted">A plain before/after comparison would show ${signed(totals.before[figure] > 0 ? totals.after[figure] / totals.before[figure] - 1 : null)} ${(FIGURES[figure] ?? figure).toLowerCase()}. Items chosen by their figures regress to the mean.</p>`}</section></div>
    ${effectsTable(comparison, { currency, decimals, margin, unit: experiment.unit, verdicts })}
    <section class="section" aria-label="Next steps"><h2>Next steps</h2><ul class="rows"><li><span class="muted"><${Icon} name="info" /></span><div><div class="strong">Change the ${whole(experiment.held)} held-back ${experiment.unit} too</div><div class="under">${heldWord(experiment, worked)}</div></div>${isEnded ? planHeld("link end") : html`<a class="end" href=${`/plans/${id}`}>Open the plan</a>`}</li>
      <li><span class="muted"><${Icon} name="undo" /></span><div><div class="strong">Undo the changes</div><div class="under">Makes a plan that restores the old values, unless they were changed again. Nothing is sent before you apply it</div></div>${rollout ? html`<a class="end" href=${`/rollout?${new URLSearchParams({ folder: rollout })}`}>Undo …</a>` : html`<button type="button" class="link end" disabled=${isMaking} onClick=${() => makePlan(`/api/plans/${id}/undo`)}>Undo …</button>`}</li></ul></section>`;
}

/**
 * Says when and how what is held back can be changed too.
 *
 * @param {any} experiment
 * @param {boolean} worked
 */
function heldWord({ state, until, held_changes: changes }, worked) {
  if (state === "running") return `Once the experiment has ended, after ${dayWord(until)}`;
  if (state === "undone") return "The plan was undone, so there is nothing to repeat";
  if (changes === null) return html`The plan does not contain the held-back changes. Run the same command without <code>--hold-back</code>`;
  const what = "Makes the same changes here, as an ordinary plan. Changes that no longer fit are left out";
  return worked ? what : `${what}. The experiment did not show that this works`;
}

/**
 * Counts units and names the first of them; all stand in the title.
 *
 * @param {string[]} ids
 * @param {{ labels: Record<string, string> }} parts
 * @param {string} none
 * @param {string} word
 */
function named(ids, { labels }, none, word) {
  if (ids.length === 0) return none;
  const names = ids.map((id) => visible(labels[id] ?? id));
  const more = names.length > 3 ? ` and ${names.length - 3} more` : "";
  return html`<span title=${names.join("\n")}>${whole(ids.length)} ${word}: <bdi>${names.slice(0, 3).join(", ")}</bdi>${more}</span>`;
}

/** @param {any} comparison */
function othersWord(comparison) {
  const { changed_by_others: ids, others_known_until: until, after } = comparison;
  if (after === null) return "not compared yet";
  if (until === null) return html`not known: entities were not synced before and after the plan (<${CommandWords} text=${adsctl("sync --entities --all-profiles", { store: true })} />)`;
  const found = named(ids, comparison, "none", "changed outside plans");
  return until < after.end ? html`${found}; known only until ${dayWord(until)}` : found;
}

/** @param {any} course */
function lowest({ changed, held, low }) {
  const known = [...changed, ...held, ...low].filter((value) => value !== null);
  return Math.max(0, Math.floor(Math.min(...known) / 10) * 10);
}

/**
 * @param {any} comparison
 * @param {{ currency: string, decimals: number, margin: string, unit: string, verdicts: Record<string, string> }} parts
 */
function effectsTable({ effects, amounts, after, profit_per_day: profit }, { currency, decimals, margin, unit, verdicts }) {
  const names = Object.keys(effects);
  const amount = (/** @type {string} */ name, /** @type {number | null | undefined} */ value) =>
    value === undefined || value === null ? "" : name === "acos" ? `${(value * 100).toFixed(1)} %` : name === "cost" || name === "sales" ? money(value, decimals) : name === "profit" ? signedMoney(value, decimals) : whole(Math.round(value));
  const sums = (/** @type {string} */ name) => html`<td class="number" data-label="Changed">${amount(name, amounts[name]?.changed)}</td><td class="number muted" data-label="Expected">${amount(name, amounts[name]?.expected)}</td>`;
  const reach = Math.max(0.1, ...names.flatMap((name) => [Math.abs(effects[name].low), Math.abs(effects[name].high ?? effects[name].low)]).map((value) => Math.min(1, Math.ceil(value * 10) / 10)));
  return html`<section class="section" aria-label="All figures"><div class="section-head"><h2>All figures</h2><span class="push"><${Select} label="Profit at a margin of" value=${margin} options=${[["", "not measured"], ["0.2", "20 %"], ["0.3", "30 %"], ["0.4", "40 %"], ["0.5", "50 %"]]} onChange=${(/** @type {string} */ value) => setQuery({ margin: value })} /></span></div>
    ${names.length === 0 ? html`<p class="muted">Nothing is compared yet.</p>` : html`<div class="scroll"><${Sheet} name="effects"><table class="plain cards"><thead><tr><th scope="col">${after === null ? "Figure" : counted(daysOf(after), "day") + " after"}</th><th scope="col" class="number">Changed</th><th scope="col" class="number">Expected</th><th scope="col" class="number">Effect</th><th scope="col" class="number">95 % interval</th><th scope="col"><span class="hidden">On one axis from</span> ${signed(-reach)} to ${signed(reach)}</th><th scope="col">Result</th></tr></thead>
    <tbody>${["acos", "cost", "clicks", "orders", "sales"].filter((name) => names.includes(name)).map((name) => {
    const { effect, low, high } = effects[name];
    return html`<tr key=${name}><th scope="row">${name === "acos" ? "ACOS" : FIGURES[name]}</th>${sums(name)}<td class="number strong" data-label="Effect">${signed(effect)}</td><td class="number muted" data-label="Between">${signed(low)} to ${signed(high)}</td><td class="all" style=${{ width: "30%" }}><${Range} effect=${effect} low=${low} high=${high} reach=${reach} /></td><td>${VERDICTS[verdicts[name] ?? ""]}</td></tr>`;
  })}${profit && html`<tr><th scope="row">Profit a day</th>${sums("profit")}<td class="number strong" data-label="Effect">${signedMoney(profit.effect, decimals)}</td><td class="number muted" data-label="Between">${signedMoney(profit.low, decimals)} to ${profit.high === null ? "any" : signedMoney(profit.high, decimals)} ${currency}</td><td class="muted all">an amount, so it is not on this axis</td><td>${profit.low > 0 ? "more" : profit.high !== null && profit.high < 0 ? "less" : "no difference found"}</td></tr>`}</tbody></table><//></div>
    ${names.some((name) => amounts[name]) && html`<p class="under">Expected: figures of the changed ${unit} if they had developed like the held-back ones.</p>`}`}</section>`;
}

/** @param {{ start: string, end: string }} range */
function daysOf({ start, end }) {
  return Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1;
}

/**
 * A report to send.
 *
 * @param {string} title
 * @param {any} outcome
 * @param {any} experiment
 * @param {string | null} rollout
 */
function markdown(title, { comparison, applied_at: at, country_code: market, decimals }, experiment, rollout) {
  const [verdict, words] = sentence(comparison);
  const safe = (/** @type {string} */ text) => visible(text).replace(/[\\`*_[\]<>|#]/g, "\\$&");
  const rows = Object.entries(comparison.effects).map(([name, one]) => {
    const { effect, low, high } = /** @type {any} */ (one);
    const { changed, expected } = comparison.amounts[name] ?? {};
    const digits = name === "cost" || name === "sales" ? decimals : 0;
    const sum = (/** @type {number | null | undefined} */ value) => value === undefined || value === null ? "" : name === "acos" ? `${(value * 100).toFixed(1)} %` : value.toFixed(digits);
    return `| ${name === "acos" ? "ACOS" : FIGURES[name] ?? name} | ${sum(changed)} | ${sum(expected)} | ${signed(effect)} | ${signed(low)} to ${signed(high)} |`;
  });
  return [`# ${safe(title)}: ${verdict}`, "", words, "", `Applied ${at.slice(0, 10)}${rollout ? "" : ` in ${market}`}. ${experiment.held} of ${experiment.of} ${experiment.unit} were chosen at random and held back. Intervals are 95 %.`,
    ...rows.length > 0 ? ["", "| Figure | Changed | Expected | Effect | Between |", "|---|---|---|---|---|", ...rows] : [], ""].join("\n");
}
