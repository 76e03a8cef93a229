/** Placeholder until the engines follow. */
export interface TemplateEngine {
  readonly name: string;
}
