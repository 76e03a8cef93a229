import { invalidField } from '../../errors.ts';

/**
 * Returns the address as it is stored and compared (trimmed, lower case), or undefined if it is not an email address.
 * ASCII only, so that no look-alike characters can create a second account that reads the same as another.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim();
  // Tested before lower-casing, because that turns some non-ASCII characters into ASCII: the Kelvin sign becomes k.
  if (email.length > 254 || !emailPattern.test(email)) return undefined;
  const lower = email.toLowerCase();
  // No person has such an address, so nobody can register, sign in, be invited or get mail in the name of a service account.
  return lower.endsWith(`@${serviceDomain}`) ? undefined : lower;
}

/** As above, but throws an error of the field `email`. */
export function getEmail(text: string): string {
  const email = parseEmail(text);
  if (email === undefined) throw invalidField('/email', text.trim() === '' ? 'Enter an email address' : 'Not an email address');
  return email;
}

/** The address of a service account, which the interface requires and nothing is ever sent to. */
export function serviceEmail(accountId: string): string {
  return `${accountId}@${serviceDomain}`;
}

/** Reserved by RFC 2606: it never exists. */
const serviceDomain = 'service.invalid';

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
