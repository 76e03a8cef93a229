import { createForeignResponseError } from '../errors.ts';

/** Yields the chunks of a response. Not every browser can iterate over the body. */
export async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Reads a response as text. Throws if the response is larger than `maxBytes`. */
export async function readText({ body }: Response, maxBytes: number): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of readChunks(body)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw createForeignResponseError('The response is too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
