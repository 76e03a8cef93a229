import { type ApiResponse, call, type RequestOptions, type TestAccount } from '../client.ts';
import { changes } from './changes.ts';
import { floods } from './floods.ts';
import { graphs } from './graphs.ts';
import { lists } from './lists.ts';
import { requests } from './requests.ts';
import { hostileTemplates } from './templates.ts';

/** An account that tries to harm others. */
export interface Attacker extends TestAccount {
  url: string;
  call(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
}

/** Something an account or a stranger can do to harm others. */
export interface HostileCase {
  /** Saves what the attack needs. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Resolves when all requests have their responses. */
  attack(attacker: Attacker): Promise<ApiResponse[]>;
}

export function createAttacker(url: string, account: TestAccount): Attacker {
  return {
    ...account,
    url,
    call: (method, path, body, options) =>
      call({ url }, method, path, { retries: 0, key: account.token, ...(body !== undefined && { body }), ...options }),
  };
}

/** Hostile cases by family. */
export const hostileCases: Record<string, Record<string, HostileCase>> = {
  templates: Object.fromEntries(
    Object.entries(hostileTemplates).map(([name, { template, variables = {} }]): [string, HostileCase] => [
      name,
      { attack: async ({ call: send }) => Promise.all([1, 2, 3].map(() => send('POST', '/api/render', { template, variables }))) },
    ]),
  ),
  graphs,
  lists,
  changes,
  floods,
  requests,
};
