import { X } from 'lucide-react';
import { useState } from 'react';
import { cx } from '../../lib/cx.ts';
import { IconButton } from '../../ui/Button.tsx';
import { ErrorText, inputClass } from '../../ui/Field.tsx';
import { FileButton } from '../parts/FileButton.tsx';
import { describeMedia } from '../parts/media.ts';
import { acceptedFiles, readEmbedded } from '../parts/parts.ts';

interface ImageFieldProps {
  id: string;
  name: string;
  value: unknown;
  hint: string;
  errorId: string | undefined;
  onChange: (value: unknown) => void;
}

/** The maximum size of a chosen image. As Base64 it must fit into a request of 1 MiB, with everything else. */
const maxBytes = 700_000;

/** Edits an image. The value is a URL, or a file on this computer, which is sent as a data URL. */
export function ImageField({ id, name, value, hint, errorId, onChange }: ImageFieldProps) {
  const [problem, setProblem] = useState<string>();
  const url = typeof value === 'string' ? value : '';
  const { text, image } = describeMedia(url);
  const choose = async (file: File) => {
    try {
      const { data, mediaType } = await readEmbedded(file, maxBytes);
      onChange(`data:${mediaType};base64,${data}`);
      setProblem(undefined);
    } catch (err) {
      setProblem(err instanceof Error ? err.message : 'The file cannot be read.');
    }
  };
  return (
    <>
      <div className="flex items-center gap-2">
        {image === undefined ? (
          <input
            id={id}
            spellCheck={false}
            autoComplete="off"
            placeholder={hint === 'Not set' ? 'https://…' : hint}
            aria-invalid={errorId === undefined ? undefined : true}
            aria-describedby={errorId}
            className={cx(inputClass, 'font-mono text-xs')}
            value={url}
            onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
          />
        ) : (
          <>
            <img src={image} alt={`Value of ${name}`} className="max-h-40 min-w-0 rounded-md border border-line" />
            <span className="text-ink-3 text-xs">{text}</span>
            <IconButton label={`Remove the image for ${name}`} className="ml-auto" onClick={() => onChange(undefined)}>
              <X aria-hidden className="size-4" />
            </IconButton>
          </>
        )}
        <FileButton label={`Upload an image for ${name}`} accept={acceptedFiles.image} onChoose={choose} />
      </div>
      <ErrorText id={`${id}-file`}>{problem}</ErrorText>
    </>
  );
}
