import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { candidateQuery } from '../candidates/queries.ts';
import { type CheckSubject, isAbout } from '../checks/check-runs.ts';
import { checksQuery } from '../checks/queries.ts';
import { describeOutcome } from '../checks/results.ts';
import { CommentedComparison } from '../comments/CommentedComparison.tsx';
import type { CommentedContent } from '../comments/threads.ts';
import { draftOf, emptyDraft } from '../editor/drafts/draft.ts';
import type { CheckSummary, Prompt, Proposal, Version } from '../lib/types.ts';
import { promptQuery, versionQuery } from '../prompts/queries.ts';
import { Card } from '../ui/Card.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { describeTarget, type ProposedChange } from './proposal.ts';

const linkClass = 'rounded-sm font-medium text-accent-ink underline underline-offset-3 wrap-anywhere';

/** One change of a proposal: what moves, the difference, the checks of both versions, and where to see results in production. */
export function ChangeCard({ proposal, change }: { proposal: Proposal; change: ProposedChange }) {
  const { prompt, label, from, candidate, release, approvals } = change;
  const result = proposal.result?.find((each) => each.prompt === prompt.name && each.label === label);
  const proposed = release
    ? release.arms.map(({ version }) => version)
    : [change.version ?? result?.version].filter((each) => each !== undefined);
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
              <Link
                to="/dashboard/prompts/$"
                params={{ _splat: prompt.name }}
                search={{ view: 'results', range: '7d', label }}
                className={linkClass}
              >
                Results of {label}
              </Link>
            </p>
            <Checks
              name={prompt.name}
              versions={[...(present === null ? [] : [present]), ...proposed]}
              candidate={proposed.length === 0 ? candidate : undefined}
            />
            <Content proposal={proposal.id} change={change} present={present} proposed={proposed} />
          </>
        )}
      </section>
    </Card>
  );

  function describePresent(): string {
    if (proposal.state === 'applied') return `${label} moved with this proposal.`;
    return from === null ? `${label} does not exist yet.` : `${label} is at v${from} now.`;
  }
}

interface ChecksProps {
  name: string;
  versions: number[];
  candidate: Extract<CheckSubject, { candidate: unknown }>['candidate'] | undefined;
}

/** The last check run of each version, and of the candidate, with the current test cases. */
function Checks({ name, versions, candidate }: ChecksProps) {
  return (
    <ul aria-label="Checks" className="flex flex-wrap gap-x-6 gap-y-1 text-ink-2 empty:hidden">
      {[...new Set(versions)].map((version) => (
        <CheckOutcome key={version} name={name} subject={{ version }} title={`v${version}`} />
      ))}
      {candidate && <CheckOutcome name={name} subject={{ candidate }} title={`“${candidate.title}”`} />}
    </ul>
  );
}

function CheckOutcome({ name, subject, title }: { name: string; subject: CheckSubject; title: string }) {
  const { data } = useQuery(checksQuery(name, 'version' in subject ? subject.version : undefined));
  // An earlier revision of a candidate had other content.
  const isSame = ({ candidate }: CheckSummary) => 'version' in subject || candidate?.revision === subject.candidate.revision;
  const runs = data?.filter((each) => isAbout(each, subject)) ?? [];
  const run = runs.find((each) => each.current && isSame(each));
  if (runs.length === 0) return null;
  return (
    <li>
      Checks of {title}:{' '}
      {run ? (
        <Link to="/dashboard/prompts/$" params={{ _splat: name }} search={{ view: 'checks', check: run.id }} className={linkClass}>
          {describeOutcome(run)}
        </Link>
      ) : (
        'not run with the current content and test cases'
      )}
    </li>
  );
}

interface ContentProps {
  proposal: string;
  change: ProposedChange;
  present: number | null;
  proposed: number[];
}

/** The difference of the present content and each proposed content. */
function Content({ proposal, change: { prompt, candidate }, present, proposed }: ContentProps) {
  const loaded = useQuery(promptQuery(prompt.name));
  if (loaded.isError) return <Problem error={loaded.error} onRetry={() => loaded.refetch()} />;
  if (!loaded.data) return <Skeleton className="h-40 w-full" />;
  const shared = { proposal, prompt: loaded.data, present };
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
  present: number | null;
}

function VersionContent({ version, ...shared }: SharedProps & { version: number }) {
  const { prompt } = shared;
  const after = useQuery(versionQuery(prompt.name, version));
  if (after.isError) return <Problem error={after.error} onRetry={() => after.refetch()} />;
  if (!after.data) return <Skeleton className="h-40 w-full" />;
  const why = [`${after.data.by.name} wrote v${version}`, ...(after.data.message ? [`“${after.data.message}”`] : [])].join(': ');
  const content = { prompt: prompt.name, version };
  return <Difference {...shared} after={after.data} content={content} title={`Version ${version}`} why={why} />;
}

function CandidateContent({ candidate: { id, title }, ...shared }: SharedProps & { candidate: { id: string; title: string } }) {
  const { prompt } = shared;
  const after = useQuery(candidateQuery(prompt.name, id));
  if (after.isError) return <Problem error={after.error} onRetry={() => after.refetch()} />;
  if (!after.data) return <Skeleton className="h-40 w-full" />;
  const why = `${after.data.changedBy.name} last changed the candidate “${title}”`;
  const content = { prompt: prompt.name, candidate: id };
  return <Difference {...shared} after={after.data} content={content} title={`Candidate: ${title}`} why={why} />;
}

type ShownContent = Parameters<typeof draftOf>[0];

interface DifferenceProps extends SharedProps {
  after: ShownContent;
  content: CommentedContent;
  title: string;
  why: string;
}

function Difference({ proposal, prompt, present, after, content, title, why }: DifferenceProps) {
  const before = useQuery({ ...versionQuery(prompt.name, present ?? 0), enabled: present !== null });
  if (before.isError) return <Problem error={before.error} onRetry={() => before.refetch()} />;
  if (present !== null && !before.data) return <Skeleton className="h-40 w-full" />;
  return (
    <div>
      <p className="mb-1.5 text-ink-2 wrap-anywhere">{why}.</p>
      <CommentedComparison
        type={prompt.type}
        proposal={proposal}
        before={toSide(before.data, present)}
        after={{ title, draft: draftOf(after), content }}
      />
    </div>
  );
}

function toSide(version: Version | undefined, present: number | null) {
  if (!version) return { title: 'Nothing', draft: emptyDraft, content: undefined };
  return { title: `Version ${present}`, draft: draftOf(version), content: { prompt: version.name, version: version.version } };
}
