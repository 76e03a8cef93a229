import type { Role } from '../../contract/roles.ts';
import type { CandidateFacts } from '../../store/prompts/candidates.ts';
import type { PromptStores, PromptTransaction } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ProposalRecord, ReviewRecord, StoredChange } from '../../store/prompts/proposals.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import { digestOf } from '../cases/cases.ts';
import { versionsOf } from '../releases/release-choice.ts';
import { findPins, type ListPins } from './proposal-pins.ts';

/** The stores that are read to find the state of a proposal. */
export type StateStores = Pick<PromptStores, 'prompts' | 'labels' | 'candidates' | 'releases' | 'cases' | 'versions' | 'references'> &
  Pick<PromptTransaction, 'memberships'>;

/** The rules of labels, as they are now. */
export type Rules = Pick<PromptTransaction, 'labelRules' | 'gatedLabels' | 'protectedLabels'>;

/** A proposal as it is stored. */
export interface StoredProposal {
  record: ProposalRecord;
  reviews: ReviewRecord[];
}

/** Everything on which the approvals of a set of proposals depend. */
export interface ProposalFacts {
  prompts: Map<string, PromptRecord>;
  labels: Map<string, Map<string, number>>;
  candidates: Map<string, CandidateFacts>;
  /** The active releases by `keyOf`. */
  releases: Map<string, ReleaseRecord>;
  /** The digests of the test cases of prompts with a gated label. */
  cases: Map<string, string>;
  /** The people who contributed to versions that are not deleted, by `keyOf`. */
  authors: Map<string, string[]>;
  /** The people who have received the keys of service accounts. */
  keyHolders: Map<string, string[]>;
  roles: Map<string, Role>;
  /** Lists what the proposed contents include by version number. */
  listPins: ListPins;
}

export const keyOf = (promptId: string, part: string | number) => `${promptId} ${part}`;

/**
 * Reads the facts about all proposals of one workspace with a fixed number of queries. For ended proposals, only names and labels are read.
 */
export async function findFacts(
  stores: StateStores,
  { gatedLabels }: Pick<Rules, 'gatedLabels'>,
  { accountId, proposals }: { accountId: string; proposals: StoredProposal[] },
): Promise<ProposalFacts> {
  const idsOf = (changes: StoredChange[]) => [...new Set(changes.map(({ promptId }) => promptId))];
  const all = proposals.flatMap(({ record }) => record.changes);
  const open = proposals.filter(({ record }) => record.state === 'open');
  const changes = open.flatMap(({ record }) => record.changes);
  const promptIds = idsOf(all);
  const prompts = new Map((await stores.prompts.listById(accountId, promptIds)).map((prompt) => [prompt.id, prompt]));
  const labels = await stores.labels.listOf(accountId, promptIds);
  const proposed = all.flatMap(({ promptId, candidate }) => (candidate === undefined ? [] : [{ promptId, id: candidate }]));
  const candidates = await stores.candidates.listGiven(accountId, proposed);
  const releases = await stores.releases.listActive(accountId, idsOf(changes));
  const gated = idsOf(changes.filter(({ label }) => gatedLabels.includes(label)));
  const cases = await stores.cases.listDigestsOf(accountId, gated);
  const versions = new Map(
    changes.flatMap((change) =>
      versionsToApprove(change, labels.get(change.promptId)?.get(change.label)).map((version) => [
        keyOf(change.promptId, version),
        { promptId: change.promptId, version },
      ]),
    ),
  );
  const authors = await stores.versions.listAuthors(accountId, [...versions.values()]);
  const approvers = open.flatMap(({ reviews }) => reviews.filter(({ verdict }) => verdict === 'approve').map(({ by }) => by.userId));
  const contributors = [...authors, ...candidates.values()].flatMap(({ authors }) => authors);
  return {
    ...{ prompts, labels, candidates },
    releases: new Map(releases.map((release) => [keyOf(release.promptId, release.label), release])),
    cases: new Map([...cases].map(([id, digests]) => [id, digestOf(digests)])),
    authors: new Map(authors.map((version) => [keyOf(version.promptId, version.version), version.authors])),
    keyHolders: await findKeyHolders(stores, accountId, [...contributors, ...open.map(({ record }) => record.openedBy.userId)]),
    // The owner of an account's own workspace has no membership.
    listPins: await findPins(stores, accountId, {
      versions: [...versions.values()],
      candidates: changes.flatMap(({ candidate }) => candidates.get(candidate ?? '') ?? []),
    }),
    roles: (await stores.memberships.findRoles(accountId, [...new Set(approvers)])).set(accountId, 'owner'),
  };
}

/** Lists the versions that would become live. The control of a release is already live, unless the label points at another version. */
export function versionsToApprove({ version, release }: StoredChange, from: number | undefined): number[] {
  if (release) return versionsOf(release).filter((number) => number !== from);
  return version === undefined ? [] : [version];
}

/** Finds the people behind service accounts. A service account may also have received the key of another service account. */
async function findKeyHolders(
  { memberships }: Pick<StateStores, 'memberships'>,
  accountId: string,
  ids: string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  let next = [...new Set(ids)];
  while (next.length > 0) {
    const holders = await memberships.findKeyHolders(accountId, next);
    for (const [id, people] of holders) found.set(id, people);
    next = [...new Set([...holders.values()].flat())].filter((id) => !found.has(id));
  }
  return found;
}
