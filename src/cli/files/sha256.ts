/** Returns a digest. The module is imported at the first call, because importing it takes a quarter of a command's start time. */
export function sha256(text: string, encoding: 'hex' | 'base64url'): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest(encoding);
}
