import type { FieldError } from '../../contract/errors.ts';
import type { TemplateSyntax, Variable } from '../../contract/versions.ts';

/** A template text and its JSON pointer in the request, so that errors can point to it. */
export interface Source {
  path: string;
  text: string;
}

/** An include of another prompt in a template. */
export interface IncludeReference {
  name: string;
  label: string;
  /** Inside a condition, so it might not be rendered. */
  conditional: boolean;
  /** Variables that the include passes itself, so that the caller need not provide them. */
  bound: string[];
  /** Which values of the caller those variables are, where they are such: a list of paths for each. */
  passed?: Record<string, FieldPath[]>;
}

/** A variable and the way to a part of it: names of fields, and 0 for the items of a list. */
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

/** `isTooCostly`: the budget was used up. */
export type RenderResult = { ok: true; texts: string[] } | { ok: false; error: TemplateError; isTooCostly?: true };

/** Work for a child process. */
export type Job = { kind: 'analyze'; sources: Source[]; syntax?: TemplateSyntax } | RenderJob | DiffJob | CheckJob;

/** Templates that are rendered with the same variables. */
export interface TemplateTexts {
  /** Default: Liquid. */
  syntax?: TemplateSyntax;
  sources: Source[];
  /** The texts of all prompts that they include, by includeKey. Mustache templates have none: theirs are in the sources. */
  partials: Record<string, string>;
}

export interface RenderJob extends TemplateTexts {
  kind: 'render';
  variables: Record<string, unknown>;
  /** Variables without a value, whose names are shown in a preview. Liquid only. */
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

/** What a text must match. */
export type CheckRule = { kind: 'matches'; value: string } | { kind: 'jsonSchema'; value: object | boolean } | TextRule;

/** A rule for which it can be told how long it takes. */
export type TextRule =
  | { kind: 'contains' | 'notContains' | 'equals'; value: string }
  | { kind: 'json' }
  | { kind: 'maxCharacters'; value: number };

export interface CheckJob {
  kind: 'check';
  rule: CheckRule;
  /** Without it, the rule alone is checked. */
  text?: string | undefined;
}

/** `problem`: the rule cannot be used. `problems`: why the text does not match it. */
export type CheckJobResult = { ok: true; problems: string[] } | { ok: false; problem: string };

export interface JobResults {
  analyze: AnalyzeResult;
  render: RenderResult;
  diff: string;
  check: CheckJobResult;
}

/** Identifies a partial in a job. Neither names nor labels of prompts contain the separator. */
export function includeKey({ name, label }: { name: string; label: string }): string {
  return `${name}|${label}`;
}
