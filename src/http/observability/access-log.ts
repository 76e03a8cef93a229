import { isIP } from 'node:net';
import { type Logger, pino } from 'pino';
import type { CompletedRequest, RequestObserver } from './completed-request.ts';

/**
 * Writes one log line per request. Lines are formatted here and written to pino's stream in batches, which is ten times faster than
 * calling the logger. Nothing needs escaping: request ids and IP addresses contain only safe characters, and methods and routes are known
 * values.
 */
export function createAccessLog(logger: Logger): RequestObserver {
  // The symbol is part of pino's public API, but missing from the logger's type.
  const stream = (logger as unknown as Record<symbol, { write(lines: string): void }>)[pino.symbols.streamSym];

  return (requests) => {
    if (!logger.isLevelEnabled('info')) return;
    const prefix = `{"level":"info","time":"${new Date().toISOString()}","id":"`;
    let lines = '';
    for (const request of requests) lines += prefix + formatLine(request);
    stream?.write(lines);
  };
}

function formatLine({
  id,
  method,
  route = 'none',
  status,
  durationMs,
  address,
  traceId,
  accountId,
  workspaceId,
}: CompletedRequest): string {
  // With TRUST_PROXY, the address comes from a header, so it may be any text.
  const client = address === undefined || isIP(address) === 0 ? '' : `,"address":"${address}"`;
  const trace = traceId === undefined ? '' : `,"trace":"${traceId}"`;
  const account = accountId === undefined ? '' : `,"account":"${accountId}"`;
  const workspace = workspaceId === accountId ? '' : `,"workspace":"${workspaceId}"`;
  return (
    `${id}","method":"${method}","route":"${route}","status":${status},` +
    `"durationMs":${durationMs.toFixed(3)}${client}${trace}${account}${workspace},"msg":"request"}\n`
  );
}
