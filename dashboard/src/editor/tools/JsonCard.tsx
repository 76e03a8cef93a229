import { type ReactNode, useState } from 'react';
import type { FieldError } from '../../lib/types.ts';
import { Card } from '../../ui/Card.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { CodeEditor } from '../code/lazy.tsx';

interface JsonCardProps {
  title: string;
  explanation: ReactNode;
  /** The name of the JSON editor. */
  label: string;
  text: string;
  /** The reason why the text is not valid. Until the text is corrected, only the JSON editor is available. */
  problem: string | undefined;
  errors: FieldError[];
  onChange: (text: string) => void;
  /** The form in which the text can be edited. */
  children: ReactNode;
}

const views = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

/** A part of the version that can be edited in a form or as JSON. Both show the same text. */
export function JsonCard({ title, explanation, label, text, problem, errors, onChange, children }: JsonCardProps) {
  const [view, setView] = useState<'form' | 'json'>('form');
  const isJson = view === 'json' || problem !== undefined;
  return (
    <Card className="shrink-0">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3">
        <h2 className="font-semibold text-sm">{title}</h2>
        <Segmented
          label={`Edit ${title.toLowerCase()} as`}
          value={isJson ? 'json' : 'form'}
          options={[{ ...views[0], disabled: problem !== undefined }, views[1]]}
          onChange={setView}
        />
      </div>
      <p className="px-4 pt-1 pb-3 text-ink-2">{explanation}</p>
      {isJson ? (
        <div className="overflow-hidden border-line border-t">
          <CodeEditor label={label} language="json" value={text} className="max-h-[60dvh] min-h-24" onChange={onChange} />
        </div>
      ) : (
        <div className="border-line border-t p-4">{children}</div>
      )}
      {problem !== undefined && (
        <p role="status" className="border-line border-t px-4 py-2 text-danger text-xs">
          {problem}
        </p>
      )}
      {isJson &&
        errors.map(({ path, message }) => (
          <p key={path} role="alert" className="border-line border-t px-4 py-2 text-danger text-xs wrap-anywhere">
            {path}: {message}
          </p>
        ))}
    </Card>
  );
}
