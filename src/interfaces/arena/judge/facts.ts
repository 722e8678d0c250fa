import type { Fact, Seen, Truth } from "./task.ts";
import { figureIn } from "./answer_lines.ts";
import type { Entity } from "../account/account_image.ts";
import type { ProfileDraft } from "../account/account_draft.ts";

type Expected<Value> = Value | ((truth: Truth) => Promise<Value>);

async function expectedOf<Value>(expected: Expected<Value>, truth: Truth): Promise<Value> {
  return typeof expected === "function"
    ? await (expected as (truth: Truth) => Promise<Value>)(truth)
    : expected;
}

/**
 * @param options.off Allowed difference.
 * @default 0.011
 */
export function figure(
  key: string,
  expected: Expected<number>,
  { off = 0.011 }: { off?: number } = {},
): Fact {
  return {
    says: `the answer gives the right ${key}`,
    holds: async ({ answer, truth }) => {
      const given = figureIn(answer.get(key));
      return given !== undefined && Math.abs(given - await expectedOf(expected, truth)) <= off;
    },
  };
}

export function word(key: string, expected: Expected<string>): Fact {
  return {
    says: `the answer gives the right ${key}`,
    holds: async ({ answer, truth }) => {
      const given = answer.get(key)?.toLowerCase();
      return given !== undefined && given === (await expectedOf(expected, truth)).toLowerCase();
    },
  };
}

export function became(
  profile: ProfileDraft,
  [kind, id, field]: readonly [kind: string, id: string, field: string],
  value: Expected<number | string>,
  { off = 0.0051 }: { off?: number } = {},
): Fact {
  return {
    says: `${kind} ${id} has the right ${field}`,
    holds: async ({ after, truth }) => {
      const is = fieldOf(after.get(`${profile.profileId} ${kind} ${id}`), field);
      const wanted = await expectedOf(value, truth);
      return typeof wanted === "number"
        ? typeof is === "number" && Math.abs(is - wanted) <= off
        : String(is).toUpperCase() === wanted.toUpperCase();
    },
  };
}

export function created(
  profile: ProfileDraft,
  kind: string,
  wanted: Expected<readonly ((entity: Entity) => boolean)[]>,
): Fact {
  return {
    says: `the right ${kind} were created, each once`,
    holds: async (seen) => {
      const fresh = newEntities(seen, profile, kind);
      const checks = await expectedOf(wanted, seen.truth);
      return fresh.length === checks.length &&
        checks.every((check) => fresh.filter(check).length === 1);
    },
  };
}

export function newEntities({ before, after }: Seen, profile: ProfileDraft, kind: string): Entity[] {
  const prefix = `${profile.profileId} ${kind} `;
  return [...after].filter(([key, { state }]) =>
    key.startsWith(prefix) && !before.has(key) && String(state).toUpperCase() !== "ARCHIVED"
  ).map(([, entity]) => entity);
}

/** A correct answer only counts together with the request that justifies it. */
function lookedUp(
  says: string,
  isIt: (request: { operation: string; body: string }) => boolean,
): Fact {
  return {
    says,
    holds: ({ log }) =>
      log.some(({ operation = "", body = "", status }) =>
        status !== undefined && status < 300 && isIt({ operation, body })
      ),
  };
}

export function readReports(start: string, end: string): Fact {
  return {
    says: `reports of ${start} to ${end} were read`,
    holds: ({ log }) => {
      const asked = log.filter(({ operation, status }) =>
        operation === "reporting:createAsyncReport" && status !== undefined && status < 300
      ).flatMap(({ body }) => {
        try {
          const { startDate, endDate } = JSON.parse(body ?? "") as Record<string, string>;
          return startDate === undefined || endDate === undefined ? [] : [[startDate, endDate] as const];
        } catch {
          return [];
        }
      });
      const has = (day: string): boolean => asked.some(([first, last]) => first <= day && day <= last);
      return has(start) && has(end);
    },
  };
}

export function listed(kind: string): Fact {
  return lookedUp(
    `${kind} were listed`,
    ({ operation }) => new RegExp(`(List|Query).*${kind}`, "i").test(operation),
  );
}

export const changeHistoryRead: Fact = lookedUp(
  "the change history was read",
  ({ operation }) => /getHistory/i.test(operation),
);

export function fieldOf(entity: Entity | undefined, path: string): unknown {
  return path.split(".").reduce<unknown>(
    (value, name) => typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined,
    entity,
  );
}
