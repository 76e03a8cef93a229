/**
 * Returns the address as it is stored and compared (trimmed, lower case), or undefined where it is none.
 * ASCII only: control characters, NUL and look-alikes of @ or of letters never make a second account that reads the same.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim();
  // Tested before it is lower-cased: the Kelvin sign, for one, becomes an ordinary k.
  if (email.length > 254 || !emailPattern.test(email)) return undefined;
  return email.toLowerCase();
}

const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}(?<!\.)@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
