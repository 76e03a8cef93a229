import type { SearchMatch } from '../../contract/prompts.ts';
import { composeText, foldText, type SearchedText } from '../../contract/searched-texts.ts';

type Match = Omit<SearchMatch, 'version'>;

/** The maximum number of characters that are shown of a line, and how many of them come before the match. */
const shownCharacters = 160;
const shownBefore = 40;

/** Finds the first lines that contain the search text. A match that spans several lines counts as a match in its first line. */
export function findMatches(texts: SearchedText[], search: string, limit: number): Match[] {
  const found: Match[] = [];
  for (const { path, text } of texts) {
    if (found.length === limit) break;
    found.push(...findLines(text, foldText(search), limit - found.length).map((match) => ({ path, ...match })));
  }
  return found;
}

function findLines(source: string, search: string, limit: number): Omit<Match, 'path'>[] {
  const text = composeText(source);
  const folded = text.toLowerCase();
  const found: Omit<Match, 'path'>[] = [];
  // The start of the current line in the original text and in the folded text, and the number of the line. Folding may change the length of
  // a line, but not the number of lines.
  let [start, foldedStart, line] = [0, 0, 1];
  let at = folded.indexOf(search);
  while (at !== -1 && found.length < limit) {
    for (let next = folded.indexOf('\n', foldedStart); next !== -1 && next < at; next = folded.indexOf('\n', foldedStart)) {
      foldedStart = next + 1;
      start = text.indexOf('\n', start) + 1;
      line += 1;
    }
    const end = text.indexOf('\n', start);
    const shown = (end === -1 ? text.slice(start) : text.slice(start, end)).trimEnd();
    const [from, to] = [at - foldedStart, at - foldedStart + search.length].map((offset) => unfoldOffset(shown, offset));
    found.push({ line, ...shortenAround(shown, from ?? 0, to ?? 0) });
    const foldedEnd = folded.indexOf('\n', at);
    at = foldedEnd === -1 ? -1 : folded.indexOf(search, foldedEnd + 1);
  }
  return found;
}

/**
 * Returns the offset in a line for an offset in the folded line. The two offsets differ after letters whose lowercase form has a different
 * length.
 */
function unfoldOffset(line: string, foldedOffset: number): number {
  if (line.toLowerCase().length === line.length) return Math.min(foldedOffset, line.length);
  let [offset, folded] = [0, 0];
  for (const character of line) {
    if (folded >= foldedOffset) break;
    offset += character.length;
    folded += character.toLowerCase().length;
  }
  return offset;
}

/** Cuts a long line around the match. */
function shortenAround(line: string, matchStart: number, matchEnd: number): Pick<Match, 'text' | 'start' | 'end'> {
  const indent = line.length - line.trimStart().length;
  const first = alignStart(line, Math.min(matchStart, Math.max(indent, matchStart - shownBefore)));
  const last = alignStart(line, Math.min(line.length, Math.max(first + shownCharacters, matchEnd)));
  // If the match is near the start of the line, the start is not cut off.
  const [from, before] = first - indent <= shownBefore / 2 ? [Math.min(indent, matchStart), ''] : [first, '…'];
  const shift = before.length - from;
  const text = `${before}${line.slice(from, last)}${last < line.length ? '…' : ''}`;
  return { text, start: matchStart + shift, end: matchEnd + shift };
}

/** Moves an offset back if it is inside a character. */
function alignStart(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff && offset > 0 ? offset - 1 : offset;
}
