import { Link } from '@tanstack/react-router';
import type { ImportedPrompt } from '../../../client/src/types.ts';
import { Badge } from '../ui/Badge.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Field } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import type { Choice } from './export-choices.ts';

const badges = {
  created: { tone: 'accent', text: 'New' },
  completed: { tone: 'warn', text: 'Updated' },
  replaced: { tone: 'warn', text: 'Replaced' },
  unchanged: { tone: 'neutral', text: 'Unchanged' },
  conflict: { tone: 'danger', text: 'Conflict' },
} as const;

interface ExportRowProps {
  prompt: ImportedPrompt;
  choice: Choice;
  suggestedName: () => string;
  /** The reason why the new name is not valid. */
  problem: string | undefined;
  result: ImportedPrompt | undefined;
  isLocked: boolean;
  onChoose: (choice: Choice) => void;
}

/** A prompt of an export. If the prompt has a conflict, the user can choose what happens. */
export function ExportRow({ prompt, choice, suggestedName, problem, result, isLocked, onChoose }: ExportRowProps) {
  const { name, status, replaceable } = prompt;
  const reason = result?.status === 'conflict' ? result.reason : prompt.reason;
  const isNew = status === 'created' || status === 'completed';
  const actions: Record<string, () => Choice> = {
    skip: () => ({ action: 'skip' }),
    rename: () => ({ action: 'rename', name: suggestedName() }),
    replace: () => ({ action: 'replace' }),
  };
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {isNew && !isLocked && (
          <Checkbox
            label={`Import ${name}`}
            checked={choice.action !== 'skip'}
            onChange={() => onChoose({ action: choice.action === 'skip' ? 'import' : 'skip' })}
          />
        )}
        <span className="min-w-0 flex-1 basis-48">
          <span dir="auto" className="block truncate font-medium">
            {name}
          </span>
          {reason !== undefined && <span className="block break-words text-ink-2 text-xs">{reason}</span>}
        </span>
        {replaceable !== undefined && !isLocked && (
          <Select
            aria-label={`What to do with ${name}`}
            value={choice.action}
            onChange={({ target }) => onChoose((actions[target.value] ?? (() => choice))())}
          >
            <option value="skip">Skip: keep the existing prompt</option>
            <option value="rename">Import under another name</option>
            {replaceable && <option value="replace">Replace: move the existing prompt to the bin</option>}
          </Select>
        )}
        <RowState {...{ prompt, choice, result, isLocked }} />
      </div>
      {choice.action === 'rename' && !isLocked && (
        <div className="mt-2 max-w-md">
          <Field
            label={`New name for ${name}`}
            spellCheck={false}
            autoCapitalize="none"
            value={choice.name}
            error={problem}
            onChange={({ target }) => onChoose({ action: 'rename', name: target.value })}
          />
        </div>
      )}
    </li>
  );
}

function RowState({ prompt, choice, result, isLocked }: Pick<ExportRowProps, 'prompt' | 'choice' | 'result' | 'isLocked'>) {
  if (result?.status === 'conflict') return <Badge tone="danger">Refused</Badge>;
  if (result || (isLocked && prompt.status === 'unchanged')) {
    const name = result?.name ?? prompt.name;
    return (
      <Link to="/dashboard/prompts/$" params={{ _splat: name }} className="shrink-0 font-medium text-accent-ink text-xs hover:underline">
        Open<span className="sr-only"> {name}</span>
      </Link>
    );
  }
  if (choice.action === 'skip' && prompt.status !== 'unchanged' && (isLocked || prompt.status !== 'conflict'))
    return <Badge>Skipped</Badge>;
  const { tone, text } = badges[prompt.status];
  return <Badge tone={tone}>{text}</Badge>;
}
