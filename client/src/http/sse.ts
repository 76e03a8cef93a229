/** A server-sent event, or a comment, which only shows that the connection is alive. */
export interface ServerSentEvent {
  id: string | undefined;
  /** The name of the event. Undefined if the event has no name. */
  event: string | undefined;
  /** The data of the event. Undefined for a comment. */
  data: string | undefined;
}

/** The maximum length of an event. Events of the service are much shorter. */
const maxEventCharacters = 4 * 1024 * 1024;

/** Reads a response as server-sent events. Ends with the response. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true });
      for (let end = /\r?\n\r?\n/.exec(buffer); end; end = /\r?\n\r?\n/.exec(buffer)) {
        yield parseEvent(buffer.slice(0, end.index));
        buffer = buffer.slice(end.index + end[0].length);
      }
      if (buffer.length > maxEventCharacters) throw new Error('The event is too long');
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function parseEvent(text: string): ServerSentEvent {
  let id: string | undefined;
  let event: string | undefined;
  const data: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
  return { id, event, data: data.length > 0 ? data.join('\n') : undefined };
}
