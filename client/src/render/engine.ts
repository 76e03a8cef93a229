/**
 * Renders templates locally. If an engine cannot render a template in exactly the same way as the service, the built-in engine renders it.
 */
export interface TemplateEngine {
  /** Returns the prompts that a template includes, or undefined if the engine cannot read it. */
  findIncludes(text: string): Include[] | undefined;
  /** Returns undefined if the engine cannot render the templates. */
  render(input: RenderInput): EngineResult | undefined;
}

export interface Include {
  name: string;
  label: string;
}

/** Templates that are rendered with the same variables. */
export interface RenderInput {
  /** The templates. `path` is the JSON pointer of a template in the version, for errors. */
  sources: { path: string; text: string }[];
  /** The content of the included prompts, by name and label, such as `shared/tone|production`. */
  partials: Record<string, string>;
  variables: Record<string, unknown>;
}

export type EngineResult =
  | { ok: true; texts: string[] }
  | { ok: false; error: { path: string; message: string; line: number; column: number } };
