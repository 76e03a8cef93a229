import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FileQuestion } from 'lucide-react';
import { ApiError } from '../../../client/src/errors.ts';
import { Discussion } from '../comments/Discussion.tsx';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Proposal } from '../lib/types.ts';
import { membersQuery } from '../members/queries.ts';
import { Badge } from '../ui/Badge.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ChangeCard } from './ChangeCard.tsx';
import { ProposalActions } from './ProposalActions.tsx';
import { changesOf, explainState, states, titleProposal } from './proposal.ts';
import { proposalQuery } from './queries.ts';
import { ReviewList } from './ReviewList.tsx';
import { RollBack } from './RollBack.tsx';

/** Shows everything that a reviewer needs to decide about a proposal. */
export function ProposalPage() {
  const { id } = useParams({ from: '/dashboard/proposals/$id' });
  const proposal = useQuery(proposalQuery(id));
  if (proposal.data) return <LoadedProposal proposal={proposal.data} />;
  if (proposal.isPending) return <Loading label="Loading proposal" rows={8} className="mx-auto max-w-6xl px-4 py-8 sm:px-8" />;
  if (proposal.error instanceof ApiError && proposal.error.status === 404) {
    return (
      <Page title="Proposal not found">
        <EmptyState icon={FileQuestion} title="No such proposal">
          It may belong to another workspace. <AllProposals />
        </EmptyState>
      </Page>
    );
  }
  return <Problem error={proposal.error} onRetry={() => proposal.refetch()} />;
}

function LoadedProposal({ proposal }: { proposal: Proposal }) {
  const { state, message, openedBy, openedAt, problem } = proposal;
  const { text, tone } = states[state];
  const title = titleProposal(proposal);
  const rest = message.trim().split('\n').slice(1).join('\n').trim();
  return (
    <Page title={title} actions={<Badge tone={tone}>{text}</Badge>} description={<AllProposals />}>
      <div className="space-y-6">
        <div className="space-y-2">
          <p className="text-ink-2">
            {openedBy.name} opened this proposal{' '}
            <time dateTime={openedAt} title={formatDateTime(openedAt)}>
              {formatAgo(openedAt)}
            </time>
            . <Reviewers ids={proposal.reviewers} />
          </p>
          {rest !== '' && (
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {rest}
            </p>
          )}
          <p role="status" className="font-medium">
            {explainState(proposal)}
          </p>
          {problem !== null && (
            <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-warn wrap-anywhere">
              The service could not apply this proposal at its scheduled time: {problem}
            </p>
          )}
        </div>
        <ProposalActions proposal={proposal} />
        <RollBack proposal={proposal} />
        {changesOf(proposal).map((change) => (
          <ChangeCard key={`${change.prompt.id} ${change.label}`} proposal={proposal} change={change} />
        ))}
        <ReviewList reviews={proposal.reviews} />
        <Discussion proposal={proposal.id} />
      </div>
    </Page>
  );
}

function AllProposals() {
  return (
    <Link to="/dashboard/proposals" className="rounded-sm font-medium text-accent-ink underline underline-offset-3">
      All proposals
    </Link>
  );
}

function Reviewers({ ids }: { ids: string[] }) {
  const { data } = useQuery({ ...membersQuery, enabled: ids.length > 0 });
  const names = ids.flatMap((id) => data?.members.find(({ userId }) => userId === id)?.name ?? []);
  return names.length > 0 && `Asked for a review: ${list.format(names)}.`;
}

const list = new Intl.ListFormat('en');
