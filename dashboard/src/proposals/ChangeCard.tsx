import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { candidateQuery } from '../candidates/queries.ts';
import { CommentedComparison } from '../comments/CommentedComparison.tsx';
import { emptyDraft } from '../editor/drafts/draft.ts';
import type { Prompt, Proposal } from '../lib/types.ts';
import { promptQuery, versionQuery } from '../prompts/queries.ts';
import { Card } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { CheckComparison } from './CheckComparison.tsx';
import { PresentResults } from './PresentResults.tsx';
import { describeTarget, type ProposedChange } from './proposal.ts';
import { Samples } from './Samples.tsx';
import { commentedContentOf, draftOfSide, identify, type Side, toCandidateSide, toVersionSide } from './sides.ts';

const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3 wrap-anywhere';

/**
 * Shows one change of a proposal: the label and its target, the difference, the checks of both versions, and a link to results in
 * production.
 */
export function ChangeCard({ proposal, change }: { proposal: Proposal; change: ProposedChange }) {
  const { prompt, label, from, candidate, release, approvals } = change;
  const proposed = release ? release.arms.map(({ version }) => version) : [change.version].filter((each) => each !== undefined);
  const present = release ? release.control : from;
  const title = describeTarget(change);
  return (
    <Card className="overflow-hidden">
      <section aria-label={title} className="space-y-4 p-4">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <h2 className="font-semibold text-base wrap-anywhere">{title}</h2>
          {proposal.endedAt === null && (
            <p className="text-ink-2">
              {approvals.required === 0 ? 'Needs no approval' : `${approvals.given} of ${approvals.required} approvals`}
            </p>
          )}
        </div>
        {prompt.name !== '' && (
          <>
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              {describePresent()}
              <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} className={linkClass}>
                Open {prompt.name}
              </Link>
              {candidate && proposal.endedAt === null && (
                <Link to="/dashboard/prompts/$" params={{ _splat: prompt.name }} search={{ candidate: candidate.id }} className={linkClass}>
                  Open the candidate
                </Link>
              )}
            </p>
            <UnruledIncludes includes={change.unruledIncludes ?? []} />
            {present !== null && proposal.endedAt === null && <PresentResults prompt={prompt} label={label} version={present} />}
            <Content proposal={proposal.id} change={change} isOpen={proposal.endedAt === null} present={present} proposed={proposed} />
          </>
        )}
      </section>
    </Card>
  );

  function describePresent(): string {
    if (proposal.state === 'applied') return `This proposal moved ${label}.`;
    return from === null ? `${label} does not exist yet.` : `${label} is at v${from} now.`;
  }
}

/** Warns about content that can change after the approval. */
function UnruledIncludes({ includes }: { includes: NonNullable<ProposedChange['unruledIncludes']> }) {
  if (includes.length === 0) return null;
  const names = list.format(includes.map(({ prompt, label }) => `${prompt} at ${label}`));
  return (
    <p className="rounded-md bg-warn-soft px-3 py-2 text-warn wrap-anywhere">
      This content includes {names}. These labels have no rule, so the included content can change later without an approval.
    </p>
  );
}

const list = new Intl.ListFormat('en');

interface ContentProps {
  proposal: string;
  change: ProposedChange;
  /** Whether the proposal can still be applied. Otherwise, nothing is left to check. */
  isOpen: boolean;
  present: number | null;
  proposed: number[];
}

/** Shows the difference between the present content and each proposed content. */
function Content({ proposal, change: { prompt, candidate }, isOpen, present, proposed }: ContentProps) {
  const loaded = useQuery(promptQuery(prompt.name));
  if (loaded.isError) return <Problem error={loaded.error} onRetry={() => loaded.refetch()} />;
  if (!loaded.data) return <Skeleton className="h-40 w-full" />;
  const shared = { proposal, prompt: loaded.data, isOpen, present };
  return (
    <div className="space-y-4">
      {proposed.map((version) => (
        <VersionContent key={version} {...shared} version={version} />
      ))}
      {proposed.length === 0 && candidate && <CandidateContent {...shared} candidate={candidate} />}
    </div>
  );
}

interface SharedProps {
  proposal: string;
  prompt: Prompt;
  isOpen: boolean;
  present: number | null;
}

function VersionContent({ version, ...shared }: SharedProps & { version: number }) {
  const after = useQuery(versionQuery(shared.prompt.name, version));
  if (after.isError) return <Problem error={after.error} onRetry={() => after.refetch()} />;
  if (!after.data) return <Skeleton className="h-40 w-full" />;
  const why = [`${after.data.by.name} wrote v${version}`, ...(after.data.message ? [`“${after.data.message}”`] : [])].join(': ');
  return <Difference {...shared} after={toVersionSide(after.data)} why={why} />;
}

function CandidateContent({ candidate: { id, title }, ...shared }: SharedProps & { candidate: { id: string; title: string } }) {
  const after = useQuery(candidateQuery(shared.prompt.name, id));
  if (after.isError) return <Problem error={after.error} onRetry={() => after.refetch()} />;
  if (!after.data) return <Skeleton className="h-40 w-full" />;
  const why = `${after.data.changedBy.name} last changed the candidate “${title}”`;
  return <Difference {...shared} after={toCandidateSide(after.data)} why={why} />;
}

/** Shows the difference between two contents, their checks, and samples of their outputs. */
function Difference({ proposal, prompt, isOpen, present, after, why }: SharedProps & { after: Side; why: string }) {
  const loaded = useQuery({ ...versionQuery(prompt.name, present ?? 0), enabled: present !== null });
  if (loaded.isError) return <Problem error={loaded.error} onRetry={() => loaded.refetch()} />;
  if (present !== null && !loaded.data) return <Skeleton className="h-40 w-full" />;
  const before = loaded.data && toVersionSide(loaded.data);
  const toShown = (side: Side) => ({ title: side.title, draft: draftOfSide(side), content: commentedContentOf(side, prompt) });
  return (
    <div className="space-y-4">
      <div>
        <p className="mb-1.5 text-ink-2 wrap-anywhere">{why}.</p>
        <CommentedComparison
          type={prompt.type}
          proposal={proposal}
          before={before ? toShown(before) : { title: 'Nothing', draft: emptyDraft, content: undefined }}
          after={toShown(after)}
        />
      </div>
      {isOpen && <CheckComparison prompt={prompt} before={before} after={after} />}
      {isOpen && <Samples key={identify(after)} prompt={prompt} before={before} after={after} />}
    </div>
  );
}
