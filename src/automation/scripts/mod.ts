/**
 * Scripts: user-supplied TypeScript that reads an account and its figures, and creates plans and alerts, in an
 * isolated process.
 *
 * @module
 */

export { runScript, type RunScriptOptions, type ScriptResult } from "./run_script.ts";
export type {
  Script,
  ScriptAlert,
  ScriptChanges,
  ScriptContext,
  ScriptFiguresOptions,
  ScriptListOptions,
  ScriptPlan,
  ScriptProfile,
  ScriptQuery,
  ScriptStore,
} from "./script.ts";
export type { Finding } from "../../plans/model/finding.ts";
export type { FigureGroup } from "../../store/figures/figure_groups.ts";
export type { FigureRow, FigureSums } from "../../store/figures/figures.ts";
