import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { ActivityEntry } from '../lib/types.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { describeEntry, describePerson, listChanges } from './describe-entry.ts';

interface ActivityRowProps {
  entry: ActivityEntry;
  /** Called when the user wants to see only the actions of one person. */
  onPerson: (userId: string) => void;
}

/** Shows one entry as a sentence that says who did what, with the previous values below. */
export function ActivityRow({ entry, onPerson }: ActivityRowProps) {
  const { at, by, prompt } = entry;
  const { before, after } = describeEntry(entry);
  const person = describePerson(entry);
  const userId = by?.userId;
  const proposal = entry.detail.proposal?.id ?? entry.detail.comment?.proposal;
  return (
    <li className="flex gap-3 px-4 py-3 sm:px-6">
      <Avatar userId={userId ?? person} name={person} />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          {userId === undefined ? (
            <span className="font-medium">{person}</span>
          ) : (
            <button
              type="button"
              title={`Show only entries by ${person}`}
              className="rounded-sm text-left font-medium wrap-anywhere hover:underline"
              onClick={() => onPerson(userId)}
            >
              {person}
            </button>
          )}{' '}
          {before} {prompt && <PromptName entry={entry} prompt={prompt} />}
          {after}
        </p>
        <ul className="empty:hidden">
          {listChanges(entry).map((change) => (
            <li key={change.name} className="text-ink-2 text-xs wrap-anywhere">
              {change.name}: {change.before !== undefined && change.before}
              {change.before !== undefined && <ArrowRight aria-label="became" className="mx-1 inline size-3 align-[-2px]" />}
              {change.after}
            </li>
          ))}
        </ul>
        <p className="text-ink-3 text-xs">
          <time dateTime={at} title={formatDateTime(at)}>
            {formatAgo(at)}
          </time>
          {by?.via === 'api' && ' · via API'}
          {proposal !== undefined && (
            <>
              {' · '}
              <Link
                to="/dashboard/proposals/$id"
                params={{ id: proposal }}
                className="rounded-sm font-medium text-accent-ink hover:underline"
              >
                Proposal
              </Link>
            </>
          )}
          {prompt?.deletedAt !== undefined && ' · The prompt is in the bin.'}
        </p>
      </div>
    </li>
  );
}

/** The name of a prompt, as a link to its history, which compares the versions that the entry is about. A prompt in the bin has no page. */
function PromptName({ entry, prompt }: { entry: ActivityEntry; prompt: NonNullable<ActivityEntry['prompt']> }) {
  if (prompt.deletedAt !== undefined) return <span className="font-medium">{prompt.name}</span>;
  const { from, to, version } = entry.detail;
  const compared = {
    ...(typeof from === 'number' && { from }),
    ...(typeof to === 'number' ? { to } : version !== undefined && { to: version }),
  };
  return (
    <Link
      to="/dashboard/prompts/$"
      params={{ _splat: prompt.name }}
      search={{ view: 'history', ...compared }}
      className="rounded-sm font-medium text-accent-ink hover:underline"
    >
      {prompt.name}
    </Link>
  );
}
