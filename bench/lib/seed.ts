import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { newKey } from '../../src/domain/accounts/keys.ts';
import { hashPassword } from '../../src/domain/accounts/passwords.ts';
import { toKeyActor } from '../../src/domain/actor.ts';
import { newId } from '../../src/domain/ids.ts';
import { createPrompt } from '../../src/domain/prompts/prompts.ts';
import { closeContext, openContext } from '../../src/service.ts';
import { digestKey } from '../../src/store/accounts/key-digest.ts';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';

/** A database with accounts and a file with their keys. */
export interface Seeded {
  env: Record<string, string>;
  keysFile: string;
  firstKey: string;
  firstId: string;
  remove(): void;
}

export const password = 'a password for the bench';
export const emailOf = (index: number) => `bench${index}@example.com`;

interface SeedOptions {
  accounts: number;
  prompts: number;
  /** Whether all accounts are members of the first one's workspace. */
  members?: boolean;
  env?: Record<string, string>;
}

/**
 * Fills a new embedded database, or the PostgreSQL of `env`. The first 100 accounts get prompts, or only the first one if there are many
 * prompts.
 */
export async function seed(options: SeedOptions): Promise<Seeded> {
  const dir = mkdtempSync(join(tmpdir(), 'promptharbor-bench-'));
  const env = { DATA_DIR: dir, LOG_LEVEL: 'info', WRITE_LIMIT_PER_MINUTE: 'off', ...options.env };
  const logger = pino({ level: 'silent' });
  const keys = Array.from({ length: options.accounts }, newKey);
  const passwordHash = await hashPassword(password);

  const ctx = await openContext(loadConfig(env), logger);
  const rows = keys.map((key, index) => {
    const id = newId('u');
    return {
      id,
      email: emailOf(index),
      name: `Bench ${index}`,
      passwordHash,
      keyDigest: digestKey(key),
      keyCipher: ctx.keyring.seal(key, id),
    };
  });
  const isBulk = options.accounts > 1000 && !options.env?.DATABASE_URL;
  if (!isBulk) {
    for (const row of rows) await ctx.store.accounts.insert(row);
    for (const { id } of rows.slice(0, options.prompts > 1000 ? 1 : 100)) await addPrompts(ctx, id, options.prompts);
  }
  const [first, ...others] = rows;
  if (options.members && first) for (const { id } of others) await ctx.store.memberships.put(first.id, id, 'viewer');
  await closeContext(ctx);
  if (isBulk) insertAll(sqliteFileIn(dir), rows);

  const keysFile = join(dir, 'keys');
  // If only the first account has prompts, only its key is used.
  writeFileSync(keysFile, (options.prompts > 1000 ? keys.slice(0, 1) : keys).join('\n'));
  return { env, keysFile, firstKey: keys[0] ?? '', firstId: first?.id ?? '', remove: () => rmSync(dir, { recursive: true, force: true }) };
}

async function addPrompts(ctx: Parameters<typeof createPrompt>[0], accountId: string, count: number): Promise<void> {
  const actor = toKeyActor({ id: accountId, email: '', name: '', revision: 0, keySerial: 1, emailVerifiedAt: null }, '');
  for (let index = 0; index < count; index += 1) {
    await createPrompt(ctx, actor, {
      name: `folder-${index % 10}/prompt-${String(index).padStart(5, '0')}`,
      template: 'You help {{ customer }} with {{ request }}. Answer in {{ language | default: "English" }}, in at most three sentences.',
      description: 'Answers a customer',
      tags: ['bench'],
      config: { model: 'some-model', temperature: 0.2 },
    });
  }
}

/** Inserts rows without the store, which would use one transaction per account. */
function insertAll(
  file: string,
  rows: { id: string; email: string; name: string; passwordHash: string; keyDigest: string; keyCipher: string }[],
): void {
  const now = new Date().toISOString();
  const db = new DatabaseSync(file);
  db.exec('begin');
  const insert = db.prepare(
    'insert into accounts (id, email, name, password_hash, key_digest, key_cipher, key_created_at, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const row of rows) insert.run(row.id, row.email, row.name, row.passwordHash, row.keyDigest, row.keyCipher, now, now, now);
  db.exec('commit');
  db.close();
}
