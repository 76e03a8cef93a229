import { call, type TestAccount } from '../client.ts';
import { request, type Target, type Writer } from './writer.ts';

/** The number of former keys that are tried again after each restart. */
const remembered = 5;

/** Resets an account's key. After a restart, exactly one key must be valid. */
export function createKeyWriter({ email, password, token }: TestAccount): Writer {
  let current = token;
  let dead: string[] = [];
  const replaceBy = (key: string) => {
    dead = [...dead, current].slice(-remembered);
    current = key;
  };
  const isAccepted = async (target: Target, key: string) => (await call(target, 'GET', '/api/auth/token', { key })).status === 200;

  return {
    kind: 'keys',
    async write(target) {
      replaceBy(((await request(target, 'DELETE', '/api/auth/token', { key: current })).body as { token: string }).token);
    },
    async verify(target) {
      const login = await request(target, 'POST', '/api/auth/token', { body: { email, password } });
      const { token: stored } = login.body as { token: string };
      if (dead.includes(stored)) return ['keys: a reset is lost'];
      // If the stored key is another one, the reset whose response was lost has taken effect.
      if (stored !== current) replaceBy(stored);
      const problems: string[] = [];
      if (!(await isAccepted(target, current))) problems.push('keys: the key of the account is refused');
      for (const key of dead) if (await isAccepted(target, key)) problems.push('keys: two keys are accepted');
      return problems;
    },
  };
}
