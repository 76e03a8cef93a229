import assert from 'node:assert/strict';
import { startRawServer } from './models.ts';

export interface RecordingModel {
  /** The base address. */
  url: string;
  /** Returns the body of the only request since the last call. */
  takeBody(): Record<string, unknown>;
  close(): Promise<void>;
}

/** Starts a model server that records requests. It responds with the same JSON each time, or calls the first tool if it must call one. */
export async function startRecordingModel(content = '{"category":"billing"}'): Promise<RecordingModel> {
  const bodies: Record<string, unknown>[] = [];
  const { url, close } = await startRawServer((_req, res, text) => {
    const body = JSON.parse(text) as Record<string, unknown>;
    bodies.push(body);
    const base = { id: '1', created: 1, model: body.model };
    const { tools = [], tool_choice: choice } = body as { tools?: { function: { name: string } }[]; tool_choice?: unknown };
    const mustCall = choice === 'required' || typeof choice === 'object';
    const called = { name: tools[0]?.function.name, arguments: '{"number":"1"}' };
    const call = { index: 0, id: 'call_1', type: 'function', function: called };
    const message = { role: 'assistant', ...(mustCall ? { content: null, tool_calls: [call] } : { content }) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (body.stream !== true) {
      const completion = { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
      res.setHeader('content-type', 'application/json').end(JSON.stringify(completion));
      return;
    }
    const chunk = { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta: message, finish_reason: 'stop' }], usage };
    res.setHeader('content-type', 'text/event-stream').end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  return {
    url,
    close,
    takeBody() {
      const [body, ...others] = bodies.splice(0);
      assert.ok(body && others.length === 0, 'one request');
      return body;
    },
  };
}
