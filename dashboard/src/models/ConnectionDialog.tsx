import { type FormEvent, useId, useState } from 'react';
import { type ModelKind, modelKinds } from '../../../src/contract/model-kinds.ts';
import { type ModelPreset, modelPresets } from '../../../src/contract/model-presets.ts';
import { call, errorsByField, messageOf } from '../lib/api.ts';
import type { ModelConnection, NewModelConnection } from '../lib/types.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ErrorText, Field, FormError } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';
import { toast } from '../ui/toasts.ts';
import { AllowLine } from './AllowLine.tsx';
import { KeyField } from './KeyField.tsx';
import { addressFor, kindTexts, vendorAddress } from './kinds.ts';
import { ModelRows } from './ModelRows.tsx';
import { findRowProblem, fromRows, type ModelRow, toRows } from './model-rows.ts';
import { findPreset, presetHints } from './presets.ts';
import { refreshConnections } from './queries.ts';

interface ConnectionDialogProps {
  /** The connection to change. If absent, a new connection is created. */
  connection?: ModelConnection;
  preset?: ModelPreset | undefined;
  /** Whether the focus starts at the models and their prices. */
  arePricesFirst?: boolean | undefined;
  onClose: () => void;
  /** `isOther` says whether the protocol, the address or the key has changed. If so, the connection may no longer work. */
  onSaved: (connection: ModelConnection, isOther: boolean) => void;
}

interface Input {
  name: string;
  kind: ModelKind;
  baseUrl: string;
  rows: ModelRow[];
  allowsAny: boolean;
  /** The new key. An empty string keeps the stored key, and null removes it. */
  apiKey: string | null;
}

/** Asks for the protocol and the address of a server, its key, and the allowed models. */
export function ConnectionDialog({ connection, preset, arePricesFirst = false, onClose, onSaved }: ConnectionDialogProps) {
  const [input, setInput] = useState<Input>(() => startOf(connection, preset));
  const [busy, setBusy] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const [error, setError] = useState<unknown>();
  const fields = errorsByField(error);
  const isAboutField = fieldNames.some((field) => fields[field] !== undefined);
  const change = (part: Partial<Input>) => setInput((before) => ({ ...before, ...part }));
  const known = findPreset(input.baseUrl);
  const isMoved = connection !== undefined && normalize(input.baseUrl) !== connection.baseUrl;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (input.rows.some((row) => findRowProblem(row, input.rows) !== undefined)) return;
    setBusy(true);
    setError(undefined);
    try {
      const saved = await save(connection, input);
      void refreshConnections();
      if (connection)
        toast(saved.keyHint === null && connection.keyHint !== null ? `${saved.name} saved without a key.` : `${saved.name} saved.`);
      onSaved(saved, isMoved || input.apiKey !== '' || saved.kind !== connection?.kind);
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };

  return (
    <Dialog open onOpenChange={onClose} title={connection ? 'Edit connection' : 'New connection'}>
      <form onSubmit={submit} className="space-y-4" noValidate>
        <FormError>{error !== undefined && !isAboutField ? messageOf(error) : undefined}</FormError>
        <Field
          label="Name"
          required
          autoFocus={preset === undefined}
          autoComplete="off"
          maxLength={100}
          placeholder="OpenAI"
          value={input.name}
          onChange={(event) => change({ name: event.target.value })}
          error={fields.name}
        />
        <KindField value={input.kind} error={fields.kind} onChange={(kind) => change({ kind, baseUrl: addressFor(kind, input) })} />
        <Field
          label="Base address"
          type="url"
          inputMode="url"
          required
          autoComplete="off"
          list="model-addresses"
          maxLength={2000}
          placeholder={vendorAddress(input.kind)}
          value={input.baseUrl}
          onChange={(event) => change({ baseUrl: event.target.value })}
          error={fields.baseUrl}
          hint={(known && presetHints[known.id]) ?? kindTexts[input.kind].hint}
        />
        <datalist id="model-addresses">
          {modelPresets
            .filter(({ kind }) => kind === input.kind)
            .map(({ id, name, baseUrl }) => (
              <option key={id} value={baseUrl}>
                {name}
              </option>
            ))}
        </datalist>
        <AllowLine message={fields.baseUrl} />
        <KeyField
          value={input.apiKey}
          keyHint={connection?.keyHint ?? null}
          isMoved={isMoved}
          keyUrl={known?.keyUrl ?? null}
          error={fields.apiKey}
          onChange={(apiKey) => change({ apiKey })}
        />
        <ModelRows
          rows={input.rows}
          kind={input.kind}
          baseUrl={input.baseUrl}
          allowsAny={input.allowsAny}
          isChecked={isChecked}
          isFirst={arePricesFirst}
          error={fields.models ?? fields.prices}
          onChange={(rows, allowsAny) => change({ rows, allowsAny })}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} autoFocus={preset !== undefined && preset.keyUrl === null}>
            {connection ? 'Save' : 'Connect and test'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface KindFieldProps {
  value: ModelKind;
  error: string | undefined;
  onChange: (kind: ModelKind) => void;
}

/** Selects the protocol of the server. */
function KindField({ value, error, onChange }: KindFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-ink text-sm">
        Protocol
      </label>
      <Select
        id={id}
        className="w-full"
        value={value}
        onChange={(event) => {
          const kind = modelKinds.find((each) => each === event.target.value);
          if (kind) onChange(kind);
        }}
      >
        {modelKinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindTexts[kind].choice}
          </option>
        ))}
      </Select>
      <ErrorText id={`${id}-error`}>{error}</ErrorText>
    </div>
  );
}

const fieldNames = ['name', 'kind', 'baseUrl', 'apiKey', 'models', 'prices'];

function startOf(connection: ModelConnection | undefined, preset: ModelPreset | undefined): Input {
  if (!connection) {
    const { name = '', kind = 'openai', baseUrl = '' } = preset ?? {};
    return { name, kind, baseUrl, rows: [], allowsAny: true, apiKey: '' };
  }
  const { name, kind, baseUrl, models } = connection;
  return { name, kind, baseUrl, rows: toRows(connection), allowsAny: models.length === 0, apiKey: '' };
}

/** Saves a connection. This is not a mutation of the query client, because the mutation cache would keep the key. */
function save(connection: ModelConnection | undefined, { name, kind, baseUrl, rows, allowsAny, apiKey }: Input): Promise<ModelConnection> {
  const models = fromRows(rows, allowsAny);
  const key = apiKey === null ? null : apiKey.trim() || undefined;
  if (!connection) {
    const created: NewModelConnection = { name: name.trim(), kind, baseUrl: baseUrl.trim(), ...models, ...(key && { apiKey: key }) };
    return call('createModel', { body: created });
  }
  const change = {
    name: name.trim(),
    kind,
    // An address in the request is checked again, and may no longer be allowed, so an unchanged address is left out.
    ...(normalize(baseUrl) !== connection.baseUrl && { baseUrl: baseUrl.trim() }),
    ...models,
    ...(key !== undefined && { apiKey: key }),
  };
  return call('changeModel', { path: { id: connection.id }, body: change });
}

/** Returns the address in the form in which the service stores it. */
function normalize(baseUrl: string): string {
  const url = URL.parse(baseUrl.trim());
  return url ? (url.origin + url.pathname).replace(/\/+$/, '') : baseUrl;
}
