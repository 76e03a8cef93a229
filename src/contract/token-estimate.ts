// The dashboard also uses this file, so it must not import code that runs only on a server.

const charactersPerToken = 4;
/** The first code point of East Asian scripts and emoji. In these scripts, a character is about one token. */
const firstWideCode = 0x2e80;
/** The tokens of a message's role and separators. */
const tokensPerMessage = 4;
/** The estimated tokens of an image, a file or a sound. The real number depends on its size and on the model. */
const tokensPerAttachment = 1000;

/**
 * Estimates the tokens of text. Every model counts in its own way, so the result is only an approximation: often within a fifth for
 * English, and less exact for code and other languages.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  // The second surrogate of a character is not counted again.
  for (let index = 0; index < text.length; index += 1) if (isWide(text.charCodeAt(index))) wide += 1;
  return Math.ceil(wide + (text.length - wide) / charactersPerToken);
}

function isWide(code: number): boolean {
  return code >= firstWideCode && !(code >= 0xdc00 && code <= 0xdfff);
}

/** Estimates the tokens of messages. An image, a file or a sound counts as 1,000 tokens. */
export function estimateMessageTokens(messages: readonly Record<string, unknown>[]): number {
  return messages.reduce((sum, message) => sum + tokensPerMessage + countContent(message.content) + countValue(message.tool_calls), 0);
}

function countContent(content: unknown): number {
  if (!Array.isArray(content)) return countValue(content);
  return content.reduce((sum: number, part: unknown) => sum + countPart(part), 0);
}

function countPart(part: unknown): number {
  const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
  return typeof text === 'string' ? estimateTokens(text) : tokensPerAttachment;
}

/** Counts text unchanged, and any other value as JSON. */
export function countValue(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return estimateTokens(typeof value === 'string' ? value : JSON.stringify(value));
}
