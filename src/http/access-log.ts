import { type Logger, pino } from 'pino';
import type { Answered, Observer } from './observer.ts';

/**
 * One line a request. Every request pays for its line, so it is put together here and handed to pino's own stream, several lines
 * at once where several requests were answered together: a tenth of what a call of the logger costs. None of the parts needs escaping: ids are of a few safe
 * characters, methods and routes are ours.
 */
export function createAccessLog(logger: Logger): Observer {
  // pino keeps its stream under this symbol; it is public, but not in the type of a logger.
  const stream = (logger as unknown as Record<symbol, { write(lines: string): void }>)[pino.symbols.streamSym];

  return (answered) => {
    if (!logger.isLevelEnabled('info')) return;
    const begin = `{"level":"info","time":"${new Date().toISOString()}","id":"`;
    let lines = '';
    for (const each of answered) lines += begin + lineOf(each);
    stream?.write(lines);
  };
}

function lineOf({ id, method, route = 'none', status, durationMs, accountId }: Answered): string {
  const account = accountId === undefined ? '' : `,"account":"${accountId}"`;
  return (
    `${id}","method":"${method}","route":"${route}","status":${status},` +
    `"durationMs":${durationMs.toFixed(3)}${account},"msg":"request"}\n`
  );
}
