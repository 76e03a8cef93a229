/**
 * Returns how well a string matches the user's input. A lower number is better, and undefined is no match. Every word must be a part of the
 * text, or its letters must occur in the text in this order ("trige" in triage). In a word of four or more letters, one letter may be extra
 * or misplaced.
 */
export function scoreMatch(text: string, typed: string): number | undefined {
  const target = text.toLowerCase();
  let score = target.startsWith(typed.trim().toLowerCase()) ? 0 : 1;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const own = scoreWord(target, word);
    if (own === undefined) return undefined;
    score += own;
  }
  return score;
}

const minTypoLength = 4;
const typoScore = 200;

function scoreWord(target: string, word: string): number | undefined {
  const at = target.indexOf(word);
  if (at !== -1) return isStart(target, at) ? 2 : 5;
  const inOrder = scoreInOrder(target, word, word.length);
  if (inOrder !== undefined || word.length < minTypoLength) return inOrder;
  const letters = [...word];
  const scores = letters.flatMap((_letter, index) => scoreInOrder(target, letters.toSpliced(index, 1).join(''), 1) ?? []);
  return scores.length === 0 ? undefined : typoScore + Math.min(...scores);
}

/**
 * Matches the letters in their order, with as few other letters in between as possible. With many letters in between, a match is only a
 * coincidence.
 */
function scoreInOrder(target: string, word: string, maxGaps: number): number | undefined {
  let best: number | undefined;
  const first = word.charAt(0);
  for (let start = target.indexOf(first); start !== -1; start = target.indexOf(first, start + 1)) {
    let end = start;
    for (const letter of word.slice(1)) {
      end = target.indexOf(letter, end + 1);
      if (end === -1) return best;
    }
    const gaps = end - start + 1 - word.length;
    if (gaps > maxGaps) continue;
    const score = 10 + gaps * 2 + (isStart(target, start) ? 0 : 5);
    best = Math.min(best ?? score, score);
  }
  return best;
}

/** Returns whether a word starts at this position. */
function isStart(text: string, at: number): boolean {
  return at === 0 || /[\s/._-]/.test(text.charAt(at - 1));
}
