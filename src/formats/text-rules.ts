import { maxConfigBytes, maxDescriptionLength, maxMessages, maxTagLength, maxTags, maxTemplateCharacters } from '../contract/limits.ts';
import { isPlainText } from '../contract/plain-text.ts';
import { findNameProblem, normalizeName } from '../contract/prompt-names.ts';
import type { Messages } from '../contract/versions.ts';
import type { ConvertedPrompt, PromptDraft } from './draft-types.ts';
import { catchProblem, type Path, type Report } from './report.ts';

/** Converts a prompt. What keeps it from being imported becomes an error of its report, and then it has no draft. */
export function toConverted(
  prompt: Omit<ConvertedPrompt, 'draft' | 'findings' | 'cases'> & { cases?: ConvertedPrompt['cases'] },
  report: Report,
  convert: () => PromptDraft | undefined,
): ConvertedPrompt {
  const draft = catchProblem(report, convert);
  if (draft) checkDraft(draft, report);
  return { cases: [], ...prompt, draft: report.hasErrors() ? undefined : draft, findings: report.findings };
}

/** Converts a prompt. If some of its tags cannot be converted, it has a second form in which these are text. */
export function convertEither(convert: (asText: boolean) => ConvertedPrompt): ConvertedPrompt {
  const converted = convert(false);
  if (converted.draft) return converted;
  const asText = convert(true);
  return asText.draft ? { ...converted, asText } : converted;
}

/** Reports what the service would refuse, so that one prompt does not keep others from being saved. */
function checkDraft(draft: PromptDraft, report: Report): void {
  const problem = findNameProblem(draft.name);
  if (problem) report.error(draft.name, `Cannot be the name of a prompt: ${problem}`);
  const texts = textsOf(draft);
  if (draft.messages && draft.messages.length === 0) report.error('messages', 'There is no message');
  if ((draft.messages?.length ?? 0) > maxMessages) report.error('messages', `There are more than ${maxMessages} messages`);
  if (texts.reduce((sum, text) => sum + text.length, 0) > maxTemplateCharacters) {
    report.error('the text', `It has more than ${maxTemplateCharacters} characters`);
  }
  if ([...texts, draft.description ?? ''].some((text) => !isPlainText(text))) {
    report.error('the text', 'It has control characters or invalid Unicode: is this a text file in UTF-8?');
  }
  if (new TextEncoder().encode(JSON.stringify(draft.config)).length > maxConfigBytes) report.error('config', 'It has more than 64 KiB');
}

function textsOf({ template, messages = [] }: PromptDraft): string[] {
  return template !== undefined ? [template] : messages.flatMap((message) => ('content' in message ? [message.content] : []));
}

/** A description of a file, shortened if it is too long. */
export function readDescription(value: unknown, report: Report): { description?: string } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') {
    report.warn(['description'], 'Not a text, left out');
    return {};
  }
  const description = value.trim();
  if (description.length <= maxDescriptionLength) return { description };
  report.warn(['description'], `Shortened to ${maxDescriptionLength} characters`);
  const start = description.slice(0, maxDescriptionLength);
  return { description: start.toWellFormed().replace(/\uFFFD$/, '') };
}

/** Tags of a file. Those that the service does not take are left out. */
export function readTags(value: unknown, report: Report, path: Path): { tags?: string[] } {
  if (value === undefined || value === null) return {};
  if (!Array.isArray(value)) {
    report.warn(path, 'Not a list, left out');
    return {};
  }
  const given = [...new Set(value.filter((tag) => typeof tag === 'string').map((tag) => tag.trim()))];
  const tags = given
    .filter((tag) => tag !== '' && tag.length <= maxTagLength && isPlainText(tag) && !/[\t\r\n]/.test(tag))
    .slice(0, maxTags);
  if (tags.length < value.length) {
    report.warn(path, `Only ${tags.length} of ${value.length}: up to ${maxTags} texts of ${maxTagLength} characters`);
  }
  return { tags };
}

/** The name of a prompt: what the file calls it, in the folder of the file; a name with a slash is a whole one. */
export function nameIn(path: string, given: string | undefined, fileName: string): string {
  const folders = path.split('/').slice(0, -1);
  const own = given?.trim().replaceAll(/\s+/g, ' ') || fileName;
  return normalizeName(own.includes('/') ? own : [...folders, own].join('/'));
}

/** A text that people gave a prompt as its title, as a name: without what no name can have. */
export function toNamePart(text: string): string {
  const printable = text
    .replaceAll(/[\\/|<>"\p{C}\p{Zl}\p{Zp}]+/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return [...printable].slice(0, 100).join('').trim();
}

/** Messages with other texts in place of theirs, in the same order. */
export function withTexts(messages: Messages, texts: string[]): Messages {
  const rest = [...texts];
  return messages.map((message) => ('content' in message ? { ...message, content: rest.shift() ?? '' } : message));
}

/** Messages without blank lines around their texts, and without those that are blank. */
export function trimMessages(messages: Messages): Messages {
  return messages
    .map((message) => ('content' in message ? { ...message, content: trimBlankLines(message.content) } : message))
    .filter((message) => !('content' in message) || message.content.trim() !== '');
}

function trimBlankLines(text: string): string {
  return text.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd();
}
