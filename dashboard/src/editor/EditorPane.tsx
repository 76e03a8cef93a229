import { useMemo } from 'react';
import type { FieldError, Prompt } from '../lib/types.ts';
import { Card } from '../ui/Card.tsx';
import { parseConfig } from './draft.ts';
import { CodeEditor } from './lazy.tsx';
import { MessageList } from './MessageList.tsx';
import { PreviewPanel } from './PreviewPanel.tsx';
import type { Work } from './use-draft.ts';
import type { PreviewState } from './use-preview.ts';

interface EditorPaneProps {
  prompt: Prompt;
  work: Work;
  preview: PreviewState;
}

/** The editor on the left, the preview on the right. */
export function EditorPane({ prompt, work, preview }: EditorPaneProps) {
  const { draft, setDraft } = work;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 space-y-4">
        {prompt.type === 'text' ? (
          <Card className="overflow-hidden focus-within:border-line-strong">
            <h2 className="border-line border-b px-4 py-2.5 font-semibold text-sm">Template</h2>
            <div className="min-h-72">
              <CodeEditor
                label="Template"
                language="liquid"
                value={draft.template}
                errors={preview.syntaxErrors}
                onChange={(template) => setDraft((before) => ({ ...before, template }))}
              />
            </div>
          </Card>
        ) : (
          <MessageList
            messages={draft.messages}
            errors={preview.syntaxErrors}
            onChange={(messages) => setDraft((before) => ({ ...before, messages }))}
          />
        )}
        <ConfigCard text={draft.config} onChange={(config) => setDraft((before) => ({ ...before, config }))} />
      </div>
      <div className="min-w-0 lg:sticky lg:top-6">
        <PreviewPanel type={prompt.type} preview={preview} />
      </div>
    </div>
  );
}

function ConfigCard({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { error } = parseConfig(text);
  const errors = useMemo(() => (error === undefined ? [] : [locate(error, text)]), [error, text]);
  return (
    <Card className="overflow-hidden focus-within:border-line-strong">
      <div className="flex items-baseline justify-between gap-3 border-line border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">Config</h2>
        <span className="truncate text-ink-3 text-xs">JSON: model, temperature, tools, response schema</span>
      </div>
      <CodeEditor label="Config" language="json" value={text} errors={errors} onChange={onChange} />
      {error !== undefined && (
        <p role="status" className="border-line border-t px-4 py-2 text-danger text-xs">
          {error}
        </p>
      )}
    </Card>
  );
}

/** Browsers report the place of a JSON error by line and column, by position, or not at all; then the first line is marked. */
function locate(message: string, text: string): FieldError {
  const place = /line (\d+) column (\d+)/.exec(message);
  if (place) return { path: '/config', message, line: Number(place[1]), column: Number(place[2]) };
  const position = /position (\d+)/.exec(message);
  const before = text.slice(0, position ? Number(position[1]) : 0).split('\n');
  return { path: '/config', message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
