import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { AppError } from '../errors.ts';
import type { Context } from './context.ts';
import { newId } from './ids.ts';

/** Browser sessions, kept by Better Auth: signed cookies, expiry, listing and revocation. Passwords and keys are ours. */
export interface Sessions {
  /** Starts a session for an account that has just proved who it is, with the password that had this hash. */
  open(browser: Browser, accountId: string, passwordHash?: string): Promise<Cookies>;
  find(browser: Browser): Promise<(Cookies & { accountId: string; sessionId: string }) | undefined>;
  list(browser: Browser): Promise<SessionSummary[]>;
  /** Ends one session of the same account. */
  end(browser: Browser, sessionId: string): Promise<void>;
  endOthers(browser: Browser): Promise<void>;
  signOut(browser: Browser): Promise<Cookies>;
}

/** What of a request matters to a session. */
export interface Browser {
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
}

/** `Set-Cookie` values for the answer. */
export interface Cookies {
  cookies: string[];
}

export interface SessionSummary {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  address: string | null;
  userAgent: string | null;
  current: boolean;
}

const addressHeader = 'x-session-address';
const idleDays = 7;

export function createSessions(ctx: Context, publicUrl: URL | undefined): Sessions {
  const auth = createAuth(ctx, publicUrl);

  return {
    async open(browser, accountId, passwordHash) {
      const { headers } = await attempt(() =>
        auth.api.openSession({ body: { accountId, passwordHash }, headers: toHeaders(browser), returnHeaders: true }),
      );
      return toCookies(headers);
    },

    async find(browser) {
      if (!browser.cookie) return undefined;
      const { headers, response } = await attempt(() => auth.api.getSession({ headers: toHeaders(browser), returnHeaders: true }));
      return response ? { ...toCookies(headers), accountId: response.user.id, sessionId: response.session.id } : undefined;
    },

    async list(browser) {
      const current = await this.find(browser);
      const sessions = await attempt(() => auth.api.listSessions({ headers: toHeaders(browser) }));
      return sessions.map((session) => ({
        id: session.id,
        createdAt: session.createdAt.toISOString(),
        lastUsedAt: session.updatedAt.toISOString(),
        address: session.ipAddress ?? null,
        userAgent: session.userAgent ?? null,
        current: session.id === current?.sessionId,
      }));
    },

    async end(browser, sessionId) {
      const headers = toHeaders(browser);
      const session = (await attempt(() => auth.api.listSessions({ headers }))).find(({ id }) => id === sessionId);
      if (!session) throw new AppError('not_found');
      await attempt(() => auth.api.revokeSession({ body: { token: session.token }, headers }));
    },

    async endOthers(browser) {
      await attempt(() => auth.api.revokeOtherSessions({ headers: toHeaders(browser) }));
    },

    async signOut(browser) {
      const { headers } = await attempt(() => auth.api.signOut({ headers: toHeaders(browser), returnHeaders: true }));
      return toCookies(headers);
    },
  };
}

function createAuth(ctx: Context, publicUrl: URL | undefined) {
  const secure = publicUrl?.protocol === 'https:';
  const options = {
    appName: 'PromptHarbor',
    baseURL: publicUrl?.origin ?? 'http://localhost',
    basePath: '/api/session',
    secret: ctx.keyring.sessionSecret,
    database: (authOptions: BetterAuthOptions) => watchFailures(ctx.store.sessions.adapter(authOptions)),
    user: { modelName: 'accounts', fields: { createdAt: 'created_at', updatedAt: 'updated_at' } },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'account_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      expiresIn: idleDays * 24 * 60 * 60,
      updateAge: 60 * 60,
      freshAge: 0,
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'id',
        accountId: 'id',
        providerId: 'provider_id',
        password: 'password_hash',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      cookies: {
        session_token: {
          // __Host- pins the cookie to this very host; browsers accept the prefix only with Secure.
          name: secure ? '__Host-promptharbor.session' : 'promptharbor.session',
          attributes: { secure, httpOnly: true, sameSite: 'lax', path: '/' },
        },
      },
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: ({ model }: { model: string }) => newId(model === 'session' ? 's' : 'v') },
    },
    plugins: [{ id: 'promptharbor', endpoints: { openSession } }],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  } satisfies BetterAuthOptions;
  return betterAuth(options);
}

const openSession = createAuthEndpoint.serverOnly(
  { method: 'POST', requireHeaders: true, metadata: { $Infer: { body: {} as { accountId: string; passwordHash: string | undefined } } } },
  async (request) => {
    const { accountId, passwordHash } = request.body;
    const { internalAdapter } = request.context;
    const user = await internalAdapter.findUserById(accountId);
    if (!user) throw new AppError('unauthorized');
    const session = await internalAdapter.createSession(accountId);
    // Looked at once the session exists: a new password that came since the old one was checked has ended all sessions but this.
    if (passwordHash !== undefined && (await internalAdapter.findAccounts(accountId))[0]?.password !== passwordHash) {
      await internalAdapter.deleteSession(session.token);
      throw new AppError('invalid_credentials');
    }
    await setSessionCookie(request, { session, user });
    return request.json({ status: true });
  },
);

/**
 * Better Auth takes some failures of its database for "not signed in". The store's own error is kept aside while a call
 * runs and wins over whatever Better Auth made of it, so that an outage never looks like a lost session.
 */
const failures = new AsyncLocalStorage<{ error?: unknown }>();

async function attempt<T>(call: () => Promise<T>): Promise<T> {
  const failure: { error?: unknown } = {};
  const result = await failures.run(failure, call).catch((err: unknown) => {
    throw failure.error ?? translate(err);
  });
  if (failure.error !== undefined) throw failure.error;
  return result;
}

function watchFailures<Adapter extends object>(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, property, receiver) {
      const member: unknown = Reflect.get(target, property, receiver);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]) => {
        try {
          return await Reflect.apply(member, target, args);
        } catch (err) {
          const failure = failures.getStore();
          if (failure) failure.error = err;
          throw err;
        }
      };
    },
  });
}

function translate(err: unknown): unknown {
  if (!(err instanceof APIError)) return err;
  return new AppError(err.statusCode === 401 ? 'unauthorized' : 'internal', { cause: err });
}

function toHeaders(browser: Browser): Headers {
  const headers = new Headers({ [addressHeader]: browser.address });
  if (browser.cookie) headers.set('cookie', browser.cookie);
  if (browser.userAgent) headers.set('user-agent', browser.userAgent.slice(0, 512));
  return headers;
}

function toCookies(headers: Headers | null | undefined): Cookies {
  return { cookies: headers?.getSetCookie() ?? [] };
}
