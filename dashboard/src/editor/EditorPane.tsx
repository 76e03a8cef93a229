import { useMemo } from 'react';
import type { Fault } from '../lib/api.ts';
import type { Prompt } from '../lib/types.ts';
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

/** The text on the left, what becomes of it on the right. */
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
                faults={preview.faults}
                onChange={(template) => setDraft((before) => ({ ...before, template }))}
              />
            </div>
          </Card>
        ) : (
          <MessageList
            messages={draft.messages}
            faults={preview.faults}
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
  const faults = useMemo(() => (error === undefined ? [] : [locate(error, text)]), [error, text]);
  return (
    <Card className="overflow-hidden focus-within:border-line-strong">
      <div className="flex items-baseline justify-between gap-3 border-line border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">Config</h2>
        <span className="truncate text-ink-3 text-xs">JSON: model, temperature, tools, response schema</span>
      </div>
      <CodeEditor label="Config" language="json" value={text} faults={faults} onChange={onChange} />
      {error !== undefined && (
        <p role="status" className="border-line border-t px-4 py-2 text-danger text-xs">
          {error}
        </p>
      )}
    </Card>
  );
}

/** Browsers say where JSON breaks by line and column or by position; without either, the first line is marked. */
function locate(message: string, text: string): Fault {
  const spot = /line (\d+) column (\d+)/.exec(message);
  if (spot) return { path: '/config', message, line: Number(spot[1]), column: Number(spot[2]) };
  const position = /position (\d+)/.exec(message);
  const before = text.slice(0, position ? Number(position[1]) : 0).split('\n');
  return { path: '/config', message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
