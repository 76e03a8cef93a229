import { maxReleaseAttributes, maxReleaseKeyLength, maxRuleValueLength } from '../../contract/limits.ts';
import type { Caller } from '../../contract/release-assignment.ts';
import { contextPrefix } from '../../contract/release-callers.ts';
import { invalidField } from '../../errors.ts';
import { tryTo } from '../../platform/try-to.ts';

/** Returns the caller that the query parameters describe: `key` contains the key, and parameters such as `ctx.plan` contain the context. */
export function toCaller({ key, ...parameters }: { key?: string | undefined; [name: string]: unknown }): Caller {
  const context = Object.entries(parameters).filter(([name]) => name.startsWith(contextPrefix));
  if (context.length > maxReleaseAttributes)
    throw invalidField('', `Send at most ${maxReleaseAttributes} parameters with "${contextPrefix}"`);
  return { key, context: toContext(context) };
}

function toContext(parameters: Iterable<[string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(Array.from(parameters, ([name, value]) => [name.slice(contextPrefix.length), value]));
}

/** A URL that is split into the parameters about the caller, and the rest. */
export interface CallerUrl {
  base: string;
  caller: Caller;
}

/**
 * Separates what a URL says about the caller from the rest, so that the responses for different callers are cached together. Returns
 * undefined if a parameter is repeated or not valid, so that the route reports the error. Also returns undefined if the URL contains `#`,
 * which a request must not contain and at which the router ends the path.
 */
export function readCallerUrl(url: string): CallerUrl | undefined {
  const start = url.indexOf('?') + 1;
  if (start === 0 || !namesCaller.test(url)) return { base: url, caller: {} };
  if (url.includes('#')) return undefined;
  let base = url.slice(0, start - 1);
  let key: string | undefined;
  let context: Map<string, string> | undefined;
  for (const part of url.slice(start).split('&')) {
    const separator = part.indexOf('=');
    const end = separator === -1 ? part.length : separator;
    const name = decode(part.slice(0, end));
    if (name !== 'key' && !name?.startsWith(contextPrefix)) {
      base += (base.length < start ? '?' : '&') + part;
      continue;
    }
    const value = decode(part.slice(end + 1));
    if (value === undefined || !isValid(name, value)) return undefined;
    if (name === 'key') {
      if (key !== undefined) return undefined;
      key = value;
    } else {
      context ??= new Map();
      if (context.size === maxReleaseAttributes || context.has(name)) return undefined;
      context.set(name, value);
    }
  }
  return { base, caller: { key, context: context && toContext(context) } };
}

/**
 * Matches URLs that may say something about the caller. Only the path of a single prompt takes such parameters, and their names may be
 * encoded.
 */
const namesCaller = /^\/api\/prompts\/[^/?]+\?(?:.*&)?(?:key|ctx\.|[^=&]*%)/;

function decode(text: string): string | undefined {
  // Most names and values are not encoded, so they are returned unchanged.
  if (!text.includes('%') && !text.includes('+')) return text;
  return tryTo(() => decodeURIComponent(text.replaceAll('+', ' ')));
}

function isValid(name: string, value: string): boolean {
  if (name === 'key') return value !== '' && value.length <= maxReleaseKeyLength;
  return name.length > contextPrefix.length && name.length <= contextPrefix.length + 100 && value.length <= maxRuleValueLength;
}
