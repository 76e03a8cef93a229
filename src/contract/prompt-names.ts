// This file is separate from the schemas, so that the dashboard can import it without TypeBox.
import { maxPromptNameLength } from './limits.ts';

/** The pattern that every name matches, including names that earlier releases allowed. `findNameProblem` checks the other rules. */
export const promptNamePattern = '^[^\\\\|<>"\\p{Cc}]+$';

/**
 * Returns the form in which names are stored and compared, so that an é of one character equals an é of two characters. Text that is too
 * long for a name is returned unchanged, because normalizing it could take minutes.
 */
export function normalizeName(name: string): string {
  return name.length > 2 * maxPromptNameLength ? name : name.normalize('NFC');
}

/** Returns the reason why a prompt cannot have this name, or undefined if it can. Expects a normalized name. */
export function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name';
  if ([...name].length > maxPromptNameLength) return `Use at most ${maxPromptNameLength} characters`;
  const segments = name.split('/');
  if (segments.includes('')) return 'A name cannot start or end with a slash or contain two slashes in a row';
  // A program that uses such a name as a path would leave its folder.
  if (segments.some((segment) => segment === '.' || segment === '..')) return 'A folder or name cannot be . or ..';
  if (segments.some((segment) => segment.startsWith(' ') || segment.endsWith(' '))) {
    return 'A folder or name cannot start or end with a space';
  }
  if (/[\\|<>"]/.test(name)) return 'The characters \\ | < > " are not allowed';
  if (!printable.test(name)) return 'Control characters, invisible characters and unusual spaces are not allowed';
  return undefined;
}

/**
 * Matches a name that has only permitted characters. The pattern excludes C (control, format such as bidirectional overrides, surrogate,
 * private use and unassigned characters), Z (all separators but the space) and DI (letters and marks that are not shown). Joiners and emoji
 * variations are allowed where they affect the display: next to characters outside ASCII, or in keycaps such as 1️⃣.
 */
const printable = /^(?:[^\p{C}\p{Z}\p{DI}]| |(?<=[^\0-\x7F])[\u200C\u200D](?=[^\0-\x7F])|(?<=[^\0-\x7F]|[0-9#*])[\uFE0E\uFE0F])+$/u;
