import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../ui/Button.tsx';

interface FileButtonProps {
  label: string;
  /** The text of the button. */
  caption?: string;
  accept: string;
  onChoose: (file: File) => void;
}

/** Opens the browser's dialog to choose a file. */
export function FileButton({ label, caption = 'Upload', accept, onChoose }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button size="sm" aria-label={label} onClick={() => input.current?.click()}>
        <Upload aria-hidden className="size-3.5" />
        {caption}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={`${label} from this computer`}
        {...(accept !== '' && { accept })}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The value is reset, so that the user can choose the same file again.
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
