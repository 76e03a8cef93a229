import { ExternalLink } from 'lucide-react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';

interface KeyFieldProps {
  /** The new key. An empty string keeps the stored key, and null removes it. */
  value: string | null;
  /** The last characters of the stored key. */
  keyHint: string | null;
  /** Whether the address was changed. In that case, the key is removed. */
  isMoved: boolean;
  /** The page on which users can get a key. */
  keyUrl: string | null;
  error: string | undefined;
  onChange: (value: string | null) => void;
}

/** The key of a server. The user can set the key, but never read it. */
export function KeyField({ value, keyHint, isMoved, keyUrl, error, onChange }: KeyFieldProps) {
  const isKept = keyHint !== null && !isMoved && value === '';
  return (
    <div className="space-y-1.5">
      <Field
        label="Key"
        type="password"
        autoComplete="off"
        spellCheck={false}
        data-1p-ignore
        maxLength={1000}
        placeholder={isKept ? (keyHint ? `Stored, ends in ${keyHint}` : 'Stored') : 'None'}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value)}
        error={error}
        hint={keyUrl === null ? 'Stored encrypted, for this address only, and never shown again.' : <GetKey url={keyUrl} />}
      />
      {isMoved && keyHint !== null && value === '' && (
        <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-warn text-xs">
          The stored key{keyHint && ` (ends in ${keyHint})`} belongs to the old address and is removed when you save. Enter the key for the
          new address.
        </p>
      )}
      {isKept && (
        <Button size="sm" onClick={() => onChange(null)}>
          Remove the stored key
        </Button>
      )}
      {value === null && (
        <p role="status" className="text-warn text-xs">
          The stored key is removed when you save.{' '}
          <button type="button" className="rounded-sm font-medium underline underline-offset-3" onClick={() => onChange('')}>
            Keep it
          </button>
        </p>
      )}
    </div>
  );
}

function GetKey({ url }: { url: string }) {
  return (
    <>
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 rounded-sm font-medium text-accent-ink underline underline-offset-3"
      >
        Get a key
        <ExternalLink aria-hidden className="size-3" />
      </a>
      . It is stored encrypted, for this address only, and never shown again.
    </>
  );
}
