import { Link } from '@tanstack/react-router';
import { formatAgo, formatDateTime } from '../lib/format.ts';
import type { Candidate } from '../lib/types.ts';
import { Badge } from '../ui/Badge.tsx';

/** Shows the title of a candidate, who changed it last, and a link back to the prompt. */
export function CandidateHeading({ candidate, isDirty }: { candidate: Candidate; isDirty: boolean }) {
  const { name, title, message, baseVersion, revision, changedAt, changedBy } = candidate;
  return (
    <header className="mb-4 shrink-0">
      <nav aria-label="Prompt" className="mb-1 flex flex-wrap items-center gap-1 text-ink-3 text-xs">
        <Link to="/dashboard/prompts" className="rounded-sm hover:text-ink">
          Prompts
        </Link>
        <span aria-hidden>/</span>
        <Link
          to="/dashboard/prompts/$"
          params={{ _splat: name }}
          search={{}}
          dir="auto"
          className="rounded-sm wrap-anywhere hover:text-ink"
        >
          {name}
        </Link>
        <span aria-hidden>/</span>
        <Link to="/dashboard/prompts/$" params={{ _splat: name }} search={{ view: 'candidates' }} className="rounded-sm hover:text-ink">
          Candidates
        </Link>
      </nav>
      <h1 dir="auto" className="text-left font-semibold text-xl tracking-tight wrap-anywhere">
        {title}
      </h1>
      <div className="mt-1 flex flex-wrap items-center gap-1.5 text-ink-3 text-xs">
        <Badge>candidate</Badge>
        <span className="px-0.5">revision {revision}</span>
        <span className="px-0.5">based on v{baseVersion}</span>
        <span className="px-0.5">
          {changedBy.name} changed it{' '}
          <time dateTime={changedAt} title={formatDateTime(changedAt)}>
            {formatAgo(changedAt)}
          </time>
        </span>
        {isDirty && <Badge tone="warn">Unsaved changes</Badge>}
      </div>
      {message !== '' && (
        <p dir="auto" className="mt-2 max-w-2xl text-left text-ink-2 wrap-anywhere">
          {message}
        </p>
      )}
    </header>
  );
}
