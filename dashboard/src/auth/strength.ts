import { maxPasswordLength, minPasswordLength, recommendedPasswordLength } from '../../../src/contract/limits.ts';
import { plural } from '../lib/format.ts';

interface Strength {
  /** The strength: 0 is empty, 1 is rejected or weak, and 4 is very strong. */
  score: 0 | 1 | 2 | 3 | 4;
  text: string;
}

/** Roughly estimates how hard a password is to guess. The length counts most. The server decides whether a password is accepted. */
export function rateStrength(password: string, email: string): Strength {
  const length = [...password].length;
  if (length === 0)
    return { score: 0, text: `At least ${minPasswordLength} characters; ${recommendedPasswordLength} or more recommended.` };
  if (length > maxPasswordLength) return { score: 1, text: `Use at most ${maxPasswordLength} characters.` };
  if (length < minPasswordLength) return { score: 1, text: `${plural(minPasswordLength - length, 'more character')} needed.` };
  if (isGuessable(password, email)) return { score: 1, text: 'Easy to guess. Choose another one.' };

  const bits = effectiveLength(password) * Math.log2(alphabetSize(password));
  if (bits < 45) return { score: 2, text: 'Fair. Longer is stronger: a few unrelated words work well.' };
  if (bits < 70 || length < recommendedPasswordLength - 3) return { score: 3, text: 'Good.' };
  return { score: 4, text: 'Very strong.' };
}

const commonPrefixes = /^(?:pass(?:word|wort)|qwert[yz]|letmein|welcome|iloveyou|admin|abc|123|monkey|dragon|football|sunshine|princess)/i;

function isGuessable(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  const local = email.toLowerCase().split('@')[0] ?? '';
  if (lower === email.toLowerCase() || (local.length >= 4 && lower.startsWith(local) && lower.length < local.length + 5)) return true;
  return (commonPrefixes.test(password) && password.length < 14) || effectiveLength(password) < 5;
}

/** Returns the length of a password, in which characters that repeat or follow the previous one (aaaa, 1234) count little. */
function effectiveLength(password: string): number {
  const codes = [...password].map((character) => character.codePointAt(0) ?? 0);
  let length = 0;
  codes.forEach((code, index) => {
    const previous = codes[index - 1];
    length += previous !== undefined && Math.abs(code - previous) <= 1 ? 0.3 : 1;
  });
  return Math.min(length, new Set(codes).size * 2);
}

function alphabetSize(password: string): number {
  const parts: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[^a-zA-Z\d]/, 30],
  ];
  return parts.reduce((size, [pattern, count]) => size + (pattern.test(password) ? count : 0), 0);
}
