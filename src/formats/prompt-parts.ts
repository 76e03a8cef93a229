import type { ContentPart } from '../contract/content-parts.ts';
import { maxContentParts } from '../contract/limits.ts';
import type { MessageContent } from '../contract/message-content.ts';
import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';

/** The keys of each kind of part. All values are strings. */
const shapes: { type: ContentPart['type']; keys: string[]; optional: string[] }[] = [
  { type: 'text', keys: ['text'], optional: [] },
  { type: 'image', keys: ['url'], optional: ['detail'] },
  { type: 'image', keys: ['data', 'mediaType'], optional: ['detail'] },
  { type: 'audio', keys: ['data', 'mediaType'], optional: [] },
  { type: 'file', keys: ['url'], optional: ['filename'] },
  { type: 'file', keys: ['data', 'mediaType'], optional: ['filename'] },
];
const mediaType = /^[a-z]+\/[A-Za-z0-9.+-]{1,100}$/;
const details = ['auto', 'low', 'high'];
const audioTypes = ['audio/wav', 'audio/mpeg'];

/** Reads the content of a message: a string or a list of parts. Throws a FileProblem that says what to write. */
export function readMessageContent(content: unknown, path: string): MessageContent {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content) || content.length === 0 || content.length > maxContentParts) {
    throw new FileProblem(`${path}: must be a string, or a list of up to ${maxContentParts} parts`);
  }
  return content.map((part, index) => readPart(part, `${path}/${index}`));
}

function readPart(part: unknown, path: string): ContentPart {
  if (!isPlainObject(part) || !shapes.some(({ type }) => type === part.type)) {
    throw new FileProblem(`${path}: a part must have "type": text, image, audio or file`);
  }
  const { type, ...fields } = part;
  const own = shapes.filter((shape) => shape.type === type);
  const names = Object.keys(fields);
  const shape = own.find(
    ({ keys, optional }) => keys.every((key) => names.includes(key)) && names.every((name) => [...keys, ...optional].includes(name)),
  );
  if (!shape) throw new FileProblem(`${path}: a part with "type: ${type}" must have ${own.map(describeShape).join(', or ')}`);
  const wrong = names.find((name) => typeof fields[name] !== 'string');
  if (wrong !== undefined) throw new FileProblem(`${path}/${wrong}: must be a string. Put it in quotes`);
  if (fields.detail !== undefined && !details.includes(String(fields.detail))) {
    throw new FileProblem(`${path}/detail: must be ${details.join(', ')}`);
  }
  const isMedia = type === 'audio' ? audioTypes.includes(String(fields.mediaType)) : mediaType.test(String(fields.mediaType));
  if (fields.mediaType !== undefined && !isMedia) {
    throw new FileProblem(`${path}/mediaType: must be ${type === 'audio' ? audioTypes.join(' or ') : 'a media type, such as image/png'}`);
  }
  const ordered = [...shape.keys, ...shape.optional].flatMap((key) => (names.includes(key) ? [[key, fields[key]]] : []));
  // The keys and values were checked, so the object is a part.
  return { type, ...Object.fromEntries(ordered) } as ContentPart;
}

function describeShape({ keys, optional }: (typeof shapes)[number]): string {
  const required = keys.map((key) => `"${key}"`).join(' and ');
  return optional.length === 0 ? required : `${required} (optional: "${optional.join('", "')}")`;
}
