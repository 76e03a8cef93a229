import { Search } from 'lucide-react';
import { type Dispatch, type SetStateAction, useMemo, useRef, useState } from 'react';
import { cx } from '../lib/cx.ts';
import type { FieldError, PromptType, TemplateSyntax } from '../lib/types.ts';
import { IconButton } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { useOwnToast } from '../ui/toasts.ts';
import type { CodeEditorHandle } from './code/CodeEditor.tsx';
import { CodeEditor } from './code/lazy.tsx';
import { type Draft, parseConfig, parseTools, syntaxOf } from './drafts/draft.ts';
import { MessageList, MoveOffer, PreviewPanel, ToolsPane } from './lazy-views.tsx';
import type { EditorRun } from './preview/PreviewPanel.tsx';
import type { PreviewState } from './preview/use-preview.ts';

interface EditorPaneProps {
  type: PromptType;
  draft: Draft;
  setDraft: Dispatch<SetStateAction<Draft>>;
  preview: PreviewState;
  run: EditorRun;
  /** Saves the values of the preview as a test case. */
  onSaveCase?: (() => void) | undefined;
}

/** Shows the editor on the left and the preview on the right. On wide screens, both fill the remaining height and scroll separately. */
export function EditorPane({ type, draft, setDraft, preview, run, onSaveCase }: EditorPaneProps) {
  const variables = preview.variables.map(({ name }) => name);
  const [part, setPart] = useState<'text' | 'tools'>('text');
  return (
    <div
      className={cx(
        'grid gap-5 lg:h-full lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[minmax(0,1fr)]',
        // The output of a model needs more space than the preview.
        run.isShown && 'xl:grid-cols-[minmax(0,1fr)_30rem]',
      )}
    >
      <div className={cx('flex min-w-0 flex-col gap-4', (type === 'chat' || part === 'tools') && scrollClass)}>
        <div className="-mb-1 shrink-0">
          <Segmented
            label="Part of the prompt"
            value={part}
            options={[
              { value: 'text', label: 'Prompt' },
              { value: 'tools', label: describeTools(draft) },
            ]}
            onChange={setPart}
          />
        </div>
        {part === 'tools' ? (
          <ToolsPane draft={draft} setDraft={setDraft} errors={preview.declarationErrors} />
        ) : type === 'text' ? (
          <TemplateCard
            syntax={syntaxOf(draft)}
            text={draft.template}
            errors={preview.syntaxErrors.filter(({ path }) => path === '/template')}
            variables={variables}
            onChange={(template) => setDraft((before) => ({ ...before, template }))}
          />
        ) : (
          <MessageList
            syntax={syntaxOf(draft)}
            messages={draft.messages}
            errors={preview.syntaxErrors}
            variables={variables}
            onChange={(change) => setDraft((before) => ({ ...before, messages: change(before.messages) }))}
          />
        )}
        {part === 'text' && <ConfigCard draft={draft} setDraft={setDraft} />}
      </div>
      <div className={cx('min-w-0', scrollClass)}>
        <PreviewPanel type={type} draft={draft} setDraft={setDraft} preview={preview} run={run} onSaveCase={onSaveCase} />
      </div>
    </div>
  );
}

/**
 * The padding keeps shadows and focus rings visible. Visually hidden text is positioned relative to this element. Otherwise, it would make
 * the page as long as the content.
 */
const scrollClass = 'relative lg:-m-1 lg:overflow-y-auto lg:p-1';

/** Returns the name of the part with the tools, with the number of tools and output schemas. */
function describeTools({ tools, output }: Draft): string {
  const count = (parseTools(tools).value?.length ?? (tools.trim() === '' ? 0 : 1)) + (output.trim() === '' ? 0 : 1);
  return count === 0 ? 'Tools and output' : `Tools and output (${count})`;
}

interface TemplateCardProps {
  syntax: TemplateSyntax;
  text: string;
  errors: FieldError[];
  variables: readonly string[];
  onChange: (text: string) => void;
}

function TemplateCard({ syntax, text, errors, variables, onChange }: TemplateCardProps) {
  const editor = useRef<CodeEditorHandle>(null);
  return (
    <Card className="flex min-h-0 flex-1 flex-col overflow-hidden focus-within:border-line-strong">
      <div className="flex items-center justify-between border-line border-b py-1 pr-1.5 pl-4">
        <h2 className="font-semibold text-sm">Template</h2>
        <IconButton label="Find in the template (Ctrl+F)" onClick={() => editor.current?.openSearch()}>
          <Search aria-hidden className="size-4" />
        </IconButton>
      </div>
      <CodeEditor
        ref={editor}
        label="Template"
        language={syntax}
        value={text}
        errors={errors}
        variables={variables}
        className="max-h-[60dvh] min-h-72 flex-1 lg:max-h-none lg:min-h-0"
        onChange={onChange}
      />
    </Card>
  );
}

function ConfigCard({ draft, setDraft }: Pick<EditorPaneProps, 'draft' | 'setDraft'>) {
  const text = draft.config;
  const toast = useOwnToast();
  const { error } = parseConfig(text);
  const change = (config: string) => setDraft((before) => ({ ...before, config }));
  const errors = useMemo(() => (error === undefined ? [] : [locate(error, text)]), [error, text]);
  return (
    <Card className="shrink-0 overflow-hidden focus-within:border-line-strong">
      <div className="flex items-baseline justify-between gap-3 border-line border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">Config</h2>
        <span className="truncate text-ink-3 text-xs">JSON: model, temperature and other parameters</span>
      </div>
      {movable.test(text) && <MoveOffer draft={draft} setDraft={setDraft} toast={toast} />}
      <CodeEditor label="Config" language="json" value={text} errors={errors} className="max-h-[30dvh]" onChange={change} />
      {error !== undefined && (
        <p role="status" className="border-line border-t px-4 py-2 text-danger text-xs">
          {error}
        </p>
      )}
    </Card>
  );
}

/** Matches a config that may have a part that belongs in a separate field. */
const movable = /"(?:tools|response_format|variables)"\s*:/;

/**
 * Finds the place of a JSON error in a browser's message. The message contains the line and column, only the position, or no place at all.
 * If it contains no place, the first line is marked.
 */
function locate(message: string, text: string): FieldError {
  const place = /line (\d+) column (\d+)/.exec(message);
  if (place) return { path: '/config', message, line: Number(place[1]), column: Number(place[2]) };
  const position = /position (\d+)/.exec(message);
  const before = text.slice(0, position ? Number(position[1]) : 0).split('\n');
  return { path: '/config', message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
