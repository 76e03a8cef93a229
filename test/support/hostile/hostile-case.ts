import { type ApiResponse, call, type RequestOptions, type TestAccount } from '../client.ts';

/** An account that tries to harm others. */
export interface Attacker extends TestAccount {
  url: string;
  call(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<ApiResponse>;
}

/** An action with which an account or a stranger can harm others. */
export interface HostileCase {
  /** Saves the data that the attack needs. */
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
