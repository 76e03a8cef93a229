import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GitPullRequestArrow } from 'lucide-react';
import { Notice } from '../editor/drafts/Notices.tsx';
import type { Candidate } from '../lib/types.ts';
import { titleProposal } from '../proposals/proposal.ts';
import { openProposalsQuery } from './queries.ts';

/** Links to the open proposals that would apply a candidate, because a change to the candidate ends their approvals. */
export function OpenProposals({ candidate: { id, name } }: { candidate: Candidate }) {
  const { data = [] } = useQuery(openProposalsQuery(name));
  const proposals = data.filter(({ changes }) => changes.some(({ candidate }) => candidate?.id === id));
  if (proposals.length === 0) return null;
  return (
    <Notice tone="neutral">
      <GitPullRequestArrow aria-hidden className="size-4 shrink-0" />
      <span className="wrap-anywhere">
        Proposed:{' '}
        {proposals.map((proposal, index) => (
          <span key={proposal.id}>
            {index > 0 && ', '}
            <Link
              to="/dashboard/proposals/$id"
              params={{ id: proposal.id }}
              className="rounded-sm font-medium text-accent-ink underline underline-offset-3"
            >
              {titleProposal(proposal)}
            </Link>
          </span>
        ))}
        . If the candidate changes, new approvals are needed.
      </span>
    </Notice>
  );
}
