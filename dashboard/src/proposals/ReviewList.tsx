import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Proposal } from '../lib/types.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Badge } from '../ui/Badge.tsx';

const verdicts = {
  approve: { text: 'approved', tone: 'accent' },
  decline: { text: 'declined', tone: 'danger' },
} as const;

/** Lists the decisions of the reviewers, oldest first. */
export function ReviewList({ reviews }: { reviews: Proposal['reviews'] }) {
  return (
    <section aria-label="Reviews">
      <h2 className="mb-2 font-semibold text-base">Reviews</h2>
      {reviews.length === 0 && <p className="text-ink-3">Nobody has reviewed this proposal yet.</p>}
      <ul className="divide-y divide-line">
        {reviews.map(({ id, by, verdict, text, at, current }) => (
          <li key={id} className="flex items-start gap-3 py-3">
            <Avatar userId={by.userId ?? ''} name={by.name} />
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{by.name}</span>
                <Badge tone={verdicts[verdict].tone}>{verdicts[verdict].text}</Badge>
                {verdict === 'approve' && !current && <Badge tone="warn">before a later change</Badge>}
                <time dateTime={at} title={formatDateTime(at)} className="text-ink-3 text-xs">
                  {formatAgo(at)}
                </time>
              </p>
              {text !== '' && (
                <p dir="auto" className="mt-1 whitespace-pre-wrap wrap-anywhere">
                  {text}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
