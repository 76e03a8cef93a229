import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parsePostgresUrl } from './database-url.ts';
import { StartError } from './errors.ts';
import { tryTo } from './platform/try-to.ts';
import { isLoopback, loadProviders, parsePasswordSignIn } from './sign-in-settings.ts';

export type Config = ReturnType<typeof loadConfig>;

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

type Environment = Record<string, string | undefined>;

/** Reads all settings from the environment. Throws one error that lists every invalid setting. */
export function loadConfig(env: Environment = process.env) {
  const problems: string[] = [];

  /** Returns the default if the variable is unset or empty. Records a problem if its value cannot be parsed. */
  function read<const T>(name: string, fallback: T, expected: string, parse: (value: string) => T | undefined): T {
    const value = env[name]?.trim();
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name}: expected ${expected}`);
    return parsed ?? fallback;
  }

  const secret = '32 characters or more, for example from `openssl rand -hex 32`';
  const quota = 'a whole number from 1 to 999999999, or unlimited';
  const config = {
    port: read('PORT', 3000, 'a port from 0 to 65535', integerBetween(0, 65535)),
    host: read('HOST', '127.0.0.1', 'an IP address or host name to listen on', parseHost),
    dataDir: resolve(read('DATA_DIR', './data', 'a folder', (value) => value)),
    databaseUrl: read(
      'DATABASE_URL',
      undefined,
      'a URL that starts with postgres:// and names one or more hosts, such as postgres://user:password@db1,db2/harbor',
      parsePostgresUrl,
    ),
    /** The time for which a PostgreSQL server counts as the primary after it proved to be the primary. 0 means that no proof is needed. */
    primaryLeaseMs: read('PRIMARY_LEASE_MS', 10_000, 'a whole number from 1000 to 60000, or 0 for none', parseLease),
    secretKey: read('SECRET_KEY', undefined, secret, parseSecret),
    secretKeyPrevious: read('SECRET_KEY_PREVIOUS', undefined, secret, parseSecret),
    publicUrl: read('PUBLIC_URL', undefined, 'a URL such as https://prompts.example.com, without a path', parseOrigin),
    registration: read('REGISTRATION', 'open', 'open or closed', oneOf('open', 'closed')),
    requiresVerifiedEmail: read('REQUIRE_VERIFIED_EMAIL', 'false', 'true or false', oneOf('true', 'false')) === 'true',
    passwordSignIn: read(
      'PASSWORD_SIGN_IN',
      'on',
      'on, off, or the email addresses that may use a password, separated by commas',
      parsePasswordSignIn,
    ),
    /** The times after which a browser session expires: the time without use, and the time since the sign-in. */
    sessionTimes: {
      idleMs: read(
        'SESSION_IDLE_TIMEOUT',
        7 * dayMs,
        'a duration from 5m to 90d, such as 30m, 12h or 7d',
        timeBetween(5 * minuteMs, 90 * dayMs),
      ),
      lifetimeMs: read(
        'SESSION_LIFETIME',
        30 * dayMs,
        'a duration from 5m to 365d, such as 12h or 30d',
        timeBetween(5 * minuteMs, 365 * dayMs),
      ),
    },
    trustProxy: read('TRUST_PROXY', false, 'true, false, a number of proxies, or their addresses separated by commas', parseTrustProxy),
    logLevel: read(
      'LOG_LEVEL',
      'info',
      'fatal, error, warn, info, debug, trace or silent',
      oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    ),
    smtpUrl: read(
      'SMTP_URL',
      undefined,
      'a URL such as smtps://user:password@mail.example.com, with special characters in user and password percent-encoded',
      parseSmtpUrl,
    ),
    rateLimitPerMinute: read('RATE_LIMIT_PER_MINUTE', undefined, 'a whole number from 1 to 1000000', integerBetween(1, 1_000_000)),
    /** The maximum number of changes per account and minute. Infinity means that there is no limit. */
    writeLimitPerMinute: read('WRITE_LIMIT_PER_MINUTE', 3000, 'a whole number from 1 to 1000000, or off', parseWriteLimit),
    metricsToken: read('METRICS_TOKEN', undefined, '16 characters or more', (value) => (value.length >= 16 ? value : undefined)),
    /** The maximum amounts that one workspace may have. Infinity means that there is no limit. */
    quotas: {
      prompts: read('QUOTA_PROMPTS', 20_000, quota, parseQuota),
      versions: read('QUOTA_VERSIONS', 200_000, quota, parseQuota),
      contentBytes: read('QUOTA_CONTENT_MIB', 1024, quota, parseQuota) * 1024 * 1024,
      members: read('QUOTA_MEMBERS', 200, quota, parseQuota),
      webhooks: read('QUOTA_WEBHOOKS', 20, quota, parseQuota),
      models: read('QUOTA_MODELS', 20, quota, parseQuota),
    },
    /** The maximum number of open connections. If undefined, the limit depends on the number of files that the process may open. */
    maxConnections: read('MAX_CONNECTIONS', undefined, 'a whole number from 10 to 1000000', integerBetween(10, 1_000_000)),
    /** The host names, addresses and networks to which webhooks, model connections and sign-ins may send requests although they are not public. */
    outboundAllow: read('OUTBOUND_ALLOW', [], 'host names, addresses or networks, separated by commas', parseOutboundAllow),
    /** The time for which a stopping service still serves requests, while load balancers learn that it is not ready. */
    drainMs: read('DRAIN_MS', 0, 'a whole number from 0 to 300000', integerBetween(0, 300_000)),
    /** The folder for snapshots of the embedded database. If undefined, no snapshots are made. */
    backupDir: read('BACKUP_DIR', undefined, 'a folder', (value) => resolve(value)),
    backupEveryMs: read('BACKUP_EVERY', dayMs, 'a duration from 1m to 30d, such as 30m, 24h or 7d', timeBetween(minuteMs, 30 * dayMs)),
    /** The number of days for which history and activity are kept. If undefined, the default rules apply. */
    activityRetentionDays: read('ACTIVITY_RETENTION', undefined, 'a number of days from 31d to 3650d, such as 365d', parseDays),
    backupKeep: read('BACKUP_KEEP', 7, 'a whole number from 1 to 10000', integerBetween(1, 10_000)),
  };

  const providers = loadProviders(env, config.registration, problems);
  if (
    providers.length > 0 &&
    !config.publicUrl &&
    !isLoopback(new URL(`http://${isIP(config.host) === 6 ? `[${config.host}]` : config.host}`))
  ) {
    problems.push('PUBLIC_URL: required with OpenID Connect, because the provider sends browsers back to it');
  }
  if (config.passwordSignIn !== 'on' && config.passwordSignIn.length === 0 && providers.length === 0) {
    problems.push('PASSWORD_SIGN_IN: off requires a provider (OIDC_ISSUER or OIDC_FILE), because otherwise nobody could sign in');
  }
  if (config.databaseUrl && !config.secretKey) {
    problems.push(`SECRET_KEY: required with DATABASE_URL and the same on every instance; expected ${secret}`);
  }
  if (config.requiresVerifiedEmail && !config.smtpUrl) {
    problems.push('REQUIRE_VERIFIED_EMAIL: requires SMTP_URL, because the service verifies an address with an email');
  }
  if (config.databaseUrl && config.backupDir) {
    problems.push('BACKUP_DIR: works only with the embedded database. Back up PostgreSQL with its own tools, see docs/running.md');
  }
  if (problems.length > 0) throw new StartError(`Invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  return { ...config, providers };
}

function integerBetween(min: number, max: number) {
  return (value: string) => (/^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined);
}

function timeBetween(minMs: number, maxMs: number) {
  return (value: string): number | undefined => {
    const [, count, unit = ''] = /^(\d{1,5})(m|h|d)$/.exec(value) ?? [];
    const ms = Number(count) * { m: minuteMs, h: 60 * minuteMs, d: dayMs }[unit as 'm' | 'h' | 'd'];
    return ms >= minMs && ms <= maxMs ? ms : undefined;
  };
}

function parseDays(value: string): number | undefined {
  const [, days = ''] = /^(\d{1,4})d$/.exec(value) ?? [];
  return integerBetween(31, 3650)(days);
}

function parseLease(value: string): number | undefined {
  return value === '0' ? 0 : integerBetween(1000, 60_000)(value);
}

function parseWriteLimit(value: string): number | undefined {
  return value === 'off' ? Number.POSITIVE_INFINITY : integerBetween(1, 1_000_000)(value);
}

function parseQuota(value: string): number | undefined {
  return value === 'unlimited' ? Number.POSITIVE_INFINITY : integerBetween(1, 999_999_999)(value);
}

function oneOf<const T extends string>(...choices: T[]) {
  return (value: string) => choices.find((choice) => choice === value);
}

function parseHost(value: string): string | undefined {
  return isIP(value) || /^[a-zA-Z0-9.-]{1,253}$/.test(value) ? value : undefined;
}

function parseSecret(value: string): string | undefined {
  return [...value].length >= 32 ? value : undefined;
}

/**
 * Checks the original text and not only the parsed URL, because the text is used in shell commands, emails and headers, and the URL parser
 * accepts more than a host.
 */
function parseOrigin(value: string): URL | undefined {
  const isPlain = /^https?:\/\/([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?\/?$/i.test(value);
  return isPlain ? (URL.parse(value) ?? undefined) : undefined;
}

function parseSmtpUrl(value: string): string | undefined {
  const url = /^smtps?:\/\//.test(value) ? URL.parse(value) : null;
  if (!url?.hostname || !isEncoded(url.username) || !isEncoded(url.password)) return undefined;
  const from = url.searchParams.get('from');
  return from === null || /^[^\s<>,@]+@[^\s<>,@]+$/.test(from) ? value : undefined;
}

/** Returns whether every `%` begins an encoded character. A password that was copied into a URL often breaks this rule. */
function isEncoded(text: string): boolean {
  return tryTo(() => decodeURIComponent(text)) !== undefined;
}

function parseTrustProxy(value: string): boolean | number | string[] | undefined {
  if (value === 'true' || value === 'false') return value === 'true';
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const addresses = value.split(',').map((part) => part.trim());
  return addresses.every(isAddressOrRange) ? addresses : undefined;
}

function parseOutboundAllow(value: string): string[] | undefined {
  const entries = value.split(',').map((part) => part.trim().replace(/^\[(.*)\]$/, '$1'));
  const isName = (entry: string) => /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_.])?$/i.test(entry) && !/^[\d.]+$/.test(entry);
  return entries.every((entry) => isAddressOrRange(entry) || isName(entry)) ? entries : undefined;
}

function isAddressOrRange(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
