import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { GitPullRequestArrow } from 'lucide-react';
import { useWorkspace } from '../lib/workspace.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Page } from '../ui/Page.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { ProposalRow } from './ProposalRow.tsx';
import { type ProposalFilter, proposalsQuery } from './queries.ts';

const filters = [
  { value: 'waiting', label: 'Waiting for me' },
  { value: 'open', label: 'Open' },
  { value: 'ended', label: 'Ended' },
] as const;

/** The proposals of the workspace, starting with the proposals that wait for the user. */
export function ProposalsPage() {
  const { show = 'waiting' } = useSearch({ from: '/dashboard/proposals' });
  const navigate = useNavigate();
  const choose = (value: ProposalFilter) => navigate({ to: '/dashboard/proposals', search: value === 'waiting' ? {} : { show: value } });
  return (
    <Page title="Proposals" description="Label moves that other people review before they happen.">
      <div className="mb-4">
        <Segmented label="Which proposals" value={show} options={filters} onChange={choose} />
      </div>
      <ProposalList filter={show} />
    </Page>
  );
}

function ProposalList({ filter }: { filter: ProposalFilter }) {
  const list = useInfiniteQuery(proposalsQuery(filter));
  if (list.isPending) return <Loading label="Loading proposals" />;
  if (list.isError) return <Problem error={list.error} onRetry={() => list.refetch()} />;
  const proposals = list.data.pages.flatMap(({ data }) => data);
  if (proposals.length === 0) {
    return (
      <EmptyState icon={GitPullRequestArrow} title={empty[filter].title}>
        {empty[filter].text} {filter !== 'ended' && <HowToPropose />}
      </EmptyState>
    );
  }
  return (
    <>
      <Card>
        <ul aria-label="Proposals" className="divide-y divide-line">
          {proposals.map((proposal) => (
            <ProposalRow key={proposal.id} proposal={proposal} />
          ))}
        </ul>
      </Card>
      {list.hasNextPage && (
        <div className="mt-4 text-center">
          <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show older proposals
          </Button>
        </div>
      )}
    </>
  );
}

/** Explains how to open a proposal, or how to make a label require one. */
function HowToPropose() {
  const { labelRules } = useWorkspace();
  const labels = Object.keys(labelRules);
  if (labels.length === 0) {
    return (
      <>
        No label requires proposals yet. Admins choose such labels in{' '}
        <Link to="/dashboard/settings/labels" className={linkClass}>
          the label settings
        </Link>
        .
      </>
    );
  }
  return (
    <>
      {`Moving ${list.format(labels)} requires a proposal. To open one, deploy a version or propose a candidate of`}{' '}
      <Link to="/dashboard/prompts" className={linkClass}>
        a prompt
      </Link>
      .
    </>
  );
}

const list = new Intl.ListFormat('en', { type: 'disjunction' });
const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3';

const empty: Record<ProposalFilter, { title: string; text: string }> = {
  waiting: { title: 'Nothing is waiting for you', text: 'Proposals that need your approval appear here.' },
  open: { title: 'No open proposals', text: 'Proposals that can still be applied appear here.' },
  ended: { title: 'No ended proposals', text: 'Proposals that were applied, declined or withdrawn appear here.' },
};
