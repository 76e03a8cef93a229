import { Upload } from 'lucide-react';
import { useId, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { call, messageOf } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import { plural } from '../lib/format.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { inputClass } from '../ui/Field.tsx';
import { toast } from '../ui/toasts.ts';
import { parseCaseFile } from './case-file.ts';
import type { CaseFile, FileProblem } from './case-file-types.ts';
import { showSavedCases } from './queries.ts';

/** The maximum size of the text that the server accepts in one request. */
const maxBytes = 1024 * 1024;
const tooLarge: FileProblem = { place: 'File', message: 'The file is larger than 1 MiB. Split it into several files.' };
const shownProblems = 20;
const shownCases = 5;
const example = 'case,customer,request,check:contains\nOrder status,Ada,Where is my order?,order';

/** Adds all test cases of a file or of pasted text, or none of them. Before that, shows the test cases and their problems. */
export function ImportDialog({ promptName, onClose }: { promptName: string; onClose: () => void }) {
  const textId = useId();
  const chooser = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [refused, setRefused] = useState<FileProblem[]>([]);
  const [busy, setBusy] = useState(false);
  const file = useMemo(() => (text.trim() === '' ? undefined : read(text)), [text]);
  const problems = [...(file?.problems ?? []), ...refused];

  const change = (next: string) => {
    setText(next);
    setRefused([]);
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    change(chosen.size > maxBytes ? '' : await chosen.text());
    if (chosen.size > maxBytes) setRefused([tooLarge]);
  };
  const submit = async () => {
    if (!file) return;
    setBusy(true);
    try {
      const cases = { data: file.cases.map(({ input }) => input) };
      const imported = await call('importCases', { path: { name: promptName }, body: cases });
      showSavedCases(promptName, imported.data);
      onClose();
      toast(`${plural(file.cases.length, 'test case')} added.`);
      await refreshPrompts();
    } catch (err) {
      setRefused(problemsOf(err, file));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Import test cases"
      description="Adds test cases from a CSV or JSON file. If one of them has a problem, none is added."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={!file || problems.length > 0} onClick={submit}>
            {file && problems.length === 0 ? `Import ${plural(file.cases.length, 'test case')}` : 'Import'}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <div>
          <div className="mb-1.5 flex flex-wrap items-end justify-between gap-2">
            <label htmlFor={textId} className="font-medium">
              Test cases
            </label>
            <Button size="sm" onClick={() => chooser.current?.click()}>
              <Upload aria-hidden className="size-3.5" />
              Choose a file
            </Button>
            <input
              ref={chooser}
              type="file"
              aria-label="File with test cases"
              tabIndex={-1}
              accept=".csv,.tsv,.json,text/csv,application/json"
              className="hidden"
              onChange={(event) => void choose(event.target.files?.[0])}
            />
          </div>
          <textarea
            id={textId}
            rows={8}
            spellCheck={false}
            placeholder={example}
            aria-invalid={problems.length > 0 ? true : undefined}
            className={cx(inputClass, 'block h-auto resize-y py-1.5 font-mono text-xs')}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
          <p className="mt-1.5 text-ink-3 text-xs">
            The first line of a CSV file contains the column names. The column <Code>case</Code> contains the name of the test case. Columns
            such as <Code>check:contains</Code> check the output, and columns such as <Code>check:prompt:contains</Code> check the rendered
            prompt. The column <Code>checks</Code> contains a JSON array of checks. Every other column is a variable. JSON files have the
            format of exported test cases.
          </p>
        </div>
        <Problems problems={problems} />
        {file && problems.length === 0 && <Summary file={file} />}
      </div>
    </Dialog>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-ink-2">{children}</code>;
}

function Problems({ problems }: { problems: FileProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="rounded-md bg-danger-soft px-3 py-2 text-danger">
      <p className="font-medium">Nothing was imported. Fix {plural(problems.length, 'problem')} first:</p>
      <ul className="mt-1 space-y-0.5">
        {problems.slice(0, shownProblems).map(({ place, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several problems.
          <li key={index} className="wrap-anywhere">
            {place}: {message}
          </li>
        ))}
      </ul>
      {problems.length > shownProblems && <p className="mt-1">And {problems.length - shownProblems} more.</p>}
    </div>
  );
}

function Summary({ file: { cases } }: { file: CaseFile }) {
  const names = cases.slice(0, shownCases).map(({ input }) => input.name);
  const rest = cases.length - names.length;
  return (
    <p role="status" className="text-ink-2 wrap-anywhere">
      {plural(cases.length, 'test case')}: {names.join(', ')}
      {rest > 0 && ` and ${rest} more`}.
    </p>
  );
}

function read(text: string): CaseFile {
  if (new Blob([text]).size <= maxBytes) return parseCaseFile(text);
  return { cases: [], problems: [tooLarge] };
}

/** Returns the server's messages with their place in the file. The server identifies a test case by its position. */
function problemsOf(err: unknown, { cases }: CaseFile): FileProblem[] {
  const details = err instanceof ApiError ? err.details : [];
  if (details.length === 0) return [{ place: 'Refused', message: messageOf(err) }];
  return details.map(({ path, message }) => {
    const [, , index, field, position] = path.split('/');
    const place = cases[Number(index)]?.place ?? 'File';
    if (field === 'checks' && position !== undefined) return { place, message: `check ${Number(position) + 1}: ${message}` };
    return { place, message: field === undefined ? message : `${field}: ${message}` };
  });
}
