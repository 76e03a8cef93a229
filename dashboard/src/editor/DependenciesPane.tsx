import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileText, MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { findPinnedVersion } from '../../../src/contract/label-names.ts';
import { plural } from '../lib/format.ts';
import type { Dependent, Prompt, TemplateSyntax } from '../lib/types.ts';
import { mayEdit, useWorkspace } from '../lib/workspace.ts';
import { dependentsQuery, describeDependents } from '../prompts/dependents.ts';
import { exampleInclude, type Include } from '../prompts/includes.ts';
import { type Included, useIncluded } from '../prompts/use-included.ts';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { HelpLink } from '../ui/HelpLink.tsx';
import { Problem } from '../ui/Problem.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { CreatePromptLink } from './CreatePromptLink.tsx';
import { type Draft, includesIn, syntaxOf } from './drafts/draft.ts';

/** The prompts that the current draft includes, and the prompts that include this one. */
export function DependenciesPane({ prompt, draft }: { prompt: Prompt; draft: Draft }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <IncludedPrompts syntax={syntaxOf(draft)} includes={includesIn(prompt.type, draft)} />
      <Dependents name={prompt.name} />
    </div>
  );
}

function IncludedPrompts({ includes, syntax }: { includes: Include[]; syntax: TemplateSyntax }) {
  const included = useIncluded(includes);
  const canEdit = mayEdit(useWorkspace());
  return (
    <Pane
      title="Includes"
      empty={
        includes.length === 0 && (
          <>
            This prompt includes no other prompt. To share text between prompts, save it as a prompt and write{' '}
            <code className="font-mono text-xs">{exampleInclude(syntax)}</code> where you need it.{' '}
            <HelpLink anchor="includes">How includes work</HelpLink>
          </>
        )
      }
    >
      {(included ?? includes.map((include): Included => ({ ...include, prompt: undefined, version: undefined }))).map(
        ({ name, label, prompt, version }) => (
          <Row key={`${name} ${label}`} name={name} type={prompt?.type}>
            {included && !prompt && canEdit && <CreatePromptLink name={name}>Create</CreatePromptLink>}
            {included && (!prompt || version === undefined) ? (
              <Badge tone="danger">{prompt ? `not in ${label}` : 'missing'}</Badge>
            ) : (
              <LabelBadge label={findPinnedVersion(label) === undefined ? label : 'pinned'} {...(version !== undefined && { version })} />
            )}
          </Row>
        ),
      )}
    </Pane>
  );
}

function Dependents({ name }: { name: string }) {
  const query = useQuery(dependentsQuery(name));
  const { dependents = [] } = query.data ?? {};
  return (
    <Pane
      title="Included by"
      note={query.data && dependents.length > 0 ? describeDependents(query.data) : undefined}
      empty={query.data && dependents.length === 0 && 'No prompt includes this one.'}
    >
      {query.isPending && <Loading rows={3} className="px-4 py-1" />}
      {query.isError && <Problem error={query.error} onRetry={() => query.refetch()} />}
      {dependents.map((dependent) => (
        <Row key={dependent.id} name={dependent.name} type={dependent.type} note={describeIncludes(dependent)}>
          <span className="text-ink-3 text-xs tabular">{plural(dependent.callsLast24Hours, 'call')}</span>
        </Row>
      ))}
    </Pane>
  );
}

/**
 * Says at which label and in which versions a dependent includes this prompt, as in "at production in v3 (latest), v2 (production)". For an
 * indirect dependent, names the prompt through which it includes this prompt.
 */
function describeIncludes({ includes, via }: Dependent): string {
  if (via !== null) return `through ${via}`;
  return [...Map.groupBy(includes, ({ label }) => label)]
    .map(([label, from]) => `at ${label} in ${from.map(({ version, labels }) => `v${version} (${labels.join(', ')})`).join(', ')}`)
    .join('; ');
}

function Pane({ title, note, empty, children }: { title: string; note?: string | undefined; empty?: ReactNode; children: ReactNode }) {
  return (
    <Card className="min-w-0 overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 border-line border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">{title}</h2>
        {note !== undefined && <span className="text-ink-3 text-xs">{note}</span>}
      </div>
      {empty && <p className="px-4 py-6 text-center text-ink-3">{empty}</p>}
      <ul className="divide-y divide-line">{children}</ul>
    </Card>
  );
}

interface RowProps {
  name: string;
  type: Prompt['type'] | undefined;
  note?: string;
  children: ReactNode;
}

function Row({ name, type, note, children }: RowProps) {
  const Icon = type === 'chat' ? MessagesSquare : FileText;
  return (
    <li className="flex min-h-11 items-center gap-3 px-4 py-1.5">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
      <span className="min-w-0 flex-1">
        <Link
          to="/dashboard/prompts/$"
          params={{ _splat: name }}
          className="block truncate rounded-sm font-medium hover:underline hover:underline-offset-3"
        >
          {name}
        </Link>
        {note !== undefined && <span className="block truncate text-ink-3 text-xs">{note}</span>}
      </span>
      <span className="flex shrink-0 items-center gap-3">{children}</span>
    </li>
  );
}
