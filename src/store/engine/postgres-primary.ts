import type { ClientBase } from 'pg';
import { ReplicaError } from './postgres-errors.ts';

/**
 * Believes a connection only for a while after its server has proved that it is the primary. A server that was paused or cut off while
 * another one took over still answers from its old data, in which a key that was reset meanwhile is valid.
 */
export interface PrimaryLease {
  /** Proves it again if the last proof is no longer new. Rejects if the server cannot. */
  renew(client: ClientBase): Promise<void>;
  /** Throws unless what the connection has just returned can be believed. */
  assertHolds(client: ClientBase): void;
}

/** Renewed well before it ends, so that it still holds at the end of a query that takes as long as one may. */
const renewAfter = 0.3;

/** `leaseMs` has to be shorter than the time after which another server takes over at the earliest. 0: every server is believed. */
export function createPrimaryLease(leaseMs: number): PrimaryLease {
  if (leaseMs === 0) return { renew: async () => undefined, assertHolds: () => undefined };
  // Not Date.now(), which may be set back.
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
      if (ageOf(client) >= leaseMs) throw new ReplicaError('The server has not proved in time that it still is the primary');
    },
  };
}

/**
 * Rejects, or never resolves, unless the server is the primary. Where it replicates synchronously, only a write proves that: standbys
 * acknowledge those of the primary that they follow, and of no other. Without synchronous standbys nobody takes over unnoticed.
 */
export async function provePrimary(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isReplica: boolean; standbys: string | null }>(
    `select pg_is_in_recovery() as "isReplica", current_setting('synchronous_standby_names', true) as standbys`,
  );
  if (rows[0]?.isReplica !== false) throw new ReplicaError('The server is a read-only replica');
  if (rows[0].standbys) await writeToStandbys(client);
}

/** A commit without data. Its wait for the standbys ends early, with a warning, if somebody cancels it: then nothing is proved. */
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
  if (isCanceled) throw new ReplicaError('The standbys have not acknowledged a write');
}
