// @ts-check
/// <reference lib="dom" />
import { signal } from "./ui.js";

const KEY = "adsctl-console";

export const signedIn = signal(localStorage.getItem(KEY) !== null);

export const reachable = signal(true);

/**
 * Milliseconds of silence after which the console counts as gone. It sends a sign of life every 1.5 seconds, but none
 * for some seconds while it reviews a very large plan.
 */
const SILENCE = 12_000;

export const signInProblem = signal("");

export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {Record<string, any>} [more]
   */
  constructor(status, code, message, more = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
  }
}

/** Removes the token from the URL at once, so that it stays out of history and bookmarks. */
export async function signIn() {
  const [, token] = /^#token=([\w-]+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const { secret } = await request("POST", "/api/session", { token });
    localStorage.setItem(KEY, secret);
    signedIn.value = true;
  } catch (error) {
    // A browser that is signed in already loses nothing by an old address.
    signInProblem.value = error instanceof Error ? error.message : String(error);
  }
}

/**
 * Asks the API and gives its data.
 *
 * @param {string} path
 * @param {{ body?: Record<string, unknown>, signal?: AbortSignal }} [options] with a body it is a POST
 * @returns {Promise<any>}
 */
export async function api(path, { body, signal: stop } = {}) {
  return await request(body === undefined ? "GET" : "POST", path, body, stop);
}

export function newestOnly() {
  let reading = new AbortController();
  const drop = () => {
    reading.abort();
    reading = new AbortController();
  };
  /**
   * @param {string} path
   * @param {Record<string, unknown>} [body]
   * @returns {Promise<any>} never settles once it is dropped
   */
  const ask = (path, body) => {
    drop();
    const { signal: stop } = reading;
    return new Promise((done, fail) =>
      api(path, { signal: stop, ...body && { body } }).then((found) => stop.aborted || done(found), (error) => stop.aborted || fail(error))
    );
  };
  return { ask, drop };
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 * @param {AbortSignal} [stop]
 */
async function request(method, path, body, stop) {
  const response = await send(method, path, body, stop);
  const data = await response.json().catch(() => ({}));
  if (response.ok) return data;
  const { code = "", message = `The console responded with ${response.status}`, ...more } = data.error ?? {};
  if (response.status === 401) {
    localStorage.removeItem(KEY);
    signedIn.value = false;
  }
  throw new ApiError(response.status, code, message, more);
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, unknown>} [body]
 * @param {AbortSignal} [stop]
 */
async function send(method, path, body, stop) {
  const headers = { "x-adsctl-console": localStorage.getItem(KEY) ?? "", "content-type": "application/json" };
  try {
    return await fetch(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(stop === undefined ? {} : { signal: stop }),
    });
  } catch (error) {
    if (stop?.aborted) throw error;
    reachable.value = false;
    throw new ApiError(0, "GONE", "Cannot reach the console: it was stopped, or its terminal was closed");
  }
}

/**
 * Listens to the server-sent events for as long as the page is open. They are read with fetch, for an EventSource cannot
 * send the header that proves the session. A console that gives no sign counts as gone until it answers again.
 *
 * @param {(event: string, data: any) => void} listener
 * @param {() => void} cameBack called before the first event after it was gone
 */
export async function listen(listener, cameBack) {
  for (;;) {
    const stop = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        reachable.value = false;
        stop.abort();
      }, SILENCE);
    };
    const answered = () => {
      heard();
      if (reachable.value) return;
      reachable.value = true;
      cameBack();
    };
    heard();
    try {
      const response = await send("GET", "/api/events", undefined, stop.signal);
      if (!response.ok || response.body === null) return void clearTimeout(timer);
      answered();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let text = "";;) {
        const { done, value } = await reader.read();
        if (done) break;
        answered();
        const blocks = (text + value).split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          const [, event] = /^event: (.*)$/m.exec(block) ?? [];
          const [, data] = /^data: (.*)$/m.exec(block) ?? [];
          if (event !== undefined && data !== undefined) listener(event, JSON.parse(data));
        }
      }
    } catch {
      // Tried again below.
    }
    clearTimeout(timer);
    await new Promise((done) => setTimeout(done, reachable.value ? 200 : 1000));
  }
}
