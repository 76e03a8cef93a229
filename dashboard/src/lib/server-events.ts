import { ApiError, requestStream } from './api.ts';
import { reconnect } from './connection.ts';

interface ServerEvent {
  name: string;
  /** Not checked: the server's events follow the contract. */
  data: unknown;
}

interface ServerEventsOptions {
  path: string;
  body: unknown;
  signal: AbortSignal;
  onEvent: (event: ServerEvent) => void;
}

const lostText = 'The connection to PromptHarbor was lost, and with it the rest of the response. Try again.';

/** Sends a request and reads the named events of its response until it ends. Throws an ApiError if it is refused or the connection is lost. */
export async function readServerEvents({ path, body, signal, onEvent }: ServerEventsOptions): Promise<void> {
  const response = await requestStream(path, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const blocks = (text + chunk.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event && !signal.aborted) onEvent(event);
      }
    }
  } catch (err) {
    if (signal.aborted) throw err;
    void reconnect();
    throw new ApiError(0, { error: lostText, code: 'unreachable' });
  }
}

/** Undefined for comments, which only keep the connection alive. Not by an expression, for which other characters end a line too. */
function parseBlock(block: string): ServerEvent | undefined {
  const lines = block.split('\n');
  const find = (field: string) => lines.find((line) => line.startsWith(field))?.slice(field.length);
  const [name, data] = [find('event: '), find('data: ')];
  return name === undefined || data === undefined ? undefined : { name, data: JSON.parse(data) };
}
