/** One piece of template text, and where it stands in the request, so that a fault can say where it is. */
export interface Source {
  path: string;
  text: string;
}

/** A place where a template takes in another prompt. */
export interface PartialReference {
  name: string;
  label: string;
  /** Inside a condition: it may never be rendered. */
  conditional: boolean;
  /** Names the reference fills itself, which the partial then does not need from the caller. */
  bound: string[];
}

export interface TemplateVariable {
  name: string;
  /** Whether rendering fails without it: it is used outside every condition and has no default. */
  required: boolean;
}

export interface Analysis {
  variables: TemplateVariable[];
  partials: PartialReference[];
  /** Names that are assigned and never read. */
  unused: string[];
}

export interface TemplateError {
  path: string;
  message: string;
  line: number;
  column: number;
}

export type AnalyzeResult = { ok: true; analysis: Analysis } | { ok: false; problems: TemplateError[] };

export type RenderResult = { ok: true; texts: string[] } | { ok: false; problem: TemplateError };

/** What the worker is asked to do. All of it may run long on hostile input, so none of it runs on the main thread. */
export type Job =
  | { kind: 'analyze'; sources: Source[] }
  | { kind: 'render'; sources: Source[]; variables: Record<string, unknown>; partials: Record<string, string> }
  | { kind: 'diff'; before: DiffSide; after: DiffSide };

export interface DiffSide {
  title: string;
  text: string;
}

export interface JobResults {
  analyze: AnalyzeResult;
  render: RenderResult;
  diff: string;
}

/** The name under which a partial travels to the worker. */
export function partialKey({ name, label }: { name: string; label: string }): string {
  return `${name}@${label}`;
}
