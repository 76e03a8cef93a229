/** A common alternative in TypeScript: Better Auth's API-key plugin on SQLite, verifying one key per request. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';

const auth = betterAuth({
  database: new DatabaseSync(process.env.DATABASE_FILE ?? ''),
  secret: 'a secret for the bench, long enough',
  baseURL: 'http://127.0.0.1',
  emailAndPassword: { enabled: true },
  plugins: [apiKey({ rateLimit: { enabled: false } })],
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
