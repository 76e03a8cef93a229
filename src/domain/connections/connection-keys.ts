import type { ConnectionRecord } from '../../store/models/connections.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { secretOwners } from '../secrets/stored-secrets.ts';

const hintLength = 4;

type Connection = Pick<ConnectionRecord, 'id' | 'baseUrl'>;

export function sealConnectionKey(ctx: WithKeyring, accountId: string, { id, baseUrl }: Connection, key: string): ConnectionRecord['key'] {
  // Of a short key, the hint would be most of it.
  const hint = key.length >= 4 * hintLength ? key.slice(-hintLength) : '';
  return { cipher: ctx.keyring.seal(key, secretOwners.connection(accountId, id, baseUrl)), hint };
}

/** The key of a connection, or undefined if it has none. */
export function openConnectionKey(ctx: WithKeyring, accountId: string, { id, baseUrl, key }: ConnectionRecord): string | undefined {
  return key ? ctx.keyring.get(key.cipher, secretOwners.connection(accountId, id, baseUrl)) : undefined;
}
