import type { Random } from '../random.ts';
import { oddTexts, oddValue } from './values.ts';

const maxRepeated = 300;
const isLong = (value: unknown) => (JSON.stringify(value)?.length ?? 0) > maxRepeated;

/** Changes one place in a value: it gets another type, is removed, is enlarged, or is duplicated. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (random.below(4) === 0 || typeof value !== 'object' || value === null) return mutateLeaf(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [oddValue(random)];
    const index = random.below(value.length);
    const kind = random.below(4);
    if (kind === 0) return value.toSpliced(index, 1);
    if (kind === 1) return Array.from({ length: 1 + random.below(isLong(value[index]) ? 3 : 300) }, () => value[index]);
    return value.with(index, mutateValue(value[index], random));
  }
  const entries = Object.entries(value);
  const kind = random.below(5);
  if (entries.length === 0 || kind === 0) return { ...value, [random.pick(oddTexts)]: oddValue(random) };
  const [name, inner] = random.pick(entries);
  if (kind === 1) return Object.fromEntries(entries.filter(([each]) => each !== name));
  return { ...value, [name]: mutateValue(inner, random) };
}

function mutateLeaf(value: unknown, random: Random): unknown {
  if (typeof value !== 'string' || random.below(2) === 0) return oddValue(random);
  const at = random.below(value.length + 1);
  const kind = random.below(3);
  if (kind === 0) return value.slice(0, at) + random.pick(oddTexts) + value.slice(at);
  if (kind === 1) return value.slice(0, at);
  return value.length > maxRepeated ? value : value.repeat(1 + random.below(50));
}

/** Changes the text of a body: it is cut off, some bytes are changed, it is nested deeply, or a field appears twice. */
export function mutateText(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  switch (random.below(7)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256), random.below(256)]), bytes.subarray(at)]);
    case 2: {
      if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
      return bytes;
    }
    case 3:
      return Buffer.from(`${'['.repeat(3000)}${text}${']'.repeat(3000)}`);
    case 4:
      return Buffer.from(text.replace('{', '{"__proto__":{"x":1},'));
    case 5:
      return Buffer.concat([bytes, bytes]);
    default:
      return Buffer.from(text.replaceAll('"', "'"));
  }
}
