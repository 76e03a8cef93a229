import { isPlainObject } from './json-values.ts';
import type { Path, Report } from './report.ts';

/**
 * Maps the names of parameters in other formats to their names on OpenAI-compatible servers, because a config is sent to these servers
 * unchanged.
 */
const parameterNames: Record<string, string> = {
  topP: 'top_p',
  topK: 'top_k',
  maxOutputTokens: 'max_tokens',
  maxTokens: 'max_tokens',
  stopSequences: 'stop',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  allowMultipleToolCalls: 'parallel_tool_calls',
  responseFormat: 'response_format',
};

/** Keys whose values are secrets or refer to secrets. Secrets do not belong in a prompt. */
const secretKey =
  /^(?:x-)?(?:api[-_]?key|secret(?:[-_]?key)?|password|authorization|(?:access|auth|bearer)[-_]?token|connection|headers)$/i;
/** References to environment variables or files. Only the program to which the format belongs can resolve them. */
const reference = /\$\{(?:env|file):|^(?:env|file|env_file):/i;

/** Reads the parameters of a model under the names that servers know, without secrets. `path` is their path in the file. */
export function readParameters(value: unknown, path: Path, report: Report): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (!isPlainObject(value)) {
    report.warn(path, 'Has no keys; skipped');
    return {};
  }
  const parameters: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const kept = keepValue(inner, [...path, key], report);
    if (kept === undefined) continue;
    const name = Object.hasOwn(parameterNames, key) ? (parameterNames[key] ?? key) : key;
    if (name !== key) report.note([...path, key], `Saved as ${name}`);
    parameters[name] = kept;
  }
  return parameters;
}

/** Returns a value without secrets or references, or undefined if no part of the value can be kept. */
export function keepValue(value: unknown, path: Path, report: Report): unknown {
  if (secretKey.test(String(path.at(-1)))) {
    report.warn(path, 'May be a secret; skipped');
    return undefined;
  }
  if (typeof value === 'string' && reference.test(value)) {
    report.warn(`${path.join('.')}: ${value}`, 'Refers to a file or the environment; skipped', report.lineOf(...path));
    return undefined;
  }
  if (Array.isArray(value)) return value.flatMap((inner, index) => keepValue(inner, [...path, index], report) ?? []);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const kept = keepValue(inner, [...path, name], report);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** Returns the output format in the form that model servers expect. */
export function toResponseFormat(schema: Record<string, unknown>): Record<string, unknown> {
  return { type: 'json_schema', json_schema: { name: 'output', schema } };
}

/** Returns a tool in the form that model servers expect. */
export function toTool(name: string, description: unknown, parameters: Record<string, unknown> | undefined): Record<string, unknown> {
  return {
    type: 'function',
    function: { name, ...(typeof description === 'string' && { description }), ...(parameters && { parameters }) },
  };
}

/** Adds the descriptions of variables to a config, if there are any. */
export function withVariables(config: Record<string, unknown>, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(variables).length === 0 ? config : { ...config, variables };
}
