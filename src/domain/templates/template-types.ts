import type { FieldError } from '../../contract/errors.ts';
import type { Variable } from '../../contract/variables.ts';
import type { TemplateSyntax } from '../../contract/versions.ts';

/** A template text and its JSON pointer in the request, so that errors can point to it. */
export interface Source {
  path: string;
  text: string;
}

/** An include of another prompt in a template. */
export interface IncludeReference {
  name: string;
  label: string;
  /** Whether the include is inside a condition, so that it might not be rendered. */
  conditional: boolean;
  /** The variables that the include itself passes. The caller need not provide them. */
  bound: string[];
  /** The paths of the caller's values from which the passed variables come, by variable. */
  passed?: Record<string, FieldPath[]>;
}

/** A variable and the path to a part of it: names of fields, and 0 for the items of a list. */
export type FieldPath = (string | 0)[];

export interface Analysis {
  variables: Variable[];
  partials: IncludeReference[];
  /** Variables that are assigned but never used. */
  unused: string[];
}

/** An error in a template, with its position. */
export type TemplateError = Required<FieldError>;

export type AnalyzeResult = { ok: true; analysis: Analysis } | { ok: false; errors: TemplateError[] };

/** The result of a render. `isTooCostly` means that the budget was used up. */
export type RenderResult = { ok: true; texts: string[] } | { ok: false; error: TemplateError; isTooCostly?: true };

/** Work for a child process. */
export type Job = { kind: 'analyze'; sources: Source[]; syntax?: TemplateSyntax } | RenderJob | DiffJob | CheckJob;

/** Templates that are rendered with the same variables. */
export interface TemplateTexts {
  /** The template language. Default: Liquid. */
  syntax?: TemplateSyntax;
  sources: Source[];
  /**
   * The texts of all included prompts, by includeKey. The map is empty for mustache templates, because their included texts are already in
   * the sources.
   */
  partials: Record<string, string>;
}

export interface RenderJob extends TemplateTexts {
  kind: 'render';
  variables: Record<string, unknown>;
  /** The variables without a value, whose names a preview shows. Only Liquid supports this. */
  missing?: Variable[] | undefined;
}

export interface DiffJob {
  kind: 'diff';
  before: DiffSide;
  after: DiffSide;
}

interface DiffSide {
  title: string;
  text: string;
}

/** The rule that the text must match. */
export type CheckRule = { kind: 'matches'; value: string } | { kind: 'jsonSchema'; value: object | boolean } | TextRule;

/** A rule whose cost can be estimated. */
export type TextRule =
  | { kind: 'contains' | 'notContains' | 'equals'; value: string }
  | { kind: 'json' }
  | { kind: 'maxCharacters'; value: number };

export interface CheckJob {
  kind: 'check';
  rule: CheckRule;
  /** The text to match. If it is missing, only the rule itself is checked. */
  text?: string | undefined;
}

/** The result of a check. `problem` says why the rule is invalid, and `problems` says why the text does not match it. */
export type CheckJobResult = { ok: true; problems: string[] } | { ok: false; problem: string };

export interface JobResults {
  analyze: AnalyzeResult;
  render: RenderResult;
  diff: string;
  check: CheckJobResult;
}

/** Returns a key for an included prompt. Neither names nor labels of prompts contain the separator. */
export function includeKey({ name, label }: { name: string; label: string }): string {
  return `${name}|${label}`;
}
