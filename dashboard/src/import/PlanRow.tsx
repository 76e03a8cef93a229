import { Link } from '@tanstack/react-router';
import { ChevronRight, FileText, MessagesSquare } from 'lucide-react';
import { useId, useState } from 'react';
import type { ImportResult } from '../../../src/formats/import.ts';
import type { PlannedAction, PlannedPrompt } from '../../../src/formats/plan.ts';
import { ContentComparison } from '../editor/drafts/ContentComparison.tsx';
import { draftOf, textOf } from '../editor/drafts/draft.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/format.ts';
import { Badge } from '../ui/Badge.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { FindingList } from './FindingList.tsx';

const badges: Record<PlannedAction, { tone: 'neutral' | 'accent' | 'danger' | 'warn'; text: string }> = {
  create: { tone: 'accent', text: 'New' },
  update: { tone: 'warn', text: 'Changed' },
  describe: { tone: 'warn', text: 'Description or tags' },
  label: { tone: 'warn', text: 'Label' },
  cases: { tone: 'warn', text: 'Test cases' },
  same: { tone: 'neutral', text: 'Unchanged' },
  refuse: { tone: 'danger', text: 'Cannot be imported' },
};

const formatNames = {
  dotprompt: 'dotprompt',
  prompty: 'Prompty',
  promptfoo: 'promptfoo',
  'prompt-yaml': '.prompt.yaml',
  json: 'JSON',
} as const;

interface PlanRowProps {
  prompt: PlannedPrompt;
  result: ImportResult | undefined;
  isDone: boolean;
  isSkipped: boolean;
  /** Selects or deselects the prompt. Undefined while the import runs, and afterwards. */
  onToggle: (() => void) | undefined;
}

/** A prompt in the files. When expanded, the row shows the changes, and the parts that could not be imported. */
export function PlanRow({ prompt, result, isDone, isSkipped, onToggle }: PlanRowProps) {
  const { name, path, format, draft, findings, action, newCases, asText } = prompt;
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const Icon = draft?.messages ? MessagesSquare : FileText;
  const notes = findings.length + (result ? result.problems.length + result.warnings.length : 0);
  const isRefused = action === 'refuse';
  const canToggle = action !== 'same' && (!isRefused || asText !== undefined);
  return (
    <li>
      <div className="flex min-h-14 items-center gap-3 px-4 py-2">
        {onToggle && canToggle && (
          <Checkbox
            label={isRefused ? `Import ${name} with tags as text` : `Import ${name}`}
            checked={!isRefused && !isSkipped}
            onChange={onToggle}
          />
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          className="flex min-w-0 flex-1 items-center gap-3 rounded-sm text-left"
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight aria-hidden className={cx('size-4 shrink-0 text-ink-3 transition-transform duration-100', isOpen && 'rotate-90')} />
          <Icon aria-hidden className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
          <span className="min-w-0 flex-1">
            <span dir="auto" className="block truncate font-medium">
              {name}
            </span>
            <span className="block truncate text-ink-3 text-xs">
              {formatNames[format]} · {path}
              {newCases.length > 0 && ` · ${plural(newCases.length, 'test case')}`}
              {notes > 0 && ` · ${plural(notes, 'note')}`}
              {isRefused && asText && ' · can be imported with tags as text'}
            </span>
          </span>
        </button>
        <RowState {...{ prompt, result, isDone, isSkipped }} />
      </div>
      {isOpen && (
        <div id={panelId} className="space-y-3 border-line border-t bg-sunken px-4 py-3">
          {result?.problems.map((problem) => (
            <p key={problem} className="text-danger text-sm">
              {problem}
            </p>
          ))}
          {result?.warnings.map((warning) => (
            <p key={warning} className="text-sm text-warn">
              {warning}.
            </p>
          ))}
          {isRefused && asText && (
            <p className="text-ink-2">
              Liquid does not support some tags in this prompt. Select the prompt to import it anyway. These tags then stay in the prompt as
              text, where you can edit them.
            </p>
          )}
          {findings.length > 0 && <FindingList findings={findings} />}
          <Content prompt={prompt} />
        </div>
      )}
    </li>
  );
}

function RowState({ prompt: { name, action, current }, result, isDone, isSkipped }: Omit<PlanRowProps, 'onToggle'>) {
  if (result && result.version === undefined) return <Badge tone="danger">Refused</Badge>;
  const isThere = result?.version !== undefined || (isDone && current !== undefined && action === 'same');
  if (isSkipped) return <Badge>Skipped</Badge>;
  const { tone, text } = badges[action];
  if (!isThere) return <Badge tone={tone}>{text}</Badge>;
  return (
    <Link to="/dashboard/prompts/$" params={{ _splat: name }} className="shrink-0 font-medium text-accent-ink text-xs hover:underline">
      {result?.version === undefined ? 'Open' : `Open v${result.version}`}
      <span className="sr-only"> of {name}</span>
    </Link>
  );
}

function Content({ prompt: { draft, action, current } }: { prompt: PlannedPrompt }) {
  if (!draft) return null;
  const type = draft.template === undefined ? 'chat' : 'text';
  const after = draftOf(draft);
  if (action === 'update' && current?.version) {
    const title = `Version ${current.latestVersion}`;
    return <ContentComparison type={type} before={{ title, draft: draftOf(current.version) }} after={{ title: 'File', draft: after }} />;
  }
  return (
    <div className="space-y-2">
      {draft.syntax === 'mustache' && <p className="text-ink-2 text-xs">Kept as mustache, because Liquid would render it differently.</p>}
      <Source label={`Text of ${draft.name}`} text={textOf(type, after)} />
      {after.config !== '{}' && <Source label={`Config of ${draft.name}`} text={after.config} />}
    </div>
  );
}

function Source({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section aria-label={label} tabIndex={0} className="max-h-72 overflow-auto rounded-md border border-line bg-surface">
      <pre dir="auto" className="whitespace-pre-wrap break-words p-3 font-mono text-xs leading-5">
        {text}
      </pre>
    </section>
  );
}
