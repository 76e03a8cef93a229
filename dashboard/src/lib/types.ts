/** The shapes of the REST API, as docs and openapi.json describe them. */

export interface User {
  userId: string;
  email: string;
  name: string;
}

export interface Account extends User {
  createdAt: string;
  keyCreatedAt: string;
  twoFactor: boolean;
}

export interface Session {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

export interface Activity {
  id: string;
  type: string;
  at: string;
  address: string | null;
  userAgent: string | null;
}

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

export type PromptType = 'text' | 'chat';

export interface Prompt {
  id: string;
  name: string;
  type: PromptType;
  description: string;
  tags: string[];
  latestVersion: number;
  labels: Record<string, number>;
  createdAt: string;
  updatedAt: string;
  deletedAt?: string | null;
}

export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type Role = (typeof roles)[number];
export type Message = { role: Role; content: string } | { placeholder: string };
export type Config = Record<string, unknown>;

/** What a version says: a template or messages, and the config beside it. */
export interface Content {
  template?: string | undefined;
  messages?: Message[] | undefined;
  config: Config;
}

export interface Warning {
  code: string;
  message: string;
}

export interface Version extends Content {
  name: string;
  type: PromptType;
  version: number;
  labels: string[];
  variables: { name: string; required: boolean }[];
  message: string;
  createdAt: string;
  warnings?: Warning[];
}

/** One line of a prompt's history. Which fields it has follows from its type. */
export interface HistoryEvent {
  id: string;
  type: string;
  at: string;
  by: string;
  version?: number | null;
  message?: string | null;
  label?: string | null;
  from?: number | string | null;
  to?: number | string | null;
}

export interface Rendered {
  text?: string;
  messages?: { role: string; content: string }[];
  config: Config;
}

export interface Stats {
  from: string;
  to: string;
  interval: 'hour' | 'day';
  totals: { calls: number; errors: number };
  durationMs: { p50: number; p95: number; p99: number } | null;
  series: { time: string; calls: number; errors: number }[];
  byRoute: { route: string; calls: number; errors: number }[];
  byPrompt: {
    promptId: string;
    name: string | null;
    calls: number;
    errors: number;
    versions: { version: number | null; label: string | null; calls: number }[];
  }[];
  byStatus: { status: number; calls: number }[];
  keyLastUsedAt: string | null;
}
