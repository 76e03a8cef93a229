/**
 * Returns the name, or undefined if it looks like a link. Everyone chooses their own name and can invite any address, so such a name would
 * let strangers advertise their site in our emails.
 */
export function toPlainName(name: string): string | undefined {
  return /\S[.@\u3002\uff0e\uff61]\S|:\/\//u.test(name) ? undefined : name;
}
