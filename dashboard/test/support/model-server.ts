import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for a completion, which the test responds to step by step. */
export interface ModelCall {
  headers: IncomingMessage['headers'];
  body: { model: string; messages: { role: string; content: unknown }[] } & Record<string, unknown>;
  write(text: string): void;
  /** Ends the response as a server does, with the usage. */
  finish(): void;
  /** Sends an error in the middle of the response. */
  fail(message: string): void;
  /** Resolves when the service has closed the connection. */
  closed: Promise<unknown>;
}

export interface ModelServer {
  /** The base address. */
  url: string;
  /** Waits for the next request. */
  next(): Promise<ModelCall>;
  close(): Promise<void>;
}

/** Starts a model server that responds at the pace of the test, so that the test sees the page as a person sees it while waiting. */
export async function startModelServer(): Promise<ModelServer> {
  const calls: ModelCall[] = [];
  const waiting: ((call: ModelCall) => void)[] = [];
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    const call = toCall(req, res, text);
    const take = waiting.shift();
    if (take) take(call);
    else calls.push(call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The server listens on a port, not on a socket file.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    next: () => {
      const call = calls.shift();
      return call ? Promise.resolve(call) : new Promise((resolve) => waiting.push(resolve));
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function toCall(req: IncomingMessage, res: ServerResponse, text: string): ModelCall {
  const send = (chunk: object) => res.write(`data: ${JSON.stringify(chunk)}\n\n`);
  const choose = (delta: object, finish_reason: string | null = null) => send({ choices: [{ index: 0, delta, finish_reason }] });
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  res.flushHeaders();
  return {
    headers: req.headers,
    body: JSON.parse(text),
    write: (content) => void choose({ content }),
    finish() {
      choose({}, 'stop');
      send({ choices: [], usage: { prompt_tokens: 1200, completion_tokens: 34, total_tokens: 1234 } });
      res.end('data: [DONE]\n\n');
    },
    fail(message) {
      send({ error: { message, type: 'server_error' } });
      res.end();
    },
    closed: once(res, 'close'),
  };
}
