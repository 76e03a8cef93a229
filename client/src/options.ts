import { PromptHarborError } from './errors.ts';
import type { TemplateEngine } from './render/engine.ts';

/** A key, or a function that is called before each request and returns the current key. */
export type ApiKey = string | (() => string | Promise<string>);

export interface PromptHarborOptions {
  /** The API key. Default: the environment variable `PROMPTHARBOR_API_KEY`. */
  apiKey?: ApiKey | undefined;
  /** The address of the service. Default: the environment variable `PROMPTHARBOR_URL`, then `http://127.0.0.1:3000`. */
  baseUrl?: string | undefined;
  /** The id of the workspace to act in. Default: `PROMPTHARBOR_WORKSPACE`, then your own. */
  workspace?: string | undefined;
  /** The timeout of one attempt. Default: 30 seconds. */
  timeoutMs?: number | undefined;
  /** The number of retries of a request after temporary failures. Default: 2. */
  retries?: number | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Headers that are sent with every request. */
  headers?: Record<string, string> | undefined;
  /** An engine that is tried before the built-in engine. The client imports the built-in engine when a prompt needs it. */
  templates?: TemplateEngine | undefined;
  /** Allows using a key in a browser page, where everyone can read it. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

export interface Settings {
  apiKey: ApiKey | undefined;
  baseUrl: string;
  workspace: string | undefined;
  timeoutMs: number;
  retries: number;
  fetch: typeof fetch;
  headers: Record<string, string>;
  templates: TemplateEngine | undefined;
}

const defaultBaseUrl = 'http://127.0.0.1:3000';

/** Returns the options, completed by the environment and by defaults. Throws if an option is not valid. */
export function resolveOptions(options: PromptHarborOptions): Settings {
  const apiKey = options.apiKey ?? readEnvironment('PROMPTHARBOR_API_KEY');
  if (apiKey !== undefined && isBrowserPage() && !options.dangerouslyAllowBrowser) {
    throw new PromptHarborError(
      'Anyone who opens a browser page can read a key in it. Make the request from your server instead. If everyone who can open this ' +
        'page may know the key, pass dangerouslyAllowBrowser: true.',
    );
  }
  return {
    apiKey: typeof apiKey === 'string' ? parseKey(apiKey) : apiKey,
    baseUrl: parseBaseUrl(options.baseUrl ?? readEnvironment('PROMPTHARBOR_URL') ?? defaultBaseUrl),
    workspace: options.workspace ?? readEnvironment('PROMPTHARBOR_WORKSPACE'),
    timeoutMs: parseNumber('timeoutMs', options.timeoutMs ?? 30_000, 1),
    retries: parseNumber('retries', options.retries ?? 2, 0),
    // `fetch` is called without an object, because browsers refuse a call of `fetch` as a method of another object.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    headers: options.headers ?? {},
    templates: options.templates,
  };
}

/** Trims a key, because keys that are read from files often end with a line break, which is not allowed in a header. */
export function parseKey(key: string): string {
  const trimmed = key.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new PromptHarborError('The API key is empty or contains invalid characters.');
  return trimmed;
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new PromptHarborError(`baseUrl must be an address such as https://prompts.example.com, but is "${text}".`);
  }
  return url.href.replace(/\/+$/, '');
}

/** Throws if the value is not an integer of at least the minimum. */
export function parseNumber(name: string, value: number, minimum: number): number {
  if (!Number.isInteger(value) || value < minimum) throw new PromptHarborError(`${name} must be a whole number of at least ${minimum}.`);
  return value;
}

/**
 * Reads an environment variable. Returns undefined if the platform has no environment, or does not permit reading it. An empty value counts
 * as not set.
 */
function readEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

function isBrowserPage(): boolean {
  const { window } = globalThis as { window?: { document?: unknown } };
  return window?.document !== undefined;
}
