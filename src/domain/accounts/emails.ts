/**
 * Returns the address as it is stored and compared (trimmed, lower case), or undefined if it is not an email address.
 * ASCII only, so that no look-alike characters can create a second account that reads the same as another.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim();
  // Tested before lower-casing, because that turns some non-ASCII characters into ASCII: the Kelvin sign becomes k.
  if (email.length > 254 || !emailPattern.test(email)) return undefined;
  return email.toLowerCase();
}

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
