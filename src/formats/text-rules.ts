import { maxConfigBytes, maxDescriptionLength, maxMessages, maxTagLength, maxTags, maxTemplateCharacters } from '../contract/limits.ts';
import { listTemplates, mapContent } from '../contract/message-content.ts';
import { isPlainText } from '../contract/plain-text.ts';
import { findNameProblem, normalizeName } from '../contract/prompt-names.ts';
import type { Messages } from '../contract/versions.ts';
import { moveOutOfConfig } from './draft-parts.ts';
import type { ConvertedPrompt, PromptDraft } from './draft-types.ts';
import { catchProblem, type Path, type Report } from './report.ts';

/** Converts a prompt. If it cannot be imported, the reason becomes an error in its report, and the prompt has no draft. */
export function toConverted(
  prompt: Omit<ConvertedPrompt, 'draft' | 'findings' | 'cases'> & { cases?: ConvertedPrompt['cases'] },
  report: Report,
  convert: () => PromptDraft | undefined,
): ConvertedPrompt {
  const converted = catchProblem(report, convert);
  const isForeign = prompt.format !== 'prompt-yaml' && prompt.format !== 'json';
  const draft = converted && isForeign ? moveOutOfConfig(converted, report) : converted;
  if (draft) checkDraft(draft, report);
  return { cases: [], ...prompt, draft: report.hasErrors() ? undefined : draft, findings: report.findings };
}

/** Converts a prompt. If some of its tags cannot be converted, the result has a second form, in which these tags are text. */
export function convertEither(convert: (asText: boolean) => ConvertedPrompt): ConvertedPrompt {
  const converted = convert(false);
  if (converted.draft) return converted;
  const asText = convert(true);
  return asText.draft ? { ...converted, asText } : converted;
}

/** Reports problems that the service would refuse, so that one prompt does not prevent other prompts from being saved. */
function checkDraft(draft: PromptDraft, report: Report): void {
  const problem = findNameProblem(draft.name);
  if (problem) report.error(draft.name, `Not a valid prompt name: ${problem}`);
  const texts = textsOf(draft);
  if (draft.messages && draft.messages.length === 0) report.error('messages', 'There are no messages');
  if ((draft.messages?.length ?? 0) > maxMessages) report.error('messages', `There are more than ${maxMessages} messages`);
  if (texts.reduce((sum, text) => sum + text.length, 0) > maxTemplateCharacters) {
    report.error('the text', `It has more than ${maxTemplateCharacters} characters`);
  }
  if ([...texts, draft.description ?? ''].some((text) => !isPlainText(text))) {
    report.error('the text', 'It has control characters or invalid Unicode. Is this a UTF-8 text file?');
  }
  if (new TextEncoder().encode(JSON.stringify(draft.config)).length > maxConfigBytes) report.error('config', 'It is larger than 64 KiB');
}

function textsOf({ template, messages = [] }: PromptDraft): string[] {
  return template !== undefined
    ? [template]
    : messages.flatMap((message) => ('content' in message ? listTemplates(message.content).map(({ text }) => text) : []));
}

/** Reads the description in a file, and shortens it if it is too long. */
export function readDescription(value: unknown, report: Report): { description?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') {
    report.warn(['description'], 'Not text; skipped');
    return {};
  }
  const description = value.trim();
  if (description.length <= maxDescriptionLength) return { description };
  report.warn(['description'], `Shortened to ${maxDescriptionLength} characters`);
  const start = description.slice(0, maxDescriptionLength);
  return { description: start.toWellFormed().replace(/\uFFFD$/, '') };
}

/** Reads the tags in a file. Tags that the service does not accept are left out. */
export function readTags(value: unknown, report: Report, path: Path): { tags?: string[] } {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value)) {
    report.warn(path, 'Not a list; skipped');
    return {};
  }
  const given = [...new Set(value.filter((tag) => typeof tag === 'string').map((tag) => tag.trim()))];
  const tags = given
    .filter((tag) => tag !== '' && tag.length <= maxTagLength && isPlainText(tag) && !/[\t\r\n]/.test(tag))
    .slice(0, maxTags);
  if (tags.length < value.length) {
    report.warn(path, `Only ${tags.length} of ${value.length} imported: at most ${maxTags} tags of up to ${maxTagLength} characters`);
  }
  return { tags };
}

/** Returns the name of a prompt: the name that the file states, inside the folder of the file. A name with a slash is used unchanged. */
export function nameIn(path: string, given: string | undefined, fileName: string): string {
  const folders = path.split('/').slice(0, -1);
  const own = given?.trim().replaceAll(/\s+/g, ' ') || fileName;
  return normalizeName(own.includes('/') ? own : [...folders, own].join('/'));
}

/** Converts a title to a name, without characters that no name can have. */
export function toNamePart(text: string): string {
  const printable = text
    .replaceAll(/[\\/|<>"\p{C}\p{Zl}\p{Zp}]+/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [...printable].slice(0, 100).join('').trim();
}

/** Replaces the texts of messages, in the same order. */
export function withTexts(messages: Messages, texts: string[]): Messages {
  const rest = [...texts];
  return messages.map((message) =>
    'content' in message ? { ...message, content: mapContent(message.content, () => rest.shift() ?? '') } : message,
  );
}

/** Removes blank lines around the texts of messages, and removes blank texts and messages. */
export function trimMessages(messages: Messages): Messages {
  return messages.map(trimMessage).filter((message) => !('content' in message) || message.content.length > 0);
}

function trimMessage(message: Messages[number]): Messages[number] {
  if (!('content' in message)) return message;
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: trimBlankLines(content) };
  const parts = content.map((part) => (part.type === 'text' ? { ...part, text: trimBlankLines(part.text) } : part));
  return { ...message, content: parts.filter((part) => part.type !== 'text' || part.text !== '') };
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd();
}
