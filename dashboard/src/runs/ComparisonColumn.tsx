import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId } from 'react';
import { type Draft, parseConfig, schemasOf } from '../editor/drafts/draft.ts';
import { areaClass } from '../editor/preview/ShapeField.tsx';
import { useVersionTitles } from '../editor/versions/use-version-titles.ts';
import { versionsOf } from '../editor/versions/version-numbers.ts';
import { cx } from '../lib/cx.ts';
import type { Content, ModelConnection, Prompt } from '../lib/types.ts';
import { versionQuery } from '../prompts/queries.ts';
import { IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { type Column, findColumnProblem } from './columns.ts';
import { ModelFields } from './ModelFields.tsx';
import { Parameters } from './Parameters.tsx';
import { RunResult } from './RunResult.tsx';
import { modelOf, parametersOf } from './run-input.ts';

interface ComparisonColumnProps {
  prompt: Prompt;
  draft: Draft;
  isDirty: boolean;
  connections: ModelConnection[];
  column: Column;
  number: number;
  onChange: (part: Partial<Column>) => void;
  /** Removes the column. Undefined if the column cannot be removed. */
  onRemove: (() => void) | undefined;
}

/** Shows one column: the input of a run and its output. */
export function ComparisonColumn({ prompt, draft, isDirty, connections, column, number, onChange, onRemove }: ComparisonColumnProps) {
  const { content, parameters, runner } = column;
  const id = useId();
  const { config, ...schemas } = useSettings(prompt, draft, content);
  const titleOf = useVersionTitles(prompt);
  const prefix = `Column ${number}: `;
  const problem = findColumnProblem(column);
  return (
    <Card className="min-w-0">
      <div className="flex items-center gap-2 py-2 pr-2 pl-4">
        <h2 className="font-semibold text-sm">
          <span className="sr-only">Column </span>
          {number}
        </h2>
        <Select
          aria-label={`${prefix}Version`}
          className="flex-1"
          value={String(content)}
          onChange={(event) => onChange({ content: event.target.value === 'draft' ? 'draft' : Number(event.target.value) })}
        >
          {(isDirty || content === 'draft') && <option value="draft">Draft in the editor</option>}
          {versionsOf(prompt).map((version) => (
            <option key={version} value={version}>
              {titleOf(version)}
            </option>
          ))}
        </Select>
        {onRemove && (
          <IconButton label={`Remove column ${number}`} onClick={onRemove}>
            <X aria-hidden className="size-4" />
          </IconButton>
        )}
      </div>
      <div className="space-y-2 px-4 pb-3">
        <ModelFields connections={connections} choice={column} configured={modelOf(config)} prefix={prefix} onChange={onChange} />
        <Parameters parameters={parametersOf(config, schemas)} />
        <details className="text-xs" open={parameters !== '' || undefined}>
          <summary className="cursor-default rounded-sm text-ink-3">Other parameters for this column</summary>
          <textarea
            aria-label={`${prefix}Other parameters`}
            aria-describedby={`${id}-hint`}
            aria-invalid={problem?.startsWith('The parameters') || undefined}
            rows={3}
            spellCheck={false}
            className={cx(inputClass, areaClass, 'mt-1.5 font-mono text-xs')}
            placeholder={'{ "temperature": 0 }'}
            value={parameters}
            onChange={(event) => onChange({ parameters: event.target.value })}
          />
          <p id={`${id}-hint`} className="mt-1 text-ink-3">
            JSON. Overrides parameters of the config; null removes one.
          </p>
        </details>
        {problem !== undefined && <p className="text-warn text-xs">{problem}</p>}
      </div>
      <div className="border-line border-t px-4 py-3 empty:hidden">
        <RunResult runner={runner} label={`Output of column ${number}`} />
      </div>
    </Card>
  );
}

/** Returns the content that is sent to the model in addition to the messages. */
function useSettings(prompt: Prompt, draft: Draft, content: Column['content']): Pick<Content, 'tools' | 'output'> & { config?: unknown } {
  const version = useQuery({ ...versionQuery(prompt.name, content === 'draft' ? 0 : content), enabled: content !== 'draft' });
  if (content === 'draft') return { config: parseConfig(draft.config).config, ...schemasOf(draft) };
  const { config, tools, output } = version.data ?? {};
  return { config, ...(tools && { tools }), ...(output && { output }) };
}
