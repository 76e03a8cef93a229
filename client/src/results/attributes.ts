import type { Released } from './call-report.ts';

/** Attributes for the span of a model call, in any OpenTelemetry SDK. They say which version of a prompt the call uses. */
export interface PromptAttributes {
  'gen_ai.prompt.name': string;
  /** The version number. It is a string, as the semantic conventions of OpenTelemetry require. */
  'gen_ai.prompt.version': string;
  'promptharbor.prompt.label': string;
  /** The id of the release that chose the version by the key. */
  'promptharbor.release'?: string;
  /** The key by which the release chose the version. Present only with `promptharbor.release`. */
  'promptharbor.key'?: string;
}

interface Described extends Released {
  name: string;
  version: number;
  label: string;
}

export function createAttributes({ name, version, label, release, key }: Described): PromptAttributes {
  return {
    'gen_ai.prompt.name': name,
    'gen_ai.prompt.version': String(version),
    'promptharbor.prompt.label': label,
    ...(release !== undefined && key !== undefined && { 'promptharbor.release': release, 'promptharbor.key': key }),
  };
}

/** Adds `attributes` to a rendered prompt. The method is not enumerable, so that the prompt still equals the response of the service. */
export function withAttributes<Rendered extends object>(
  rendered: Rendered,
  described: Described,
): Rendered & { attributes(): PromptAttributes } {
  const attributes = () => createAttributes(described);
  return Object.defineProperty(rendered, 'attributes', { value: attributes }) as Rendered & { attributes(): PromptAttributes };
}
