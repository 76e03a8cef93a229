import type { Static } from 'typebox';
import type * as history from '../../../src/contract/history.ts';
import type * as contract from '../../../src/contract/prompts.ts';
import type * as render from '../../../src/contract/render.ts';
import type * as statistics from '../../../src/contract/statistics.ts';
import type * as versions from '../../../src/contract/versions.ts';

/** The shapes of the REST API, taken from the server's own contract. */

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

export type Prompt = Static<typeof contract.ListedPrompt>;
export type PromptType = Prompt['type'];
export type Version = Static<typeof versions.Version>;
export type SavedVersion = Static<typeof versions.SavedVersion>;
export type Message = Static<typeof versions.Message> | Static<typeof versions.Placeholder>;
export type Config = Static<typeof versions.Config>;
export type HistoryEntry = Static<typeof history.HistoryEntry>;
export type Preview = Static<typeof render.Preview>;

/** What a version says: a template or messages, and the config beside it. */
export interface Content {
  template?: string | undefined;
  messages?: Message[] | undefined;
  config: Config;
}

export type Stats = Static<typeof statistics.Statistics>;
