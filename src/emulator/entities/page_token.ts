import { Buffer } from "node:buffer";
import { hash } from "../core/random.ts";

export interface PageToken {
  /** Counted from 0. */
  readonly page: number;
  readonly position: number;
  readonly total: number;
}

/** @param list Identifies the list by profile, kind and filters. */
export function writePageToken(token: PageToken, list: string): string {
  const content = `${token.page}.${token.position}.${token.total}`;
  return Buffer.from(`${content}.${seal(content, list)}`).toString("base64url");
}

/** Parses a page token; `undefined` if it is invalid or belongs to another list. */
export function readPageToken(text: string, list: string): PageToken | undefined {
  const match = /^((\d+)\.(\d+)\.(\d+))\.(-?\d+)$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (match === null || match[5] !== seal(match[1]!, list)) return undefined;
  return { page: Number(match[2]), position: Number(match[3]), total: Number(match[4]) };
}

function seal(content: string, list: string): string {
  return String(hash(`${content} of ${list}`));
}
