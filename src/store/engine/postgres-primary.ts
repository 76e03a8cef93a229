import type { ClientBase } from 'pg';
import { ReplicaError } from './postgres-errors.ts';

/**
 * Trusts a connection only for a limited time after its server proved that it is the primary. A server that was paused or cut off while
 * another server took over still responds with its old data, in which a reset key is still valid.
 */
export interface PrimaryLease {
  /** Asks the server for a new proof if the last proof is too old. Rejects if the server cannot give a proof. */
  renew(client: ClientBase): Promise<void>;
  /** Throws unless the data that the connection has just returned can be trusted. */
  assertHolds(client: ClientBase): void;
}

/** The share of the lease after which it is renewed, so that the lease still holds at the end of the longest query. */
const renewAfter = 0.3;

/** `leaseMs` must be shorter than the shortest time after which another server takes over. If it is 0, every server is trusted. */
export function createPrimaryLease(leaseMs: number): PrimaryLease {
  if (leaseMs === 0) return { renew: async () => undefined, assertHolds: () => undefined };
  // These times do not come from Date.now(), because the clock may be set back.
  const provedAt = new WeakMap<ClientBase, number>();
  const ageOf = (client: ClientBase) => performance.now() - (provedAt.get(client) ?? Number.NEGATIVE_INFINITY);
  return {
    async renew(client) {
      if (ageOf(client) < leaseMs * renewAfter) return;
      const started = performance.now();
      await provePrimary(client);
      provedAt.set(client, started);
    },
    assertHolds(client) {
      if (ageOf(client) >= leaseMs) throw new ReplicaError('The server did not prove in time that it is still the primary');
    },
  };
}

/**
 * Resolves if the server is the primary. Otherwise, rejects or never resolves. With synchronous replication, only a write is proof, because
 * standbys acknowledge only the writes of the primary that they follow. Without synchronous standbys, no other server can take over
 * unnoticed.
 */
export async function provePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isReplica: boolean; standbys: string | null }>(
    `select pg_is_in_recovery() as "isReplica", current_setting('synchronous_standby_names', true) as standbys`,
  );
  if (rows[0]?.isReplica !== false) throw new ReplicaError('The server is a read-only replica');
  if (rows[0].standbys) await writeToStandbys(client);
}

/**
 * Commits a transaction without data. If someone cancels the wait for the standbys, the wait ends with a warning, and the commit proves
 * nothing.
 */
async function writeToStandbys(client: ClientBase): Promise<void> {
  let isCanceled = false;
  const onNotice = () => {
    isCanceled = true;
  };
  client.on('notice', onNotice);
  try {
    await client.query(`begin; set local synchronous_commit = on; select pg_logical_emit_message(true, 'promptharbor', ''); commit`);
  } finally {
    client.off('notice', onNotice);
  }
  if (isCanceled) throw new ReplicaError('The standbys did not acknowledge a write');
}
