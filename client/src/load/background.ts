import { unref } from '../http/timing.ts';
import { importNode } from './import-node.ts';

/** The parts of Node's `diagnostics_channel` that are used here. */
interface DiagnosticsChannel {
  subscribe(name: string, listener: (message: unknown) => void): void;
}

const headerName = 'x-request-id';
/** The ids of requests in progress that must not keep the process running. */
const background = new Set<string>();
let subscription: Promise<void> | undefined;

/**
 * Marks a request as one that must not keep the process running. Node's `fetch` has no option for that, but it announces the socket of each
 * request together with its headers. On other platforms, the mark has no effect, and `close` ends the requests.
 */
export async function createBackgroundHeaders(): Promise<{ headers: Record<string, string>; end(): void }> {
  subscription ??= subscribe();
  await subscription;
  const id = crypto.randomUUID();
  background.add(id);
  return { headers: { [headerName]: id }, end: () => background.delete(id) };
}

async function subscribe(): Promise<void> {
  try {
    const channel = (await importNode('node:diagnostics_channel')) as DiagnosticsChannel;
    channel.subscribe('undici:client:sendHeaders', (message) => {
      const { headers, socket } = message as { headers?: unknown; socket?: unknown };
      if (background.size === 0 || typeof headers !== 'string') return;
      const id = /^x-request-id: ([0-9a-f-]{36})\r?$/im.exec(headers)?.[1];
      if (id !== undefined && background.has(id)) unref(socket);
    });
  } catch {
    // Other platforms do not have this module.
  }
}
