import { FileUp, FolderUp } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { Conversion } from '../../../src/formats/draft-types.ts';
import { cx } from '../lib/cx.ts';
import { formatNumber } from '../lib/format.ts';
import { Button } from '../ui/Button.tsx';
import { FormError } from '../ui/Field.tsx';
import { type ChosenFile, listChosen, listDropped, type ReadProgress, type ReadResult, readFiles } from './read-files.ts';

const formats: [name: string, files: string][] = [
  ['dotprompt', '.prompt'],
  ['Prompty', '.prompty'],
  ['promptfoo', 'promptfooconfig.yaml, and the files to which it refers'],
  ['GitHub, LangWatch, PromptHarbor', '.prompt.yaml, .prompt.yml'],
  ['PromptHarbor “Export all”', 'prompts.jsonl, or any other name: all versions, labels, test cases and history'],
  ['PromptHarbor “Export” of selected prompts', '.json: the newest versions of these prompts'],
];

/** The area in which the user drops or selects files. */
export function ChooseFiles({ onRead }: { onRead: (result: ReadResult) => void }) {
  const [isOver, setIsOver] = useState(false);
  const [progress, setProgress] = useState<ReadProgress>();
  const [problem, setProblem] = useState<string>();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  // React does not know this attribute, so it is set directly on the element.
  useEffect(() => folder.current?.setAttribute('webkitdirectory', ''), []);

  const read = async (list: Promise<ChosenFile[]>) => {
    setProblem(undefined);
    setProgress({ done: 0, total: 0 });
    try {
      const result = await readFiles(await list, setProgress);
      const isEmpty = !hasPrompts(result.conversion) && result.exports.length === 0;
      if (isEmpty) setProblem('None of these files contains a prompt in a supported format. See the list below.');
      else onRead(result);
    } catch {
      setProblem('The files could not be read. Choose them again.');
    }
    setProgress(undefined);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void read(listDropped(event.dataTransfer));
  };

  return (
    <div className="space-y-4">
      <section
        aria-label="Drop files here"
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={(event) => {
          if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setIsOver(false);
        }}
        onDrop={drop}
        className={cx(
          'flex flex-col items-center rounded-lg border border-dashed px-6 py-14 text-center transition-colors duration-100',
          isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
        )}
      >
        <FileUp aria-hidden className="size-6 text-ink-3" strokeWidth={1.75} />
        <h2 className="mt-3 font-semibold text-base">{progress ? 'Reading files…' : 'Drop files or a folder here'}</h2>
        <p className="mt-1 text-ink-2" aria-live="polite">
          {progress && progress.total > 0
            ? `${formatNumber(progress.done)} of ${formatNumber(progress.total)}`
            : 'You can review the changes before anything is saved.'}
        </p>
        <div className="mt-5 flex flex-wrap justify-center gap-2">
          <Button kind="primary" busy={progress !== undefined} onClick={() => files.current?.click()}>
            <FileUp aria-hidden className="size-4" />
            Choose files
          </Button>
          <Button disabled={progress !== undefined} onClick={() => folder.current?.click()}>
            <FolderUp aria-hidden className="size-4" />
            Choose a folder
          </Button>
        </div>
        <FileInput inputRef={files} label="Files" onChoose={(list) => void read(Promise.resolve(list))} />
        <FileInput inputRef={folder} label="Folder" onChoose={(list) => void read(Promise.resolve(list))} />
      </section>
      <FormError>{problem}</FormError>
      <table className="w-full text-ink-2 text-sm">
        <caption className="mb-2 text-left font-medium text-ink">What can be imported</caption>
        <tbody>
          {formats.map(([name, endings]) => (
            <tr key={name} className="border-line border-t align-top">
              <th scope="row" className="py-2 pr-4 text-left font-normal text-ink">
                {name}
              </th>
              <td className="py-2">{endings}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns whether the files contain prompts or findings to review. */
export function hasPrompts({ prompts, findings }: Conversion): boolean {
  return prompts.length > 0 || findings.length > 0;
}

interface FileInputProps {
  inputRef: React.RefObject<HTMLInputElement | null>;
  label: string;
  onChoose: (files: ChosenFile[]) => void;
}

/** A file input without its own button. Browsers do not allow styling that button, so a separate button opens the input. */
function FileInput({ inputRef, label, onChoose }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      multiple
      hidden
      aria-label={label}
      onChange={({ currentTarget }) => {
        if (currentTarget.files && currentTarget.files.length > 0) onChoose(listChosen(currentTarget.files));
        // The value is reset, so that the user can select the same files again.
        currentTarget.value = '';
      }}
    />
  );
}
