import type { FieldError } from '../lib/types.ts';

/**
 * Says where in a draft an error is. Returns undefined if the message already says where. `names` are the names of the draft's declared
 * variables.
 */
export function describePlace(path: string, names: readonly string[] = []): string | undefined {
  const [, field = '', index, part] = path.split('/');
  const number = Number(index) + 1;
  if (field === 'tools') return index === undefined ? 'Tools' : `Tool ${number}${part === undefined ? '' : `, ${part}`}`;
  if (field === 'output') return 'Output schema';
  if (field === 'variables' && index !== undefined) return names[Number(index)] ?? index;
  return field === 'messages' && part === 'content' && path.split('/').length > 4 ? `Message ${number}` : undefined;
}

/** Returns the message of an error with its place. */
export function describeFieldError({ path, message, line, column }: FieldError, names?: readonly string[]): string {
  const place = describePlace(path, names);
  const position = line === undefined ? undefined : `line ${line}, column ${column}`;
  const start = [place, position].filter((each) => each !== undefined).join(', ');
  const [, choice] = emptyChoice.exec(message) ?? [];
  const text = choice === undefined ? message : `Enter at least one value for “${choice}”.`;
  return start === '' ? text : `${start.charAt(0).toUpperCase()}${start.slice(1)}: ${text}`;
}

/**
 * Matches the error for a choice without values. In the form for tools and outputs, a new choice has no value until the user enters one.
 */
const emptyChoice = /\/properties\/([^/]+)(?:\/items)*\/enum must have at least one value$/;
