import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Warning } from '../../lib/types.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';

interface WarningListProps {
  warnings: Warning[];
  /** Adds a default to a variable that callers do not send. Undefined if defaults cannot be added. */
  onDefault?: ((variable: string, text: string) => void) | undefined;
  /** Returns whether a default can be added to a variable. */
  mayDefault?: (variable: string) => boolean;
}

/** Lists what will fail at a label. The user confirms with a second click on a button that says so. */
export function WarningList({ warnings, onDefault, mayDefault = () => true }: WarningListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (warnings.length > 0) box.current?.scrollIntoView({ block: 'nearest' });
  }, [warnings]);
  if (warnings.length === 0) return null;
  const missing = [...new Set(warnings.flatMap(({ variable }) => variable ?? []))].filter(mayDefault);
  return (
    <div ref={box} role="alert" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-warn">
      <p className="flex items-start gap-2 font-medium">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        Nothing has changed yet, because of these problems:
      </p>
      <ul className="mt-1 list-disc space-y-0.5 pl-10 wrap-anywhere">
        {warnings.map(({ code, label, variable, message }) => (
          <li key={`${code} ${label} ${variable} ${message}`}>{message}.</li>
        ))}
      </ul>
      {onDefault &&
        missing.map((variable) => <DefaultOffer key={variable} variable={variable} onUse={(text) => onDefault(variable, text)} />)}
    </div>
  );
}

function DefaultOffer({ variable, onUse }: { variable: string; onUse: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <div className="mt-2 flex flex-wrap items-end gap-2 pl-6 text-ink">
      <div className="w-56 max-w-full">
        <Field label={`Default for ${variable}`} value={text} onChange={(event) => setText(event.target.value)} />
      </div>
      <Button onClick={() => onUse(text)}>Use this default</Button>
    </div>
  );
}
