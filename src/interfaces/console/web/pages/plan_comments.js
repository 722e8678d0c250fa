// @ts-check
/// <reference lib="dom" />
import { api } from "../api.js";
import { time } from "../format.js";
import { html, Notice, signal, visible } from "../ui.js";

const problem = signal(/** @type {unknown} */ (undefined));

/** @param {{ id: string, comments: any[], maker: string, reload: () => Promise<void> }} parts */
export function commentsView({ id, comments, maker, reload }) {
  const send = async (/** @type {any} */ event) => {
    event.preventDefault();
    const form = event.currentTarget;
    problem.value = undefined;
    try {
      await api(`/api/plans/${id}/comment`, { body: { text: String(new FormData(form).get("text") ?? "") } });
      form.reset();
      await reload();
    } catch (error) {
      problem.value = error;
    }
  };
  return html`<section class="section" aria-label="Comments"><h2>${maker === "agent" ? "Comments for the agent" : "Comments"}</h2>
    ${comments.length > 0 && html`<ol class="comments">${comments.map(({ at, by, text }) => html`<li><strong>${visible(by)}</strong> <span class="under">${time(at)}</span><div>${visible(text)}</div></li>`)}</ol>`}
    ${problem.value && html`<${Notice} error=${problem.value} />`}
    <form onSubmit=${send}><textarea id="comment" name="text" rows="2" required maxlength="2000" aria-label="Comment" placeholder=${
    maker === "agent" ? "The agent reads comments with the plan, and can make another plan" : "Saved with the plan"}></textarea>
      <div class="buttons" style=${{ marginTop: "8px" }}><button type="submit">Send comment</button></div></form></section>`;
}
