import { maxAccountNameLength } from '../../contract/limits.ts';
import { invalidField } from '../../errors.ts';

/** Returns the display name as it is stored, or undefined if the text is blank. Throws if the text is not a valid name. */
export function parseName(text: string | undefined): string | undefined {
  const name = text?.trim();
  if (!name) return undefined;
  if ([...name].length > maxAccountNameLength) throw invalidField('/name', `Use at most ${maxAccountNameLength} characters`);
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) throw invalidField('/name', 'Control characters are not allowed');
  return name;
}

/** Like `parseName`, but also throws for a blank text. */
export function getName(text: string): string {
  const name = parseName(text);
  if (name === undefined) throw invalidField('/name', 'Enter a name');
  return name;
}
