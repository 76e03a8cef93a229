import { Link } from '@tanstack/react-router';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Proposal } from '../lib/types.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';
import { changesOf, describeTarget, isOpen, states, titleProposal } from './proposal.ts';

export function ProposalRow({ proposal }: { proposal: Proposal }) {
  const { id, state, changes, openedBy, openedAt, endedAt, reviews } = proposal;
  const { text, tone } = states[state];
  const required = Math.max(...changes.map(({ approvals }) => approvals.required));
  const given = Math.min(...changes.map(({ approvals }) => approvals.given));
  const title = titleProposal(proposal);
  const time = endedAt ?? openedAt;
  const targets = changesOf(proposal).slice(0, 3).map(describeTarget).join('; ') + (changes.length > 3 ? '; …' : '');
  return (
    <li>
      <Link to="/dashboard/proposals/$id" params={{ id }} className="flex items-start gap-3 px-4 py-3 -outline-offset-2 hover:bg-hover">
        <Avatar userId={openedBy.userId ?? ''} name={openedBy.name} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-2">
            <span dir="auto" className="min-w-0 font-medium wrap-anywhere">
              {title}
            </span>
            <Badge tone={tone}>{text}</Badge>
          </span>
          {targets !== title && <span className="block text-ink-2 wrap-anywhere">{targets}</span>}
          <span className="block text-ink-3 text-xs">
            {openedBy.name},{' '}
            <time dateTime={time} title={formatDateTime(time)}>
              {formatAgo(time)}
            </time>
            {isOpen(proposal) && required > 0 && `, ${Math.min(given, required)} of ${required} approvals`}
            {reviews.length > 0 && `, ${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}`}
          </span>
        </span>
      </Link>
    </li>
  );
}
