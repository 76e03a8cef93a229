/**
 * A common alternative in TypeScript: Better Auth's API-key plugin, verifying one key per request. On SQLite, the plugin writes to the
 * key's row on each verification, and no setting turns that off. With IN_MEMORY, the plugin keeps the keys in memory and writes nothing to
 * disk.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { apiKey } from '@better-auth/api-key';
import { betterAuth, type SecondaryStorage } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';

const database = new DatabaseSync(process.env.DATABASE_FILE ?? '');
database.exec('pragma journal_mode = wal; pragma synchronous = normal');
const memory = new Map<string, string>();
const secondaryStorage: SecondaryStorage = {
  get: (key) => memory.get(key) ?? null,
  getAndDelete(key) {
    const value = memory.get(key) ?? null;
    memory.delete(key);
    return value;
  },
  increment(key) {
    const count = Number(memory.get(key) ?? 0) + 1;
    memory.set(key, String(count));
    return count;
  },
  set: (key, value) => void memory.set(key, value),
  delete: (key) => void memory.delete(key),
};
const inMemory = process.env.IN_MEMORY !== undefined;
const auth = betterAuth({
  database,
  ...(inMemory && { secondaryStorage }),
  secret: 'a secret for the bench, long enough',
  baseURL: 'http://127.0.0.1',
  emailAndPassword: { enabled: true },
  plugins: [apiKey({ rateLimit: { enabled: false }, ...(inMemory && { storage: 'secondary-storage', deferUpdates: true }) })],
});
await (await getMigrations(auth.options)).runMigrations();
const { user } = await auth.api.signUpEmail({ body: { email: 'bench@example.com', password: 'a long enough password', name: 'Bench' } });
const keys: string[] = [];
for (let count = 0; count < 100; count += 1) keys.push((await auth.api.createApiKey({ body: { userId: user.id } })).key);
writeFileSync(process.env.KEYS_FILE ?? '', keys.join('\n'));

createServer(async (req, res) => {
  const key = req.headers.authorization?.slice('Bearer '.length);
  const result = key ? await auth.api.verifyApiKey({ body: { key } }) : undefined;
  res.writeHead(result?.valid || req.url === '/healthz' ? 200 : 401, { 'content-type': 'application/json' });
  res.end(JSON.stringify({ id: result?.key?.id }));
}).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
