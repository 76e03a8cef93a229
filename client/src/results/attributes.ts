/** Attributes that say which version of a prompt a call uses, for the span of the call in any OpenTelemetry SDK. */
export interface PromptAttributes {
  'gen_ai.prompt.name': string;
  /** The version number. It is a string, as the semantic conventions of OpenTelemetry require. */
  'gen_ai.prompt.version': string;
  'promptharbor.prompt.label': string;
}

export function createAttributes({ name, version, label }: { name: string; version: number; label: string }): PromptAttributes {
  return { 'gen_ai.prompt.name': name, 'gen_ai.prompt.version': String(version), 'promptharbor.prompt.label': label };
}

/** Adds `attributes` to a rendered prompt. The method is not enumerable, so that the prompt still equals the response of the service. */
export function withAttributes<Rendered extends { name: string; version: number }>(
  rendered: Rendered,
  label: string,
): Rendered & { attributes(): PromptAttributes } {
  const attributes = () => createAttributes({ name: rendered.name, version: rendered.version, label });
  return Object.defineProperty(rendered, 'attributes', { value: attributes }) as Rendered & { attributes(): PromptAttributes };
}
