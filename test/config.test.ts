import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { type Config, loadConfig } from '../src/config.ts';
import { StartError } from '../src/errors.ts';

const secret = 'x'.repeat(32);

function errorsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (err) {
    assert.ok(err instanceof StartError);
    const [title, ...problems] = err.message.split('\n');
    assert.equal(title, 'Invalid settings:');
    return problems.map((problem) => problem.trim());
  }
  return [];
}

describe('loadConfig', () => {
  const defaults: Config = {
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    primaryLeaseMs: 10_000,
    secretKey: undefined,
    secretKeyPrevious: undefined,
    publicUrl: undefined,
    registration: 'open',
    requiresVerifiedEmail: false,
    passwordSignIn: 'on',
    sessionTimes: { idleMs: 7 * 86_400_000, lifetimeMs: 30 * 86_400_000 },
    providers: [],
    trustProxy: false,
    logLevel: 'info',
    smtpUrl: undefined,
    rateLimitPerMinute: undefined,
    writeLimitPerMinute: 3000,
    metricsToken: undefined,
    quotas: { prompts: 20_000, versions: 200_000, contentBytes: 2 ** 30, members: 200, webhooks: 20, models: 20 },
    maxConnections: undefined,
    outboundAllow: [],
    backupDir: undefined,
    backupEveryMs: 86_400_000,
    activityRetentionDays: undefined,
    backupKeep: 7,
    drainMs: 0,
  };

  it('has a default for every setting that is missing, empty or blank', () => {
    const names = [
      'PORT',
      'HOST',
      'DATA_DIR',
      'DATABASE_URL',
      'SECRET_KEY',
      'PUBLIC_URL',
      'REGISTRATION',
      'TRUST_PROXY',
      'LOG_LEVEL',
      'SMTP_URL',
    ];
    for (const value of [undefined, '', '  ']) {
      const { ...config } = loadConfig(Object.fromEntries(names.map((name) => [name, value])));
      for (const [name, expected] of Object.entries(defaults)) assert.deepEqual(config[name as keyof Config], expected, name);
    }
  });

  const good: [string, string, Partial<Config>][] = [
    ['PORT', '0', { port: 0 }],
    ['PORT', ' 65535 ', { port: 65535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['HOST', 'harbor.internal', { host: 'harbor.internal' }],
    ['DATA_DIR', '/var/lib/x', { dataDir: '/var/lib/x' }],
    ['ACTIVITY_RETENTION', '31d', { activityRetentionDays: 31 }],
    ['ACTIVITY_RETENTION', '3650d', { activityRetentionDays: 3650 }],
    ['PRIMARY_LEASE_MS', '0', { primaryLeaseMs: 0 }],
    ['PRIMARY_LEASE_MS', '60000', { primaryLeaseMs: 60_000 }],
    ['SECRET_KEY', secret, { secretKey: secret }],
    ['SECRET_KEY', '🙂'.repeat(32), { secretKey: '🙂'.repeat(32) }],
    ['SECRET_KEY_PREVIOUS', secret, { secretKeyPrevious: secret }],
    ['PUBLIC_URL', 'https://prompts.example.com', { publicUrl: new URL('https://prompts.example.com') }],
    ['PUBLIC_URL', 'http://localhost:8080/', { publicUrl: new URL('http://localhost:8080') }],
    ['REGISTRATION', 'closed', { registration: 'closed' }],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1', { trustProxy: ['10.0.0.0/8', '::1'] }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
    ['SMTP_URL', 'smtps://user:pass@mail.example.com:465', { smtpUrl: 'smtps://user:pass@mail.example.com:465' }],
    ['RATE_LIMIT_PER_MINUTE', '1', { rateLimitPerMinute: 1 }],
    ['RATE_LIMIT_PER_MINUTE', '1000000', { rateLimitPerMinute: 1_000_000 }],
    ['WRITE_LIMIT_PER_MINUTE', '1', { writeLimitPerMinute: 1 }],
    ['WRITE_LIMIT_PER_MINUTE', 'off', { writeLimitPerMinute: Number.POSITIVE_INFINITY }],
    ['PUBLIC_URL', 'https://[::1]:3000', { publicUrl: new URL('https://[::1]:3000') }],
    ['MAX_CONNECTIONS', '10', { maxConnections: 10 }],
    ['MAX_CONNECTIONS', '1000000', { maxConnections: 1_000_000 }],
    ['OUTBOUND_ALLOW', 'localhost, 10.0.0.0/8,[::1]', { outboundAllow: ['localhost', '10.0.0.0/8', '::1'] }],
    ['OUTBOUND_ALLOW', 'my_model.internal', { outboundAllow: ['my_model.internal'] }],
    ['SMTP_URL', 'smtp://a%40b:%25@mail.example.com', { smtpUrl: 'smtp://a%40b:%25@mail.example.com' }],
    ['METRICS_TOKEN', 'x'.repeat(16), { metricsToken: 'x'.repeat(16) }],
    ['DRAIN_MS', '300000', { drainMs: 300_000 }],
    ['QUOTA_PROMPTS', '1', { quotas: { ...defaults.quotas, prompts: 1 } }],
    ['QUOTA_VERSIONS', 'unlimited', { quotas: { ...defaults.quotas, versions: Number.POSITIVE_INFINITY } }],
    ['QUOTA_MEMBERS', '5', { quotas: { ...defaults.quotas, members: 5 } }],
    ['QUOTA_CONTENT_MIB', '999999999', { quotas: { ...defaults.quotas, contentBytes: 999_999_999 * 2 ** 20 } }],
  ];
  for (const [name, value, expected] of good) {
    it(`accepts ${name}=${value.slice(0, 60)}`, () => {
      const config = loadConfig({ [name]: value });
      for (const [key, parsed] of Object.entries(expected)) assert.deepEqual(config[key as keyof Config], parsed);
    });
  }

  it('accepts a DATABASE_URL with one host or several', () => {
    for (const hosts of ['db', 'db:5433', 'db1,db2', 'db1:5432,db2:5433,[::1]:5434']) {
      const url = `postgres://user:p%40ss@${hosts}/harbor?target_session_attrs=read-write`;
      assert.equal(loadConfig({ DATABASE_URL: url, SECRET_KEY: secret }).databaseUrl, url);
    }
  });

  const bad: [string, string[]][] = [
    ['PORT', ['-1', '65536', '3000.5', '0x10', 'http', '1e3', '99999999999', '３０００']],
    ['HOST', ['http://localhost', 'a b', '[::1]', '127.0.0.1:3000', 'ä.example']],
    [
      'DATABASE_URL',
      [
        ...['mysql://localhost/x', 'localhost', 'postgres:/x', 'postgres://[bad', 'postgres://a,,b/x', 'postgres://a:1,b:x/y'],
        'postgres://a,b/x?target_session_attrs=standby',
      ],
    ],
    ['PRIMARY_LEASE_MS', ['-1', '1', '999', '60001', '10s']],
    ['SECRET_KEY', ['x', 'x'.repeat(31), '🙂'.repeat(16)]],
    ['SECRET_KEY_PREVIOUS', ['x'.repeat(31)]],
    [
      'PUBLIC_URL',
      [
        'prompts.example.com',
        'ftp://example.com',
        'https://example.com/path',
        'https://example.com/?x',
        'https://example.com/#x',
        'https://me@example.com',
        'https://x:pw@example.com',
        'https://:pw@example.com',
        'https://example.com/$(id)',
        'https://$(id).example.com',
        'https://`id`.example.com',
        "https://a';id;'.example.com",
        'https://example.com;id',
        'https://a b.example.com',
        'https://exämple.com',
        'https://example.com\\x',
        'https://example.com:99999',
        'https:example.com',
        'https:///example.com',
        'https://-example.com',
        'https://',
      ],
    ],
    ['REGISTRATION', ['yes', 'OPEN', 'true']],
    ['TRUST_PROXY', ['yes', '-1', '100', 'example.com', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.1,,10.0.0.2', '::1/129']],
    ['LOG_LEVEL', ['verbose', 'INFO', '30']],
    [
      'SMTP_URL',
      [
        'mail.example.com',
        'http://mail.example.com',
        'smtp://[bad',
        'smtp://',
        'smtp://user:100%@mail.example.com',
        'smtp://us%er:x@mail.example.com',
        'smtp://u:%ff@mail.example.com',
        'smtp://mail.example.com?from=nobody',
        'smtp://mail.example.com?from=a@b%0d%0aBcc:c@d',
      ],
    ],
    ['RATE_LIMIT_PER_MINUTE', ['0', '-1', 'off', '1000001', '1.5']],
    ['WRITE_LIMIT_PER_MINUTE', ['0', '-1', 'unlimited', '1000001', '1.5']],
    ['METRICS_TOKEN', ['x'.repeat(15)]],
    ['QUOTA_PROMPTS', ['0', '-1', '1.5', 'none', '1000000000']],
    ['QUOTA_VERSIONS', ['0', 'Infinity']],
    ['QUOTA_CONTENT_MIB', ['0', '1e3']],
    ['QUOTA_MEMBERS', ['0', '-1']],
    ['MAX_CONNECTIONS', ['0', '9', '-1', 'unlimited', '1000001']],
    ['OUTBOUND_ALLOW', ['*', 'http://localhost', 'localhost:11434', 'a,,b', '10.0.0.0/33', '10.0.0', 'a b']],
    ['BACKUP_EVERY', ['0m', '31d', '24', '1w', '-1h', '1.5h', '24 h', 'constructor']],
    ['BACKUP_KEEP', ['0', '-1', 'all', '10001']],
  ];
  for (const [name, values] of bad) {
    for (const value of values) {
      it(`refuses ${name}=${value} and says which values are allowed`, () => {
        const error = errorsOf({ SECRET_KEY: secret, [name]: value }).find((line) => line.startsWith(`${name}: expected `));
        assert.ok(error, value);
      });
    }
  }

  it('lists all errors at once, one line each', () => {
    const wrong = Object.fromEntries(bad.map(([name, [value = '']]) => [name, value]));
    assert.deepEqual(
      errorsOf(wrong).map((problem) => problem.split(':')[0]),
      [...Object.keys(wrong)].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
    );
  });
  const order = bad.map(([name]) => name);

  it('ASVS 13.3.1: does not repeat the value, which may be a secret', () => {
    for (const [name, value] of [
      ['SECRET_KEY', 'too-short-a-secret'],
      ['METRICS_TOKEN', 'too-short'],
      ['QUOTA_PROMPTS', 'many'],
      ['QUOTA_VERSIONS', '0'],
      ['QUOTA_CONTENT_MIB', '-5'],
      ['QUOTA_MEMBERS', 'nobody'],
      ['DATABASE_URL', 'mysql://user:password@localhost/x'],
    ] as const) {
      assert.ok(
        !errorsOf({ [name]: value })
          .join()
          .includes(value),
      );
    }
  });

  it('requires SECRET_KEY with DATABASE_URL, because instances share it', () => {
    assert.match(errorsOf({ DATABASE_URL: 'postgres://localhost/x' }).join(), /^SECRET_KEY: required with DATABASE_URL/);
    assert.deepEqual(errorsOf({ DATABASE_URL: 'postgresql://localhost/x', SECRET_KEY: secret }), []);
  });

  it('accepts durations for BACKUP_EVERY, and refuses BACKUP_DIR with DATABASE_URL, because nothing would be backed up', () => {
    for (const [text, ms] of [
      ['1m', 60_000],
      ['24h', 86_400_000],
      ['30d', 2_592_000_000],
    ] as const) {
      assert.equal(loadConfig({ BACKUP_EVERY: text }).backupEveryMs, ms);
    }
    const env = { DATABASE_URL: 'postgres://localhost/x', SECRET_KEY: secret, BACKUP_DIR: '/backups' };
    assert.match(errorsOf(env).join(), /^BACKUP_DIR: works only with the embedded database/);
  });
});
