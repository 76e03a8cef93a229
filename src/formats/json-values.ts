import { FileProblem } from './file-problem.ts';

const maxDepth = 64;

/** Throws if a value cannot be represented as JSON, contains itself, or has keys that could pollute a prototype. */
export function assertJson(value: unknown, path = '', depth = 0): void {
  if (isScalarValue(value)) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new FileProblem(`${path}: JSON cannot represent this number`);
    return;
  }
  if (depth > maxDepth) throw new FileProblem('The values are nested too deeply');
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) assertJson(inner, `${path}/${index}`, depth + 1);
    return;
  }
  if (!isPlainObject(value)) throw new FileProblem(`${path}: JSON cannot represent this value`);
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__' || key === 'constructor') throw new FileProblem(`${path}: the key ${key} is not allowed`);
    assertJson(inner, `${path}/${key}`, depth + 1);
  }
}

/** Returns whether two values are equal. The order of keys does not matter. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((inner, index) => isSameJson(inner, other[index]));
  }
  if (!isPlainObject(one) || !isPlainObject(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalarValue(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
