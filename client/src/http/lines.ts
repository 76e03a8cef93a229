/** Splits a response into its lines, without the line breaks. */
export async function* readLines(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: string[] = [];
  for await (const chunk of body) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      parts.push(text.slice(start, end));
      yield parts.join('');
      parts = [];
      start = end + 1;
    }
    // Joined at the end of the line: a long one comes in many chunks.
    if (start < text.length) parts.push(text.slice(start));
  }
  const rest = parts.join('') + decoder.decode();
  if (rest !== '') yield rest;
}
