import { maxImportLineBytes } from '../../../src/contract/transfer-format.ts';
import { PromptHarborError } from '../errors.ts';

/** The maximum number of characters in a line. All lines of an export are shorter, and a longer line may never end. */
const maxLineCharacters = maxImportLineBytes;

/** Splits text into its lines, without the line breaks. */
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
    // The parts are joined at the end of the line, because a long line arrives in many chunks.
    if (start < text.length) parts.push(text.slice(start));
    length += text.length - start;
    if (length > maxLineCharacters) throw new PromptHarborError('This is not a PromptHarbor export: a line is too long');
  }
  const rest = parts.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
