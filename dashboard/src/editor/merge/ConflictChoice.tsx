import { useId, useState } from 'react';
import { Segmented } from '../../ui/Segmented.tsx';
import { CodeEditor, Comparison } from '../code/lazy.tsx';
import { parseConfig } from '../drafts/draft.ts';
import type { Choice, Conflict } from './merge-drafts.ts';

interface ConflictChoiceProps {
  conflict: Conflict;
  /** The name of the content that someone else saved, such as "version 4". */
  name: string;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

/** Shows both contents of a part that both sides changed, and asks which one to keep. */
export function ConflictChoice({ conflict, name, choice, onChoose }: ConflictChoiceProps) {
  const { title, isJson = false, texts, both, edit } = conflict;
  const headingId = useId();
  const [edited, setEdited] = useState(edit?.start ?? '');
  const language = isJson ? 'json' : 'liquid';
  const error = typeof choice === 'object' && language === 'json' ? parseConfig(choice.edited).error : undefined;
  const options = [
    { value: 'mine', label: 'Mine' },
    { value: 'theirs', label: 'Theirs' },
    ...(both ? [{ value: 'both', label: 'Both' }] : []),
    ...(edit ? [{ value: 'edit', label: 'Edit' }] : []),
  ];
  const choose = (value: string) => {
    if (value === 'edit') onChoose({ edited });
    else if (value === 'mine' || value === 'theirs' || value === 'both') onChoose(value);
  };
  const change = (text: string) => {
    setEdited(text);
    onChoose({ edited: text });
  };

  return (
    <section aria-labelledby={headingId}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
        <h3 id={headingId} className="font-medium">
          {title}
        </h3>
        <Segmented
          label={`What to keep for ${title}`}
          value={typeof choice === 'object' ? 'edit' : (choice ?? '')}
          options={options}
          onChange={choose}
        />
      </div>
      <Comparison
        language={language}
        before={{ title: `Theirs: ${name}${texts.theirs === undefined ? ', removed' : ''}`, text: texts.theirs ?? '' }}
        after={{ title: texts.mine === undefined ? 'Yours: removed' : 'Yours, unsaved', text: texts.mine ?? '' }}
      />
      {typeof choice === 'object' && (
        <div className="mt-2 overflow-hidden rounded-lg border border-line-strong">
          <CodeEditor
            label={`${title}, merged`}
            language={language}
            value={choice.edited}
            className="max-h-[40dvh] min-h-16"
            onChange={change}
          />
          {error !== undefined && (
            <p role="status" className="border-line border-t px-4 py-2 text-danger text-xs">
              {error}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
