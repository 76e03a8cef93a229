import { proposalExpiryDays } from '../../contract/limits.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import { tellProposal } from './proposal-events.ts';
import { inspectProposal } from './proposal-state.ts';

const dayMs = 24 * 60 * 60 * 1000;
const batchSize = 20;

/** Ends a batch of proposals that have been inactive for a long time. Returns the number of proposals that were ended. */
export async function expireProposals({ store }: WithStore, now: Date): Promise<number> {
  const before = new Date(now.getTime() - proposalExpiryDays * dayMs).toISOString();
  const idle = await store.proposals.listIdle(before, batchSize);
  let count = 0;
  for (const { accountId, id } of idle) {
    const isExpired = await store
      .changePrompts(accountId, async (stores) => {
        const record = await stores.proposals.find(accountId, id);
        // A person or another instance may have changed the proposal in the meantime.
        if (record?.state !== 'open' || record.updatedAt >= before) return false;
        const expired = { ...record, state: 'expired', endedAt: now.toISOString(), updatedAt: now.toISOString() } as const;
        await stores.proposals.update(expired);
        tellProposal(stores, undefined, await inspectProposal(stores, stores, { record: expired, reviews: [] }), {
          type: 'proposal.expired',
        });
        return true;
      })
      .catch(ignoreDeletedAccount);
    if (isExpired) count += 1;
  }
  return count;
}

function ignoreDeletedAccount(err: unknown): undefined {
  if (!(err instanceof AppError) || err.code !== 'unauthorized') throw err;
}
