import { useId, useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { FileButton } from './FileButton.tsx';
import { MediaChip } from './MediaChip.tsx';
import { urlOf } from './media.ts';
import { acceptedFiles, embed, type MediaPart, partKinds, readEmbedded } from './parts.ts';

interface MediaFieldsProps {
  part: MediaPart;
  /** The name of the part. The names of its fields contain this name. */
  label: string;
  error: string | undefined;
  onChange: (part: MediaPart) => void;
}

/** Edits an image, a file or audio by its URL or variable, or shows the uploaded file. */
export function MediaFields({ part, label, error, onChange }: MediaFieldsProps) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const { icon, name } = partKinds[part.type];
  const isEmbedded = 'data' in part && part.data !== '' && !part.data.includes('{{');
  const shown = problem ?? error;
  const choose = async (file: File) => {
    try {
      onChange(embed(part, await readEmbedded(file)));
      setProblem(undefined);
    } catch (err) {
      setProblem(err instanceof Error ? err.message : 'The file cannot be read.');
    }
  };
  const upload = (
    <FileButton
      label={`${isEmbedded ? 'Replace' : 'Upload'} ${label}`}
      caption={isEmbedded ? 'Replace' : 'Upload'}
      accept={acceptedFiles[part.type]}
      onChoose={choose}
    />
  );

  return (
    <div className="space-y-2 px-4 pb-3">
      {isEmbedded ? (
        <>
          <MediaChip icon={icon} name={'filename' in part && part.filename ? part.filename : name} url={urlOf(part)} />
          <div className="flex flex-wrap gap-2">
            {upload}
            <Button size="sm" kind="ghost" onClick={() => onChange(withoutFile(part))}>
              {part.type === 'audio' ? 'Use a variable instead' : 'Use a URL or variable instead'}
            </Button>
          </div>
        </>
      ) : (
        <div className="flex items-center gap-2">
          <input
            aria-label={part.type === 'audio' ? `Base64 or variable for ${label}` : `URL or variable for ${label}`}
            aria-invalid={shown ? true : undefined}
            aria-describedby={`${id}-hint ${id}-error`}
            spellCheck={false}
            autoComplete="off"
            placeholder={part.type === 'audio' ? '{{ recording }}' : `https://… or {{ ${part.type === 'image' ? 'photo' : 'document'} }}`}
            className={cx(inputClass, 'font-mono text-xs')}
            value={'url' in part ? part.url : part.data}
            onChange={({ target: { value } }) => onChange('url' in part ? { ...part, url: value } : { ...part, data: value })}
          />
          {upload}
        </div>
      )}
      <ErrorText id={`${id}-error`}>{shown}</ErrorText>
      {!isEmbedded && (
        <p id={`${id}-hint`} className="text-ink-3 text-xs">
          {hints[part.type]}
        </p>
      )}
      <Options part={part} label={label} onChange={onChange} />
    </div>
  );
}

const hints: Record<MediaPart['type'], string> = {
  image: 'The URL of an image, or a variable such as {{ photo }} that the caller fills with a URL or data URL.',
  file: 'An uploaded file, a variable, or a URL if the model accepts URLs.',
  audio: 'An uploaded WAV or MP3 file, or a variable with the recording in Base64.',
};

const details = { auto: 'Chosen by the model', low: 'Low: fewer tokens', high: 'High: small details' };

function Options({ part, label, onChange }: Omit<MediaFieldsProps, 'error'>) {
  if (part.type === 'image') {
    const change = (value: string) => {
      const { detail: _, ...rest } = part;
      const detail = (['auto', 'low', 'high'] as const).find((each) => each === value);
      onChange(detail ? { ...rest, detail } : rest);
    };
    return (
      <div className="flex items-center gap-2 text-ink-2 text-xs">
        Detail
        <Select aria-label={`Detail of ${label}`} value={part.detail ?? ''} onChange={(event) => change(event.target.value)}>
          <option value="">Not set</option>
          {Object.entries(details).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      </div>
    );
  }
  if (part.type === 'audio') {
    return (
      <div className="flex items-center gap-2 text-ink-2 text-xs">
        Format
        <Select
          aria-label={`Format of ${label}`}
          value={part.mediaType}
          onChange={(event) => onChange({ ...part, mediaType: event.target.value === 'audio/wav' ? 'audio/wav' : 'audio/mpeg' })}
        >
          <option value="audio/wav">WAV</option>
          <option value="audio/mpeg">MP3</option>
        </Select>
      </div>
    );
  }
  const rename = (filename: string) => {
    const { filename: _, ...rest } = part;
    onChange(filename === '' ? rest : { ...rest, filename });
  };
  return (
    <input
      aria-label={`File name of ${label}`}
      placeholder="File name that the model sees (optional)"
      spellCheck={false}
      className={inputClass}
      value={part.filename ?? ''}
      onChange={(event) => rename(event.target.value)}
    />
  );
}

/** Returns the part with its options, but without the uploaded file. */
function withoutFile(part: MediaPart): MediaPart {
  switch (part.type) {
    case 'audio':
      return { ...part, data: '' };
    case 'image':
      return { type: 'image', url: '', ...(part.detail && { detail: part.detail }) };
    case 'file':
      return { type: 'file', url: '', ...(part.filename !== undefined && { filename: part.filename }) };
  }
}
