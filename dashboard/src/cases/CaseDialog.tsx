import { type FormEvent, useCallback, useId, useState } from 'react';
import { ApiError } from '../../../client/src/errors.ts';
import { type Entries, type Entry, findEntry, valuesOf } from '../editor/preview/preview-values.ts';
import { VariableField } from '../editor/preview/VariableField.tsx';
import { messageOf } from '../lib/api.ts';
import type { CaseCheck, NewCase } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field, FormError } from '../ui/Field.tsx';
import { Loading } from '../ui/Skeleton.tsx';
import { CheckFields } from './CheckFields.tsx';
import { type CheckDraft, draftOfCheck, parseCheckDraft } from './check-draft.ts';
import { useCaseVariables } from './use-case-variables.ts';

interface CaseDialogProps {
  promptName: string;
  title: string;
  confirm: string;
  initial: Required<NewCase>;
  onSubmit: (input: Required<NewCase>) => Promise<void>;
  onClose: () => void;
}

const maxNameLength = 200;

/** Asks for the name, the values and the checks of a test case. */
export function CaseDialog({ promptName, title, confirm, initial, onSubmit, onClose }: CaseDialogProps) {
  const formId = useId();
  const [name, setName] = useState(initial.name);
  const [entries, setEntries] = useState<Entries>(() => entriesOf(initial.variables));
  const [drafts, setDrafts] = useState<CheckDraft[]>(() => initial.checks.map(draftOfCheck));
  const [problems, setProblems] = useState<CaseProblems>(noProblems);
  const [busy, setBusy] = useState(false);
  const setEntry = useCallback((variable: string, entry: Entry) => setEntries((before) => ({ ...before, [variable]: entry })), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { input, problems: found } = parseCase(name, entries, drafts);
    setProblems(found);
    if (!input) return;
    setBusy(true);
    try {
      await onSubmit(input);
    } catch (err) {
      setProblems(problemsOf(err));
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="space-y-5" noValidate>
        <FormError>{problems.form}</FormError>
        <Field
          label="Name"
          autoFocus
          maxLength={maxNameLength}
          placeholder="Asks where the order is"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={problems.name}
        />
        <div className="grid gap-5 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <CaseVariables
            promptName={promptName}
            values={initial.variables}
            entries={entries}
            error={problems.variables}
            onChange={setEntry}
          />
          <CheckFields
            checks={drafts}
            errors={problems.checks}
            onChange={(checks) => {
              setDrafts(checks);
              // Error messages are stored by position, so they become wrong when a check is added or removed.
              if (checks.length !== drafts.length) setProblems({ ...problems, checks: noProblems.checks });
            }}
          />
        </div>
      </form>
    </Dialog>
  );
}

interface CaseVariablesProps {
  promptName: string;
  values: Record<string, unknown>;
  entries: Entries;
  error: string | undefined;
  onChange: (name: string, entry: Entry) => void;
}

function CaseVariables({ promptName, values, entries, error, onChange }: CaseVariablesProps) {
  const id = useId();
  const { variables, placeholders, isPending } = useCaseVariables(promptName, values);
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h3 id={id} className="mb-2 font-medium">
        Input
      </h3>
      <FormError>{error}</FormError>
      {isPending && variables.length === 0 && <Loading rows={3} />}
      {!isPending && variables.length === 0 && <p className="text-ink-3">The latest version has no variables.</p>}
      <div className="space-y-3">
        {variables.map((variable) => (
          <VariableField
            key={variable.name}
            variable={variable}
            isMessages={placeholders.includes(variable.name)}
            entry={findEntry(entries, variable.name)}
            onChange={onChange}
          />
        ))}
      </div>
    </section>
  );
}

interface CaseProblems {
  form?: string;
  name?: string;
  variables?: string;
  checks: ReadonlyMap<number, string>;
}

const noProblems: CaseProblems = { checks: new Map() };

function entriesOf(variables: Record<string, unknown>): Entries {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { isGiven: true, value }]));
}

function parseCase(name: string, entries: Entries, drafts: CheckDraft[]): { input?: Required<NewCase>; problems: CaseProblems } {
  const { values, broken } = valuesOf(entries);
  const parsed = drafts.map(parseCheckDraft);
  const wrong = parsed.flatMap(({ problem }, index): [number, string][] => (problem === undefined ? [] : [[index, problem]]));
  const problems: CaseProblems = {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(broken.length > 0 && { variables: `The value of ${broken.join(', ')} is not valid JSON.` }),
    checks: new Map(wrong),
  };
  if (problems.name !== undefined || problems.variables !== undefined || wrong.length > 0) return { problems };
  const checks: CaseCheck[] = parsed.flatMap(({ check }) => check ?? []);
  return { input: { name: name.trim(), variables: values, checks }, problems };
}

/** Returns the server's messages by the field that they concern. */
function problemsOf(err: unknown): CaseProblems {
  const details = err instanceof ApiError ? err.details : [];
  const checks = new Map<number, string>();
  const fields: { name?: string; variables?: string } = {};
  for (const { path, message } of details) {
    const [, field, index] = path.split('/');
    if (field === 'name' || field === 'variables') fields[field] = message;
    if (field === 'checks' && index !== undefined) checks.set(Number(index), message);
  }
  const isPlaced = checks.size > 0 || Object.keys(fields).length > 0;
  return { ...fields, checks, ...(!isPlaced && { form: messageOf(err) }) };
}
