import {
  labelPattern,
  maxErrorTypeLength,
  maxModelNameLength,
  maxPromptNameLength,
  maxReleaseKeyLength,
  maxResultIdLength,
} from '../../../contract/limits.ts';
import type { ReportedCall } from '../report.ts';
import {
  type Attributes,
  type AttributeValue,
  jsonPromptAttributes,
  langfuseAttributes,
  measurementAttributes,
  promptAttributes,
  releaseAttributes,
} from './attributes.ts';
import { type Usage, usageOf } from './usage.ts';

/** Thrown for a value that has a wrong type or is out of range. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

export interface PromptReference {
  prompt: string;
  version: number | string | undefined;
  label: string | undefined;
}

const maxVersionLength = 100;
const maxVersion = 2_147_483_647;
export const maxTokens = 1e9;
export const maxCost = 1e6;
export const maxDurationMs = 1e9;
const labels = new RegExp(labelPattern);

/** Finds the prompt that a span names. Returns undefined if it names none. */
export function findPrompt(attributes: Attributes): PromptReference | undefined {
  const label = attributes.get(measurementAttributes.label[0]);
  const found = findNamed(attributes) ?? findNamedInJson(attributes);
  if (!found) return undefined;
  return { ...found, label: typeof label === 'string' && labels.test(label) ? label : undefined };
}

/** Finds the release and the key of a call. A key that cannot have been sent with a read counts as missing. */
export function findRelease(attributes: Attributes): Pick<ReportedCall, 'release' | 'key'> {
  const release = attributes.get(releaseAttributes.release);
  const key = attributes.get(releaseAttributes.key);
  const text = Number.isSafeInteger(key) ? String(key) : key;
  return typeof text === 'string' && text !== '' && text.length <= maxReleaseKeyLength
    ? { key: text, ...(typeof release === 'string' && { release }) }
    : {};
}

function findNamed(attributes: Attributes): Omit<PromptReference, 'label'> | undefined {
  for (const names of promptAttributes) {
    const prompt = attributes.get(names.prompt);
    if (prompt === undefined || prompt === '') continue;
    const version = attributes.get(names.version);
    // LangWatch's id may be a handle, a colon and a version number.
    const [, handle, number] = names.prompt === 'langwatch.prompt.id' ? (/^(.+):(\d+)$/.exec(String(prompt)) ?? []) : [];
    if (handle !== undefined && version === undefined) return toReference(handle, Number(number));
    return toReference(prompt, version);
  }
  return undefined;
}

/** Finds the prompt in an attribute that is JSON: an object or, in MLflow, a list. The first entry of a list counts. */
function findNamedInJson(attributes: Attributes): Omit<PromptReference, 'label'> | undefined {
  for (const attribute of jsonPromptAttributes) {
    const text = attributes.get(attribute);
    if (text === undefined) continue;
    const [first] = [parse(text)].flat();
    if (!isRecord(first)) throw new InvalidValue();
    return toReference(toValue(first.name), toValue(first.version ?? undefined));
  }
  return undefined;
}

function toReference(prompt: AttributeValue | undefined, version: AttributeValue | undefined): Omit<PromptReference, 'label'> {
  if (typeof prompt !== 'string' || prompt === '' || prompt.length > 2 * maxPromptNameLength) throw new InvalidValue();
  return { prompt, version: toVersion(version) };
}

export function toVersion(value: AttributeValue | undefined): number | string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxVersion) return value;
  if (typeof value === 'string' && value.length <= maxVersionLength) return value;
  throw new InvalidValue();
}

type Measurements = Pick<ReportedCall, 'model' | 'provider' | 'inputTokens' | 'outputTokens' | 'cost' | 'firstChunkMs' | 'error'> & {
  responseId: string | undefined;
};

/** Reads the measurements of a span that started at the given time. Throws an InvalidValue for impossible numbers. */
export function measure(attributes: Attributes, startedAtMs: number): Measurements {
  const usage = usageIn(attributes);
  return {
    model: text(attributes, measurementAttributes.model, maxModelNameLength),
    provider: text(attributes, measurementAttributes.provider, 100),
    inputTokens: tokens(number(attributes, measurementAttributes.inputTokens) ?? usage.inputTokens),
    outputTokens: tokens(number(attributes, measurementAttributes.outputTokens) ?? usage.outputTokens),
    cost: inRange(number(attributes, measurementAttributes.cost) ?? usage.cost, maxCost),
    firstChunkMs: firstChunk(attributes, startedAtMs),
    responseId: text(attributes, measurementAttributes.responseId, maxResultIdLength),
    error: text(attributes, measurementAttributes.errorType, maxErrorTypeLength) ?? errorOfLevel(attributes.get(langfuseAttributes.level)),
  };
}

function usageIn(attributes: Attributes): Usage {
  return usageOf({
    usageDetails: parse(attributes.get(langfuseAttributes.usage)),
    costDetails: parse(attributes.get(langfuseAttributes.cost)),
  });
}

export function errorOfLevel(level: unknown): string | undefined {
  return level === 'ERROR' ? 'error' : undefined;
}

function firstChunk(attributes: Attributes, startedAtMs: number): number | undefined {
  const seconds = number(attributes, measurementAttributes.firstChunkSeconds);
  const milliseconds = seconds === undefined ? number(attributes, measurementAttributes.firstChunkMs) : seconds * 1000;
  if (milliseconds !== undefined) return inRange(milliseconds, maxDurationMs);
  const at = attributes.get(langfuseAttributes.firstChunkAt);
  // Langfuse's SDK writes the time as JSON, which is text in quotes.
  return typeof at === 'string' ? durationBetween(startedAtMs, toTime(at.replaceAll('"', ''))) : undefined;
}

/** Returns undefined if the end is before the start, because the two times may be from different clocks. */
export function durationBetween(start: number, end: number): number | undefined {
  return end < start ? undefined : inRange(end - start, maxDurationMs);
}

/** Returns a time in milliseconds. Throws an InvalidValue if the text is not a time. */
export function toTime(value: string): number {
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new InvalidValue();
  return time;
}

export function tokens(value: number | undefined): number | undefined {
  if (value !== undefined && !Number.isInteger(value)) throw new InvalidValue();
  return inRange(value, maxTokens);
}

export function inRange(value: number | undefined, max: number): number | undefined {
  // The condition is written so that it also refuses NaN.
  if (value !== undefined && !(value >= 0 && value <= max)) throw new InvalidValue();
  return value;
}

/** Returns the first string among these attributes. A string that is too long counts as missing. */
function text(attributes: Attributes, names: readonly string[], maxLength: number): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'string' && value !== '' && value.length <= maxLength) return value;
  }
  return undefined;
}

/** Returns the first number among these attributes. Some programs send numbers as text. */
function number(attributes: Attributes, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (value === undefined) continue;
    if (typeof value === 'number') return value;
    if (typeof value === 'string' && /^\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
    throw new InvalidValue();
  }
  return undefined;
}

/** Parses an attribute that is JSON. Returns undefined for a missing attribute. */
function parse(value: AttributeValue | undefined): unknown {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw new InvalidValue();
  try {
    return JSON.parse(value);
  } catch {
    throw new InvalidValue();
  }
}

function toValue(value: unknown): AttributeValue | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
