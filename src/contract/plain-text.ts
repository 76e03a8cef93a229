/** Returns whether the text has no lone surrogates and no control characters except line breaks and tabs. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !hasControlCharacter(text);
}

/**
 * Returns whether the text has control characters that are not allowed. Texts may be large, so the function uses a loop, which is ten times
 * faster than a regular expression.
 */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 ? code !== 0x09 && code !== 0x0a && code !== 0x0d : code >= 0x7f && code < 0xa0) return true;
  }
  return false;
}
