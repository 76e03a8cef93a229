import type { ContentPart } from './content-parts.ts';

// This file is separate from the schemas, so that the client and the dashboard can import it without TypeBox.

/** The content of a message: a template, or parts. */
export type MessageContent = string | ContentPart[];

type MapText = (text: string, path: string) => string;

/** The fields of a part that are templates. The other fields are keywords. */
const templateFields = ['text', 'url', 'data', 'filename'];
const shownData = 60;

/** Replaces each template in the content. The paths are JSON pointers relative to the content. */
export function mapContent(content: MessageContent, map: MapText): MessageContent {
  if (typeof content === 'string') return map(content, '');
  return content.map((part, index) => {
    const fields = Object.entries(part).map(([field, value]) => [
      field,
      templateFields.includes(field) && typeof value === 'string' ? map(value, `/${index}/${field}`) : value,
    ]);
    // Text is replaced only with other text, so the part keeps its type.
    return Object.fromEntries(fields) as ContentPart;
  });
}

/** Lists the templates in the content, with their JSON pointers relative to the content. */
export function listTemplates(content: MessageContent): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = [];
  mapContent(content, (text, path) => {
    found.push({ path, text });
    return text;
  });
  return found;
}

/** Shows content as one string, with a line for each part that is not text. */
export function showContent(content: MessageContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${describePart(part)}]`)).join('\n');
}

function describePart(part: Exclude<ContentPart, { type: 'text' }>): string {
  const name = 'filename' in part && part.filename !== undefined ? ` ${part.filename}` : '';
  const level = 'detail' in part && part.detail !== undefined ? ` (${part.detail})` : '';
  const source = 'url' in part ? part.url : `${part.mediaType} ${part.data}`;
  return `${part.type}${name}${level}: ${shorten(source)}`;
}

/** Shortens embedded data, but not a URL or a template. */
function shorten(source: string): string {
  const isData = source.length > 2 * shownData && !source.includes('{{') && /^(data:|[a-z]+\/)/.test(source);
  return isData ? `${source.slice(0, shownData)}… (${source.length} characters)` : source;
}
