import { invalidField } from '../../errors.ts';

/**
 * Returns the address as it is stored and compared (trimmed, lower case), or undefined if it is not an email address. Only ASCII is
 * allowed, so that nobody can use look-alike characters to register an address that looks the same as another address.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim();
  // The pattern is tested before lower-casing, because lower-casing turns some non-ASCII characters into ASCII: the Kelvin sign becomes k.
  if (email.length > 254 || !emailPattern.test(email)) return undefined;
  const lower = email.toLowerCase();
  // This domain is refused, so that nobody can register, sign in, be invited or receive email in the name of a service account.
  return lower.endsWith(`@${serviceDomain}`) ? undefined : lower;
}

/** Like `parseEmail`, but throws an error for the field `email`. */
export function getEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw invalidField('/email', text.trim() === '' ? 'Enter an email address' : 'Not an email address');
  return email;
}

/** Returns the email address of a service account or a team workspace. Nothing is ever sent to it. */
export function reservedEmail(id: string): string {
  return `${id}@${serviceDomain}`;
}

/** RFC 2606 reserves the top-level domain `invalid`, so this domain never exists. */
const serviceDomain = 'service.invalid';

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
