import { maxImportLineBytes } from '../../../src/contract/transfer-format.ts';
import { PromptHarborError } from '../errors.ts';

/** No line of an export has so many characters. What has may go on without end. */
const maxLineCharacters = maxImportLineBytes;

/** Splits a text into its lines, without the line breaks. */
export async function* readLines(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end));
      yield parts.join('');
      parts = [];
      length = 0;
      start = end + 1;
    }
    // Joined at the end of the line: a long one comes in many chunks.
    if (start < text.length) parts.push(text.slice(start));
    length += text.length - start;
    if (length > maxLineCharacters) throw new PromptHarborError('This is not a PromptHarbor export: a line is too long');
  }
  const rest = parts.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
