/** A template text and its JSON pointer in the request, so that errors can point to it. */
export interface Source {
  path: string;
  text: string;
}

/** An include of another prompt in a template. */
export interface PartialReference {
  name: string;
  label: string;
  /** Inside a condition, so it might not be rendered. */
  conditional: boolean;
  /** Variables that the include passes itself, so that the caller need not provide them. */
  bound: string[];
}

export interface TemplateVariable {
  name: string;
  /** Whether rendering fails without it, because it is used outside all conditions and has no default. */
  required: boolean;
}

export interface Analysis {
  variables: TemplateVariable[];
  partials: PartialReference[];
  /** Variables that are assigned but never used. */
  unused: string[];
}

export interface TemplateError {
  path: string;
  message: string;
  line: number;
  column: number;
}

export type AnalyzeResult = { ok: true; analysis: Analysis } | { ok: false; errors: TemplateError[] };

export type RenderResult = { ok: true; texts: string[] } | { ok: false; error: TemplateError };

/** Work for a worker: hostile input can make any of it run long, so none of it runs on the main thread. */
export type Job =
  | { kind: 'analyze'; sources: Source[] }
  | { kind: 'render'; sources: Source[]; variables: Record<string, unknown>; partials: Record<string, string> }
  | { kind: 'diff'; before: DiffSide; after: DiffSide };

interface DiffSide {
  title: string;
  text: string;
}

export interface JobResults {
  analyze: AnalyzeResult;
  render: RenderResult;
  diff: string;
}

/** Identifies a partial in the jobs for a worker. */
export function partialKey({ name, label }: { name: string; label: string }): string {
  return `${name}@${label}`;
}
