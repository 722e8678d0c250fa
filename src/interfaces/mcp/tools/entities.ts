import * as z from "zod";
import { findKind, KINDS } from "../../../client/entities/kinds/kinds.ts";
import { list } from "../../../operations/reads/list.ts";
import { accountLabels } from "../../../operations/reads/labels.ts";
import { productProblems } from "../../../operations/reads/product_problems.ts";
import type { Policy } from "../../../plans/policy/policy.ts";
import { operationTool } from "../tooling/operation_tool.ts";
import { ROW_ARGS, ROWS, takeRows } from "../tooling/rows.ts";
import { type Tool, tool } from "../tooling/tool.ts";

export const findProductProblems: Tool = operationTool(productProblems, {
  output: ROWS,
  sets: ["read"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const { rows, note } = await productProblems.run({ profile, signal: call.signal }, input);
    return await takeRows(rows, { noun: "ads", limit, offset, notes: () => [note] }, call);
  },
});

export const listLabels: Tool = operationTool(accountLabels, {
  output: ROWS,
  sets: ["read"],
  more: ROW_ARGS,
  answer: async (profile, input, call, { limit, offset }) => {
    const rows = await accountLabels.run({ profile, signal: call.signal }, input);
    return await takeRows(rows, { noun: "labels", limit, offset }, call);
  },
});

const WARN_DAYS = 30;

export const listProfiles: Tool = tool({
  name: "list_profiles",
  title: "List profiles",
  description:
    "Advertising profiles of this login. Start here: other tools need a market, which is a country code (US), " +
    "or a profile id if the country has several profiles.",
  input: z.strictObject({ ...ROW_ARGS }),
  output: ROWS,
  effect: "read",
  isListed: true,
  async run({ limit, offset }, call) {
    const ads = await call.context.ads();
    const profiles = await call.context.profiles(call.signal);
    const notes = ads.regionFailures.map(({ region, error }) =>
      `Region ${region} could not be asked, so its profiles are missing: ${error.message}`
    );
    const { rehearsal } = call.context.settings;
    if (rehearsal !== undefined) {
      notes.unshift("REHEARSAL: a copy of an account; nothing reaches the account itself");
    }
    const { policy } = call.context;
    if (policy !== undefined) notes.push(policyNote(policy));
    const days = ads.daysUntilExpiry;
    if (days !== undefined && days <= WARN_DAYS) {
      notes.push(`The login expires in ${days} days. A person renews it with "adsctl auth url"`);
    }
    const rows = profiles.map(({ profileId, countryCode, region, currencyCode, timezone, accountInfo }) => ({
      profile_id: profileId,
      country: countryCode,
      region,
      currency: currencyCode,
      timezone,
      account_type: accountInfo.type,
      account_subtype: accountInfo.subType,
      account_name: accountInfo.name,
    }));
    return await takeRows(rows, { noun: "profiles", limit, offset, notes: () => notes }, call);
  },
});

const MAX_POLICY = 1000;

function policyNote({ limits, rules }: Pick<Policy, "limits" | "rules">): string {
  const further = rules.filter(({ name }) => !Object.hasOwn(limits, name)).map(({ name, message }) =>
    message ?? name
  );
  const text = `Policy, which judges every change: ${JSON.stringify(limits)}` +
    (further.length === 0 ? "" : `; rules: ${further.join("; ")}`);
  return text.length > MAX_POLICY ? `${text.slice(0, MAX_POLICY)}…` : text;
}

export const listEntities: Tool = operationTool(list, {
  output: ROWS,
  sets: ["read"],
  isListed: true,
  more: { fields: z.array(z.string()).optional(), ...ROW_ARGS },
  answer: async (profile, input, call, { limit, offset, fields }) => {
    const { plural: noun } = findKind(input.entity, KINDS, "people");
    const rows = await list.run({ profile, signal: call.signal }, input);
    return await takeRows(rows, { noun, limit, offset, fields }, call);
  },
});
