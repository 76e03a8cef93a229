import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type { AccountChange, ListActivityQuery, Login, Registration } from '../types.ts';

/** `ph.auth`: accounts and their keys. */
export function createAuth({ call }: Caller, setApiKey: (key: string) => void) {
  return {
    register: (body: Registration, options?: RequestOptions) => call('register', { body }, options),
    /** The account's key, by email and password. */
    login: (body: Login, options?: RequestOptions) => call('obtainToken', { body }, options),
    /** Whose key it is. Throws an AuthenticationError if it is not valid. */
    verify: (options?: RequestOptions) => call('verifyToken', {}, options),
    /** Replaces the key: the old one stops working immediately, and this client goes on with the new one. */
    async reset(options?: RequestOptions) {
      const created = await call('resetToken', {}, options);
      setApiKey(created.token);
      return created;
    },
  };
}

/** `ph.account`: the caller's own account. */
export function createAccount({ call, list }: Caller) {
  return {
    get: (options?: RequestOptions) => call('getAccount', {}, options),
    update: (body: AccountChange, options?: RequestOptions) => call('changeAccount', { body }, options),
    /** Sends a verification link to the account's email address. */
    requestVerification: (options?: RequestOptions) => call('requestVerification', {}, options),
    activity: (query?: ListActivityQuery, options?: RequestOptions) => list('listActivity', { ...(query && { query }) }, options),
  };
}
