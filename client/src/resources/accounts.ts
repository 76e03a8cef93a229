import type { Caller } from '../http/caller.ts';
import type { RequestOptions } from '../http/request.ts';
import type {
  AccountChange,
  CliSignInClaim,
  ListActivityQuery,
  ListNotificationsQuery,
  Login,
  NewCliSignIn,
  NotificationSettingsChange,
  ReadNotifications,
  Registration,
} from '../types.ts';

/** `ph.auth`: accounts and their keys. */
export function createAuth({ call }: Caller, setApiKey: (key: string) => void) {
  return {
    register: (body: Registration, options?: RequestOptions) => call('register', { body }, options),
    /** Returns the account's key for an email and password. */
    login: (body: Login, options?: RequestOptions) => call('obtainToken', { body }, options),
    /** Starts a sign-in that a person approves in the dashboard. The challenge is the SHA-256 digest of a verifier, in base64url. */
    startCliSignIn: (body: NewCliSignIn, options?: RequestOptions) => call('startCliSignIn', { body }, options),
    /** Returns the key of the account whose owner has approved the sign-in. Throws an ApiError with `cli_sign_in_pending` until then. */
    claimCliSignIn: (body: CliSignInClaim, options?: RequestOptions) => call('claimCliSignIn', { body }, options),
    /** Returns the account that the key belongs to. Throws an AuthenticationError if the key is not valid. */
    verify: (options?: RequestOptions) => call('verifyToken', {}, options),
    /** Resets the key. The old key stops working immediately, and this client continues with the new one. */
    async reset(options?: RequestOptions) {
      const created = await call('resetToken', {}, options);
      setApiKey(created.token);
      return created;
    },
  };
}

/** `ph.account`: the caller's account. */
export function createAccount({ call, list }: Caller) {
  return {
    get: (options?: RequestOptions) => call('getAccount', {}, options),
    update: (body: AccountChange, options?: RequestOptions) => call('changeAccount', { body }, options),
    /** Sends a verification link to the account's email address. */
    requestVerification: (options?: RequestOptions) => call('requestVerification', {}, options),
    /** The account's notifications, from all workspaces. */
    notifications: {
      list: (query?: ListNotificationsQuery, options?: RequestOptions) => call('listNotifications', { ...(query && { query }) }, options),
      markRead: (body: ReadNotifications, options?: RequestOptions) => call('readNotifications', { body }, options),
      settings: (options?: RequestOptions) => call('getNotificationSettings', {}, options),
      updateSettings: (body: NotificationSettingsChange, options?: RequestOptions) => call('changeNotificationSettings', { body }, options),
    },
    activity: (query?: ListActivityQuery, options?: RequestOptions) => list('listActivity', { ...(query && { query }) }, options),
  };
}
