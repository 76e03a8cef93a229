import { Plus } from 'lucide-react';
import type { ModelPreset } from '../../../src/contract/model-presets.ts';
import { isOwnServer, offeredPresets } from './presets.ts';

/** Lists known servers. Selecting one creates a connection with its address filled in. */
export function PresetChoice({ onChoose }: { onChoose: (preset: ModelPreset | undefined) => void }) {
  return (
    <ul className="grid gap-2 sm:grid-cols-2 md:grid-cols-3">
      {offeredPresets().map((preset) => (
        <li key={preset.id} className="min-w-0">
          <button type="button" onClick={() => onChoose(preset)} className={choiceClass}>
            <span className="font-medium">{preset.name}</span>
            <span className="max-w-full truncate text-ink-3 text-xs" title={preset.baseUrl}>
              {isOwnServer(preset) ? 'your own server' : new URL(preset.baseUrl).host}
            </span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" onClick={() => onChoose(undefined)} className={choiceClass}>
          <span className="flex items-center gap-1.5 font-medium">
            <Plus aria-hidden className="size-4 text-ink-3" />
            Another server
          </span>
          <span className="text-ink-3 text-xs">Enter its address</span>
        </button>
      </li>
    </ul>
  );
}

const choiceClass =
  'flex h-full w-full min-w-0 flex-col items-start rounded-md border border-line-strong bg-surface px-3 py-2 text-left shadow-card transition-colors duration-100 hover:bg-hover';
