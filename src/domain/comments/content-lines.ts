import type { CommentPart } from '../../contract/comment-parts.ts';
import type { PromptType } from '../../contract/versions.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import { contentAsText, parseStoredContent } from '../prompts/versions/version-content.ts';

type StoredContent = Pick<VersionRecord, 'syntax' | 'content' | 'config'>;

/**
 * Returns the text of a line, or undefined if the part has fewer lines. The dashboard splits the content into the same lines when it
 * compares versions.
 */
export function findLine(type: PromptType, record: StoredContent, { part, line }: { part: CommentPart; line: number }): string | undefined {
  const text = partAsText(type, record, part);
  return text === '' ? undefined : text.split('\n')[line - 1];
}

function partAsText(type: PromptType, record: StoredContent, part: CommentPart): string {
  const content = parseStoredContent(type, record);
  if (part === 'text') return contentAsText(content);
  if (part === 'config') return toText(JSON.parse(record.config));
  if (part === 'variables') return toText(content.variables?.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  return toText(content[part]);
}

function toText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}
